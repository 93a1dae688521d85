// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

extension SplittingSink {
  /// Requests a new part from another thread or from a signal handler.
  public final class Control: Sendable {
    /// The time of the first request, in nanoseconds of the monotonic clock; 0 = no request.
    private let asked = Atomic(0)

    /// Begins without a request.
    public init() {}

    /// Lets the next samples begin a part, unless the present one is empty. Any thread; also async-signal-safe.
    public func requestPart() {
      _ = asked.compareExchange(
        expected: 0, desired: MonotonicTime.now.nanoseconds, ordering: .releasing)
    }

    /// Returns whether a part was requested before samples came, and clears that request.
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
