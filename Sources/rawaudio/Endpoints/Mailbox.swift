// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Messages on their way from the thread that writes a recording to the main thread.
final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])

  /// Any thread.
  func put(_ message: Message) { messages.withLock { $0.append(message) } }

  /// Those since the last call, in order. Any thread.
  func take() -> [Message] {
    messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
