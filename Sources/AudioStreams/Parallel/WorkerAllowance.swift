// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

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
