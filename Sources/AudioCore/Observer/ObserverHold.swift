// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Holds an observer for as long as it is registered, and keeps its calls to that time.
///
/// The session and the stages of its streams reach an observer only through this: once it is let go, no
/// call comes and nothing holds it.
package final class ObserverHold: Sendable {
  private let active = Atomic(true)
  /// The thread inside the observer; 0 while there is none.
  private let callingThread = Atomic<UInt>(0)
  private let calling = Mutex(())
  private let releasing = Mutex(())
  /// Touched only inside `calling`.
  private nonisolated(unsafe) var observer: (any AudioObserver)?
  private let identity: ObjectIdentifier

  init(_ observer: any AudioObserver) {
    unsafe self.observer = observer
    identity = ObjectIdentifier(observer)
  }

  /// Whether both hold one observer. Any thread, also inside a callback.
  func isSame(as other: ObserverHold) -> Bool {
    // One that was let go may have made room for another at its place.
    isActive && other.isActive && identity == other.identity
  }

  /// Whether ``letGo()`` has not been called. Any thread.
  package var isActive: Bool { active.load(ordering: .sequentiallyConsistent) }

  /// Ends the observer's calls and releases it. Waits for a call in progress; from inside one it takes
  /// effect when that returns. Any thread; harmless a second time.
  func letGo() {
    active.store(false, ordering: .sequentiallyConsistent)
    if callingThread.load(ordering: .acquiring) == currentThread { return }
    // The session thread waits for neither of the two: it has seen that the hold is not active.
    releasing.withLock { _ in
      var released: (any AudioObserver)?
      calling.withLock { _ in unsafe swap(&released, &observer) }
      // An observer may let itself go once more while it is released.
      callingThread.store(currentThread, ordering: .releasing)
      released = nil
      callingThread.store(0, ordering: .releasing)
    }
  }

  /// Calls `body` with the observer; nil where it is let go. Session thread.
  func call<Result, Failure: Error>(
    _ body: (any AudioObserver) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard isActive else { return nil }
    var result: Result?
    try calling.withLock { (_) throws(Failure) in
      guard isActive else { return }
      callingThread.store(currentThread, ordering: .releasing)
      defer {
        if !isActive { unsafe observer = nil }
        callingThread.store(0, ordering: .releasing)
      }
      result = try perform(body)
    }
    return result
  }

  /// A function of its own, so that it alone holds the observer beside this.
  @inline(never)
  private func perform<Result, Failure: Error>(
    _ body: (any AudioObserver) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let observer = unsafe observer else { return nil }
    return try body(observer)
  }
}
