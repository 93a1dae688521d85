// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

extension SplittingSink {
  /// Asks for a new part from outside: from another thread or from a signal handler.
  public final class Control: Sendable {
    /// When it was first asked for, in nanoseconds of the monotonic clock; 0 where it was not.
    private let asked = Atomic(0)

    /// Asks for nothing yet.
    public init() {}

    /// The next samples that come begin a part, unless the present one is empty. Any thread; also
    /// async-signal-safe.
    public func requestPart() {
      _ = asked.compareExchange(
        expected: 0, desired: MonotonicTime.now.nanoseconds, ordering: .releasing)
    }

    /// Whether a part was asked for before samples came; takes the request.
    ///
    /// - Parameter age: how long ago they came.
    func takeRequest(before age: Duration) -> Bool {
      let time = asked.load(ordering: .acquiring)
      guard time != 0, MonotonicTime.now.nanoseconds - time >= age.inNanoseconds else {
        return false
      }
      asked.store(0, ordering: .releasing)
      return true
    }
  }
}
