// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Holds an observer as long as it is registered.
///
/// The session and the stages of its streams reach an observer only through this. After ``letGo()`` no call comes and
/// nothing holds the observer.
package final class ObserverHold: Sendable {
  private let active = Atomic(true)
  /// The thread inside the observer; 0 for none.
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
    // A released observer's address may belong to another object.
    isActive && other.isActive && identity == other.identity
  }

  /// Whether the observer is still held. Any thread.
  package var isActive: Bool { active.load(ordering: .sequentiallyConsistent) }

  /// Ends the observer's calls and releases it. Waits for a call in progress; from inside one it takes effect when that
  /// returns. Any thread. A second call does nothing.
  func letGo() {
    active.store(false, ordering: .sequentiallyConsistent)
    if callingThread.load(ordering: .acquiring) == currentThread { return }
    // The session thread waits for neither lock: it sees before that the hold is inactive.
    releasing.withLock { _ in
      var released: (any AudioObserver)?
      calling.withLock { _ in unsafe swap(&released, &observer) }
      // The observer may call this again while it is released.
      callingThread.store(currentThread, ordering: .releasing)
      released = nil
      callingThread.store(0, ordering: .releasing)
    }
  }

  /// Calls `body` with the observer; returns nil after ``letGo()``. Session thread.
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

  /// A separate function: its local is the only other reference to the observer.
  @inline(never)
  private func perform<Result, Failure: Error>(
    _ body: (any AudioObserver) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let observer = unsafe observer else { return nil }
    return try body(observer)
  }
}
