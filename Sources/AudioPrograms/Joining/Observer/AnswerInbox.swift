// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The answers of a client on their way to the session, frame by frame in the order of the frames sent. The
/// listener's thread puts them in, the session thread takes them out.
final class AnswerInbox: Sendable {
  private struct Content {
    /// The frames with incomplete answers, in order.
    var awaited: [(identity: StreamIdentity, byteCount: Int)] = []
    /// The number of complete answers at the beginning of `awaited`.
    var done = 0
    /// The bytes that were not taken: whole frames and the beginning of the next.
    var bytes: [StreamIdentity: [UInt8]] = [:]
    var isOpen = true
    var isOverrun = false
    var isGivenUp = false
  }

  private let content = Mutex(Content())

  /// The most frames without an answer.
  static let most = 10_000

  /// Expects the answer to a frame of `byteCount` bytes. Session thread, before the client can get the frame.
  func expect(_ byteCount: Int, for identity: StreamIdentity) {
    guard byteCount > 0 else { return }
    content.withLock { content in
      guard content.isOpen else { return }
      content.awaited.append((identity, byteCount))
      content.isOverrun = content.awaited.count - content.done > Self.most
    }
  }

  /// Takes the client's next bytes. Listener's thread.
  ///
  /// - Throws: `malformed` if the client gives back more bytes than it got.
  func put(_ bytes: UnsafeRawBufferPointer) throws(AudioError) {
    let isTooMuch = content.withLock { content in
      var rest = unsafe bytes[...]
      while unsafe !rest.isEmpty, content.done < content.awaited.count {
        let (identity, wanted) = content.awaited[content.done]
        let count = unsafe min(wanted, rest.count)
        unsafe content.bytes[identity, default: []].append(contentsOf: rest.prefix(count))
        unsafe rest = rest.dropFirst(count)
        content.awaited[content.done].byteCount -= count
        if count == wanted { content.done += 1 }
      }
      // Not one by one, for each removal moves all elements behind it.
      if content.done > 64 || content.done == content.awaited.count {
        content.awaited.removeFirst(content.done)
        content.done = 0
      }
      return unsafe !rest.isEmpty
    }
    if isTooMuch {
      throw AudioError(
        .malformed, cannot: "take the answer", "",
        because: "it has more bytes than the frames that were sent",
        advice: "give back as many bytes as are sent")
    }
  }

  /// Takes out the bytes for a stream. Session thread.
  func take(_ identity: StreamIdentity) -> [UInt8] {
    content.withLock { $0.bytes.removeValue(forKey: identity) ?? [] }
  }

  /// Notes that the client is gone. Any thread.
  func close() {
    content.withLock { content in
      content.isOpen = false
      content.awaited = []
      content.done = 0
    }
  }

  /// Gives up the client: it gets no more frames and edits no more. Session thread.
  func giveUp() {
    close()
    content.withLock { $0.isGivenUp = true }
  }

  /// Whether the client is to be disconnected after its remaining bytes. Any thread.
  var isGivenUp: Bool { content.withLock { $0.isGivenUp } }

  /// Whether the client owes too many answers. Any thread.
  var isOverrun: Bool { content.withLock { $0.isOverrun } }

  /// Whether the client may still answer. Any thread.
  var isOpen: Bool { content.withLock { $0.isOpen } }
}
