// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A lock-free first-in first-out ring between one writing and one reading thread.
///
/// It holds bytes in whole sample frames, as a device stores them, so that a device thread moves them without looking
/// at them. The memory is allocated once, up front. Both ends work in place: they take the contiguous region, fill or
/// use a part of it, then report its length.
///
/// It is a noncopyable structure, not a class: the compiler accepts no reference counting in the functions that it
/// proves free of locks.
@safe
package struct SampleRing: ~Copyable, Sendable {
  /// Bytes of one sample of every channel.
  package let sampleFrameSize: Int
  /// The size in samples per channel.
  package let capacity: Int

  private nonisolated(unsafe) let storage: UnsafeMutableRawPointer
  /// Samples per channel ever written and ever read; their difference is the ring's fill.
  private let written = Atomic<Int>(0)
  private let consumed = Atomic<Int>(0)

  /// - Parameters:
  ///   - capacity: in samples per channel, at least 1.
  ///   - sampleFrameSize: bytes per sample × channels, at least 1.
  ///   - isTouched: whether a device thread will use it, which must not wait for memory. Otherwise the system provides
  ///     memory only on first use.
  package init(capacity: Int, sampleFrameSize: Int, isTouched: Bool = true) {
    precondition(capacity > 0 && sampleFrameSize > 0)
    self.capacity = capacity
    self.sampleFrameSize = sampleFrameSize
    unsafe storage = .allocate(byteCount: capacity * sampleFrameSize, alignment: 64)
    guard isTouched else { return }
    // Touch every page now, not in the device thread's first pass.
    unsafe storage.initializeMemory(
      as: UInt8.self, repeating: 0, count: capacity * sampleFrameSize)
  }

  deinit { unsafe storage.deallocate() }

  /// How many samples per channel can be read. Any thread; only the writer increases it.
  @_noAllocation @_noLocks
  package func filled() -> Int {
    let consumed = consumed.load(ordering: .acquiring)
    return written.load(ordering: .acquiring) - consumed
  }

  /// How many samples per channel were ever read. Any thread; only the reader increases it.
  @_noAllocation @_noLocks
  package func taken() -> Int { consumed.load(ordering: .acquiring) }

  /// How many samples per channel were ever written. Any thread; only the writer increases it.
  @_noAllocation @_noLocks
  package func given() -> Int { written.load(ordering: .acquiring) }

  /// How many samples per channel can be written. Any thread; only the reader increases it.
  @_noAllocation @_noLocks
  package func free() -> Int { capacity - filled() }
}

extension SampleRing {
  /// The contiguous free bytes that the writer may fill next; empty when the ring is full.
  ///
  /// At the end of the memory this is only a part of the free space: ask again after ``push(_:)``. Writing thread only.
  @_noAllocation @_noLocks
  package func writable() -> UnsafeMutableRawBufferPointer {
    let end = written.load(ordering: .relaxed)
    let held = end - consumed.load(ordering: .acquiring)
    let start = end % capacity
    let count = min(capacity - held, capacity - start)
    return unsafe UnsafeMutableRawBufferPointer(
      start: storage + start * sampleFrameSize, count: count * sampleFrameSize)
  }

  /// The place of the next sample frame to write; nil if at most `reserve` of them are free. Writing thread only.
  @_noAllocation @_noLocks
  package func slot(keeping reserve: Int) -> UnsafeMutableRawPointer? {
    if free() <= reserve { return nil }
    return unsafe writable().baseAddress
  }

  /// Writes and hands over `count` samples per channel, for which there is room. Writing thread only.
  @_noAllocation @_noLocks
  package func append(_ count: Int, from source: UnsafeRawPointer) {
    var done = 0
    while done < count {
      let space = unsafe writable()
      let part = min(space.count / sampleFrameSize, count - done)
      guard let place = space.baseAddress, part > 0 else { return }
      unsafe place.copyMemory(
        from: source + done * sampleFrameSize, byteCount: part * sampleFrameSize)
      push(part)
      done += part
    }
  }

  /// Hands the first `count` samples per channel of ``writable()`` to the reader. Writing thread
  /// only.
  @_noAllocation @_noLocks
  package func push(_ count: Int) {
    written.wrappingAdd(count, ordering: .releasing)
  }

  /// The contiguous bytes that the reader may use next, oldest first; empty if the ring is empty.
  ///
  /// At the end of the memory this is only a part of the held bytes: ask again after ``pop(_:)``. Reading thread only.
  @_noAllocation @_noLocks
  package func readable() -> UnsafeRawBufferPointer {
    let begin = consumed.load(ordering: .relaxed)
    let held = written.load(ordering: .acquiring) - begin
    let start = begin % capacity
    let count = min(held, capacity - start)
    return unsafe UnsafeRawBufferPointer(
      start: storage + start * sampleFrameSize, count: count * sampleFrameSize)
  }

  /// Gives the first `count` samples per channel of ``readable()`` back to the writer. Reading
  /// thread only.
  @_noAllocation @_noLocks
  package func pop(_ count: Int) {
    consumed.wrappingAdd(count, ordering: .releasing)
  }
}

/// A lock-free first-in first-out queue of fixed size between one writing and one reading thread.
///
/// It carries news from a thread that must not allocate: gaps, pauses, readings of a clock. A device thread writes
/// through its ``LiveRing``.
package struct RealTimeQueue<Element: BitwiseCopyable>: ~Copyable, Sendable {
  /// One "sample frame" per element.
  package let ring: SampleRing

  /// - Parameter capacity: how many elements fit, at least 1.
  package init(capacity: Int) {
    ring = SampleRing(capacity: capacity, sampleFrameSize: MemoryLayout<Element>.stride)
  }

  /// Whether another element fits. Any thread; only the reader makes room.
  package var hasRoom: Bool { ring.free() > 0 }

  /// Adds an element. Writing thread only.
  ///
  /// - Returns: false if the queue is full.
  @discardableResult
  package func append(_ element: Element) -> Bool {
    guard let slot = unsafe ring.slot(keeping: 0) else { return false }
    unsafe slot.storeBytes(of: element, as: Element.self)
    ring.push(1)
    return true
  }

  /// The oldest element. Reading thread only.
  package var first: Element? {
    let held = unsafe ring.readable()
    guard let place = held.baseAddress, held.count > 0 else { return nil }
    return unsafe place.load(as: Element.self)
  }

  /// Drops the oldest element, which must be there. Reading thread only.
  package func removeFirst() { ring.pop(1) }

  /// Takes the oldest element. Reading thread only.
  package func takeFirst() -> Element? {
    guard let element = first else { return nil }
    removeFirst()
    return element
  }
}
