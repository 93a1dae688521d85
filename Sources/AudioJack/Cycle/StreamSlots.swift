// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The streams of a client that its cycles serve. Any thread may add and remove some; the server's thread reads them
/// without counting references, so a stream must outlive the cycles that may still see it.
@safe
struct StreamSlots: ~Copyable, Sendable {
  /// The most streams of one direction.
  static var count: Int {
    @inline(__always) @_noAllocation @_noLocks get { 16 }
  }

  private nonisolated(unsafe) let slots: UnsafeMutablePointer<Atomic<UnsafeMutableRawPointer?>>

  init() {
    unsafe slots = .allocate(capacity: Self.count)
    for index in 0..<Self.count { unsafe (slots + index).initialize(to: Atomic(nil)) }
  }

  deinit {
    unsafe slots.deinitialize(count: Self.count)
    unsafe slots.deallocate()
  }

  /// - Returns: false if every slot is taken.
  func add(_ stream: AnyObject) -> Bool {
    let place = unsafe Unmanaged.passUnretained(stream).toOpaque()
    for index in 0..<Self.count {
      let (isMine, _) = unsafe slots[index].compareExchange(
        expected: nil, desired: place, ordering: .acquiringAndReleasing)
      if isMine { return true }
    }
    return false
  }

  /// Empties the slot of a stream. ``CyclePasses/waitForPresent(atMost:)`` then waits for cycles that still see it.
  func remove(_ stream: AnyObject) {
    let place = unsafe Unmanaged.passUnretained(stream).toOpaque()
    for index in 0..<Self.count {
      _ = unsafe slots[index].compareExchange(
        expected: place, desired: nil, ordering: .sequentiallyConsistent)
    }
  }

  /// The stream of a slot; nil in an empty one. Server's thread only.
  @_noAllocation @_noLocks
  func place(at index: Int) -> UnsafeMutableRawPointer? {
    unsafe slots[index].load(ordering: .sequentiallyConsistent)
  }
}
