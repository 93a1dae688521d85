// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Waits for a push source without blocking a thread.
package protocol PushWaiter: AnyObject, Sendable {
  /// Reports a change: there may be room, or the source was started or stopped. Any thread; does not wait.
  func goOn()
}

/// The tasks that wait for a push source. They cost the session thread time only while there are any.
package final class PushWaiters: Sendable {
  private let areThere = Atomic(false)
  private let waiting = Mutex([any PushWaiter]())

  /// Reports a change to all waiters once. Any thread.
  func notify() {
    // Pairs with the fence in `add`: either this sees the waiter or the waiter sees the change.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard areThere.load(ordering: .relaxed) else { return }
    let waiters = waiting.withLock { waiting in
      areThere.store(false, ordering: .relaxed)
      defer { waiting = [] }
      return waiting
    }
    for waiter in waiters { waiter.goOn() }
  }

  /// Adds a waiter for one change. The caller then has to check whether the change has come already.
  package func add(_ waiter: any PushWaiter) {
    waiting.withLock { waiting in
      waiting.append(waiter)
      areThere.store(true, ordering: .relaxed)
    }
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }

  /// Removes a waiter that waits no longer.
  package func remove(_ waiter: any PushWaiter) {
    waiting.withLock { $0.removeAll { $0 === waiter } }
  }
}
