// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Synchronization

/// A pool of worker threads that help the session thread.
///
/// The threads start with the first item and end with this object. If the system grants none, the session thread does
/// all the work. The result does not depend on the thread of an item, because an item only uses its own memory. Session
/// thread only.
package final class WorkerPool {
  private let queue = Queue()
  private var threads: [SystemThread] = []
  private var mostThreads: Int
  private let allowance: WorkerAllowance

  /// - Parameters:
  ///   - threadCount: worker threads; by default one for each processor but the session's own, and seven at most. With
  ///     more, the session thread's own part limits the speed.
  ///   - allowance: the number of threads allowed now.
  package init(
    threadCount: Int = min(7, Processors.available - 1),
    allowance: WorkerAllowance = WorkerAllowance(isGranted: true)
  ) {
    mostThreads = threadCount
    self.allowance = allowance
  }

  private var threadCount: Int { min(mostThreads, allowance.threadCount) }

  deinit {
    queue.close()
    for thread in threads { _ = thread.join(atMost: .milliseconds(10_000)) }
  }

  /// Whether the pool never has a worker.
  var isEmpty: Bool { mostThreads == 0 }

  /// Whether the pool may have workers now.
  var isAllowed: Bool { threadCount > 0 }

  /// How many items keep all workers busy.
  var usefulItemCount: Int { 2 * (threadCount + 1) }

  /// Gives `item` to the first free worker.
  func add(_ item: WorkItem) {
    while threads.count < threadCount {
      let queue = queue
      guard let thread = try? SystemThread(named: "worker", { queue.serve() }) else {
        mostThreads = threads.count
        break
      }
      threads.append(thread)
    }
    queue.put(item)
  }

  /// Waits until `item` is done. The calling thread does it if no worker has begun it, and does other items while it
  /// waits.
  func finish(_ item: WorkItem) {
    while !item.isDone {
      if let next = queue.take(preferring: item) {
        next.run()
      } else {
        queue.wait(for: item)
      }
    }
  }

  /// The items that are not begun.
  private final class Queue: Sendable {
    private struct Content {
      var waiting: [WorkItem] = []
      var isClosed = false
    }

    private let content = Mutex(Content())
    private let offered = Semaphore()
    private let finished = ProgressSignal()

    func put(_ item: WorkItem) {
      content.withLock { $0.waiting.append(item) }
      offered.signal()
    }

    func take(preferring item: WorkItem? = nil) -> WorkItem? {
      content.withLock { content in
        if let item, let index = content.waiting.firstIndex(where: { $0 === item }) {
          return content.waiting.remove(at: index)
        }
        return content.waiting.isEmpty ? nil : content.waiting.removeFirst()
      }
    }

    func wait(for item: WorkItem) {
      _ = finished.wait(atMost: nil) { item.isDone }
    }

    func close() {
      content.withLock { $0.isClosed = true }
      offered.signal()
    }

    /// The loop of each worker.
    func serve() {
      while !content.withLock({ $0.isClosed }) {
        if let item = take() {
          // More items may wait for another worker.
          if content.withLock({ !$0.waiting.isEmpty }) { offered.signal() }
          item.run()
          finished.notify()
        } else {
          offered.wait(atMost: .milliseconds(1_000))
        }
      }
      offered.signal()
    }
  }
}

/// A computation for the first free thread.
///
/// It owns its memory exclusively, from its handover to a ``WorkerPool`` until it is done.
final class WorkItem: Sendable {
  private nonisolated(unsafe) let body: () -> Void
  private let done = Atomic(false)

  init(_ body: @escaping () -> Void) { unsafe self.body = body }

  var isDone: Bool { done.load(ordering: .acquiring) }

  /// Does the work. Call it once after each ``reset()``.
  func run() {
    unsafe body()
    done.store(true, ordering: .releasing)
  }

  /// Makes the item ready to be given to a pool again.
  func reset() { done.store(false, ordering: .relaxed) }
}

/// The processors of this machine.
package enum Processors {
  /// How many of them this program may use, at least 1.
  package static var available: Int { max(1, Int(rawaudio_processor_count())) }
}

/// The number of threads that each of several sessions may keep busy beside its own. The owner of the sessions changes
/// it while they run, to share out threads that are no longer needed. Results never depend on it.
///
/// Any thread.
package final class WorkerAllowance: Sendable {
  private let threads: Atomic<Int>

  /// - Parameter threadCount: for each session; `.max` for as many as are useful.
  package init(_ threadCount: Int) { threads = Atomic(threadCount) }

  /// Allows as many threads as are useful, or none.
  package convenience init(isGranted: Bool) { self.init(isGranted ? .max : 0) }

  package var threadCount: Int {
    get { threads.load(ordering: .relaxed) }
    set { threads.store(newValue, ordering: .relaxed) }
  }

  package var isGranted: Bool { threadCount > 0 }
}
