// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Waits for a push source to go on, without a thread.
package protocol PushWaiter: AnyObject, Sendable {
  /// Something has changed: there may be room, or the source was started or stopped. Any thread; does not wait.
  func goOn()
}

/// The tasks that wait for a push source. The session thread pays for them only while there are any.
package final class PushWaiters: Sendable {
  private let areThere = Atomic(false)
  private let waiting = Mutex([any PushWaiter]())

  /// Tells all once that something changed. Any thread.
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

  /// Adds one, to be told once. It has to look behind this whether what it waits for is there already.
  package func add(_ waiter: any PushWaiter) {
    waiting.withLock { waiting in
      waiting.append(waiter)
      areThere.store(true, ordering: .relaxed)
    }
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }

  /// Takes one out that waits no longer.
  package func remove(_ waiter: any PushWaiter) {
    waiting.withLock { $0.removeAll { $0 === waiter } }
  }
}
