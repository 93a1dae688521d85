// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A call that may wait for others or never return, on a thread of its own. One thread uses it.
///
/// If no thread waits for it any more, it goes on and keeps its objects alive, and its result is dropped.
package final class BackgroundCall<Value: Sendable> {
  private final class Answer: Sendable {
    let value = Mutex<Value?>(nil)
  }

  private let answer = Answer()
  private let thread: SystemThread

  /// - Parameters:
  ///   - name: the thread's name in errors; the system shows its first 15 bytes.
  ///   - wakeup: signalled when there is a result.
  /// - Throws: `unavailable` if the system grants no more threads.
  package init(
    named name: String, signalling wakeup: Wakeup? = nil, _ body: @escaping @Sendable () -> Value
  ) throws(AudioError) {
    let answer = answer
    thread = try SystemThread(named: name) {
      let value = body()
      answer.value.withLock { $0 = value }
      wakeup?.signal()
    }
  }

  deinit { _ = thread.join(atMost: .zero) }

  /// The result; nil before there is one.
  package var result: Value? { answer.value.withLock { $0 } }

  /// Waits for the result, for `limit` at most, while `isWanted` holds. It asks that ten times a second.
  ///
  /// - Returns: nil if there is none yet.
  package func result(atMost limit: Duration, while isWanted: () -> Bool) -> Value? {
    thread.wait(atMost: limit) { isWanted() }
    return result
  }
}
