// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What a client gives back on its way to the session, frame by frame in the order in which it was handed
/// them. The listener's thread puts it in, the session thread takes it out.
final class AnswerInbox: Sendable {
  private struct Content {
    /// The frames whose answer is not complete, in order.
    var awaited: [(identity: StreamIdentity, byteCount: Int)] = []
    /// Those at the beginning of `awaited` that are complete.
    var done = 0
    /// What came and was not taken, whole frames and the beginning of the next.
    var bytes: [StreamIdentity: [UInt8]] = [:]
    var isOpen = true
    var isOverrun = false
    var isGivenUp = false
  }

  private let content = Mutex(Content())

  /// Frames whose answers may be owed.
  static let most = 10_000

  /// A frame of `byteCount` bytes goes to the client. Session thread, before the client can have it.
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
  /// - Throws: `malformed` where the client gives back more than it was handed.
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
      // Not one by one, for each removal moves all behind it.
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
        advice: "give back exactly what is given")
    }
  }

  /// Takes out what came for a stream. Session thread.
  func take(_ identity: StreamIdentity) -> [UInt8] {
    content.withLock { $0.bytes.removeValue(forKey: identity) ?? [] }
  }

  /// The client is gone. Any thread.
  func close() {
    content.withLock { content in
      content.isOpen = false
      content.awaited = []
      content.done = 0
    }
  }

  /// The client gets nothing more, and edits nothing more. Session thread.
  func giveUp() {
    close()
    content.withLock { $0.isGivenUp = true }
  }

  /// Whether the client is to go when it has what is there for it. Any thread.
  var isGivenUp: Bool { content.withLock { $0.isGivenUp } }

  /// Whether the client owes too much to be waited for. Any thread.
  var isOverrun: Bool { content.withLock { $0.isOverrun } }

  /// Whether the client may still answer. Any thread.
  var isOpen: Bool { content.withLock { $0.isOpen } }
}
