// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

extension SplittingSink {
  /// Asks for a new part from outside: from another thread or from a signal handler.
  public final class Control: Sendable {
    private let isRequested = Atomic(false)

    /// Asks for nothing yet.
    public init() {}

    /// The next samples that are written begin a part, unless the present one is empty. Any thread; also
    /// async-signal-safe.
    public func requestPart() { isRequested.store(true, ordering: .releasing) }

    func takeRequest() -> Bool { isRequested.exchange(false, ordering: .acquiringAndReleasing) }
  }
}
