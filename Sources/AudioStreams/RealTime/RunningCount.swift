// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A count that any thread may add to and read at any time, without a lock. It says nothing about other memory.
package struct RunningCount: ~Copyable, Sendable {
  private let count = Atomic<Int64>(0)

  package init() {}

  package var total: Int64 {
    @_noAllocation @_noLocks get { count.load(ordering: .relaxed) }
  }

  @_noAllocation @_noLocks
  package func add(_ number: Int64) { count.wrappingAdd(number, ordering: .relaxed) }

  @_noAllocation @_noLocks
  package func set(_ number: Int64) { count.store(number, ordering: .relaxed) }

  /// Returns the count so far, and begins again from 0.
  package func take() -> Int64 { count.exchange(0, ordering: .relaxed) }
}

extension Array {
  /// Returns all elements and leaves none, such as those of a list that another thread fills under a lock.
  package mutating func takeAll() -> [Element] {
    defer { self = [] }
    return self
  }
}
