// SPDX-License-Identifier: Apache-2.0
/// Bytes on their way between a file and the samples: a block of fixed capacity, first in first out,
/// whose readable part is always contiguous.
///
/// Session thread only.
@safe
package final class ByteQueue {
  private let storage: UnsafeMutableRawBufferPointer
  private var head = 0
  private var tail = 0

  package init(capacity: Int) {
    unsafe storage = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { unsafe storage.deallocate() }

  package var capacity: Int { unsafe storage.count }
  /// Bytes that can be read.
  package var count: Int { tail - head }
  /// Bytes that can be appended.
  package var free: Int { unsafe storage.count - count }

  /// The oldest `byteCount` bytes.
  @_lifetime(borrow self)
  package func readable(_ byteCount: Int) -> RawSpan {
    let span = unsafe RawSpan(_unsafeBytes: storage[head..<head + byteCount])
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// All bytes that can be read.
  package var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: storage[head..<tail])
  }

  /// Drops the oldest `byteCount` bytes.
  package func consume(_ byteCount: Int) {
    precondition(byteCount >= 0 && byteCount <= count)
    head += byteCount
    if head == tail {
      head = 0
      tail = 0
    }
  }

  /// Returns another queue with these bytes and twice the capacity.
  package func doubled() -> ByteQueue {
    let larger = ByteQueue(capacity: 2 * capacity)
    unsafe larger.storage.copyMemory(from: bytes)
    larger.tail = count
    return larger
  }

  /// Appends the bytes that `fill` stores from the start of the free space; `fill` returns their count.
  ///
  /// - Parameter limit: the most bytes that `fill` is offered.
  package func append(
    atMost limit: Int = .max,
    _ fill: (UnsafeMutableRawBufferPointer) throws(AudioError) -> Int
  ) throws(AudioError) -> Int {
    moveToFront()
    let end = unsafe tail + min(limit, storage.count - tail)
    let stored = try unsafe fill(UnsafeMutableRawBufferPointer(rebasing: storage[tail..<end]))
    tail += stored
    return stored
  }

  /// Appends `byteCount` bytes, which must be free; `fill` stores them.
  package func append(exactly byteCount: Int, _ fill: (inout MutableRawSpan) -> Void) {
    precondition(byteCount <= free)
    moveToFront()
    var span = unsafe MutableRawSpan(
      _unsafeBytes: UnsafeMutableRawBufferPointer(rebasing: storage[tail..<tail + byteCount]))
    fill(&span)
    tail += byteCount
  }

  private func moveToFront() {
    guard head > 0 else { return }
    unsafe storage.copyMemory(from: bytes)
    tail -= head
    head = 0
  }
}

extension ByteQueue {
  package convenience init(holding bytes: [UInt8]) {
    self.init(capacity: max(1, bytes.count))
    append(exactly: bytes.count) { target in
      for index in bytes.indices {
        target.storeBytes(of: bytes[index], toByteOffset: index, as: UInt8.self)
      }
    }
  }
}
