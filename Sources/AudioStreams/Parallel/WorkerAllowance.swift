// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// How many threads beside its own each of several sessions may keep busy. Who runs them changes it while they run:
/// what one does not need any more the others may use. What they compute never depends on it.
///
/// Any thread.
package final class WorkerAllowance: Sendable {
  private let threads: Atomic<Int>

  /// - Parameter threadCount: for each session; `.max` for as many as are useful.
  package init(_ threadCount: Int) { threads = Atomic(threadCount) }

  /// As many as are useful, or none.
  package convenience init(isGranted: Bool) { self.init(isGranted ? .max : 0) }

  package var threadCount: Int {
    get { threads.load(ordering: .relaxed) }
    set { threads.store(newValue, ordering: .relaxed) }
  }

  package var isGranted: Bool { threadCount > 0 }
}
