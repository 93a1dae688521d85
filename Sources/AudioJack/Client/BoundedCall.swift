// SPDX-License-Identifier: Apache-2.0
/// Runs calls into libjack that wait for the server, which may be stopped and never answer.
enum BoundedCall {
  /// The longest wait for a server that works.
  static var limit: Duration { .seconds(5) }

  /// Runs `body` on a thread of its own, where signals are blocked, as they then are in the threads of libjack.
  ///
  /// - Returns: nil if it has not ended after ``limit``. It goes on, and keeps its objects alive.
  static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) throws(AudioError)
    -> Value?
  {
    try BackgroundCall(named: "jack call", body).result(atMost: limit) { true }
  }
}
