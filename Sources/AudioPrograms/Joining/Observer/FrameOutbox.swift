// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Frames on their way from the session to an observing client. The session thread puts them in, the listener's
/// thread takes them out. If a slow client leaves no room, whole frames are dropped and counted; the client is told
/// before its next frame.
final class FrameOutbox: Sendable {
  /// The losses of one of the client's sources since the last report.
  private struct Loss {
    var frames: Int64 = 0
    var samples: Int64 = 0
  }

  private struct Content {
    var bytes: [UInt8] = []
    /// Bytes that were taken out but not yet received by the client.
    var unsent = 0
    var isOpen = true
    /// The sources that the client knows by a number, from 1.
    var sources: [SourceKey] = []
    var losses: [UInt32: Loss] = [:]
    var isOverrun = false

    var waiting: Int { bytes.count + unsent }

    func hasRoom(for payload: Int, within most: Int) -> Bool {
      waiting == 0 || waiting + payload <= most
    }
  }

  private let content = Mutex(Content())
  private let mail: ClientMail
  private let lost = RunningCount()

  /// The most bytes that may wait, without the frame to be put in.
  static let most = 1 << 22

  init(_ mail: ClientMail) { self.mail = mail }

  /// The number of `source`; 0 for nil. Any thread.
  func number(of source: SourceKey?) -> UInt32 {
    guard let source else { return 0 }
    return content.withLock { content in
      if let place = content.sources.firstIndex(of: source) { return UInt32(place + 1) }
      content.sources.append(source)
      return UInt32(content.sources.count)
    }
  }

  /// Puts in a frame, or counts it if there is no room. Session thread.
  ///
  /// - Parameters:
  ///   - samplesPerChannel: the length of the frame.
  ///   - fill: appends exactly `header.payload` bytes.
  /// - Returns: whether it was put in.
  func put(
    _ header: FrameHeader, samplesPerChannel: Int, _ fill: (inout [UInt8]) -> Void
  ) -> Bool {
    let isTaken = content.withLock { content in
      guard content.isOpen else { return false }
      guard content.hasRoom(for: header.payload, within: Self.most) else {
        content.losses[header.source, default: Loss()].frames += 1
        content.losses[header.source, default: Loss()].samples += Int64(samplesPerChannel)
        return false
      }
      if let loss = content.losses.removeValue(forKey: header.source) {
        Self.append(
          [
            ReplyLine.schema, ("event", .string("lost")),
            ("source", .integer(Int64(header.source))), ("frames", .integer(loss.frames)),
            ("samples", .integer(loss.samples)),
          ], about: header, to: &content.bytes)
      }
      header.append(to: &content.bytes)
      fill(&content.bytes)
      return true
    }
    if !isTaken { lost.add(1) }
    mail.announce()
    return isTaken
  }

  /// Whether a frame of this many bytes fits. Any thread.
  ///
  /// - Parameter most: the most bytes that may wait with it.
  func hasRoom(for payload: Int, within most: Int) -> Bool {
    content.withLock { $0.isOpen && $0.hasRoom(for: payload, within: most) }
  }

  /// Counts frames that were never made because there was no room. Session thread.
  func lose(frames: Int64, samplesPerChannel: Int64, of source: SourceKey?) {
    let number = number(of: source)
    content.withLock { content in
      content.losses[number, default: Loss()].frames += frames
      content.losses[number, default: Loss()].samples += samplesPerChannel
    }
    lost.add(frames)
  }

  /// Puts in a line of JSON about the source of `header`, which is never dropped. A client that leaves very many
  /// unread is given up. Session thread.
  func put(_ members: JSONValue.Members, about header: FrameHeader) {
    content.withLock { content in
      guard content.isOpen, !content.isOverrun else { return }
      Self.append(members, about: header, to: &content.bytes)
      content.isOverrun = content.bytes.count > 4 * Self.most
    }
    mail.announce()
  }

  private static func append(
    _ members: JSONValue.Members, about header: FrameHeader,
    to bytes: inout [UInt8]
  ) {
    let line = Array(JSONValue.object(members).compact.utf8) + [0x0A]
    FrameHeader(
      samplePosition: header.samplePosition, renderTime: header.renderTime, payload: line.count,
      source: header.source, flags: .line
    ).append(to: &bytes)
    bytes += line
  }

  /// Takes out all bytes; nil if the client is to be given up. They count as waiting until ``report(unsent:)``.
  /// Listener's thread.
  func take() -> [UInt8]? {
    content.withLock { content in
      if content.isOverrun { return nil }
      defer { content.bytes = [] }
      content.unsent += content.bytes.count
      return content.bytes
    }
  }

  /// Reports the bytes taken out that the client has not received. Listener's thread.
  func report(unsent: Int) { content.withLock { $0.unsent = unsent } }

  /// The number of bytes that the client has not received. Any thread.
  var waiting: Int { content.withLock { $0.waiting } }

  /// Closes the outbox: it takes no more frames. Any thread.
  func close() {
    content.withLock { content in
      content.isOpen = false
      content.bytes = []
    }
  }

  /// The number of dropped frames. Any thread.
  var lostFrames: Int64 { lost.total }
}
