// SPDX-License-Identifier: Apache-2.0
/// Bytes that wait for room, oldest first. The memory is allocated when they come and freed when they go.
struct OverflowBuffer {
  private let capacity: Int
  private var blocks: [[UInt8]] = []
  /// The first remaining block, and the number of its bytes that were removed.
  private var start = 0
  private var gone = 0
  private(set) var count = 0

  /// - Parameter capacity: how many bytes it holds at most.
  init(capacity: Int) { self.capacity = capacity }

  var isEmpty: Bool { count == 0 }

  /// Keeps a copy of `bytes`.
  ///
  /// - Returns: false, with nothing kept, if they do not fit.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard count + bytes.count <= capacity else { return false }
    blocks.append(unsafe Array(bytes))
    count += bytes.count
    return true
  }

  /// The rest of the oldest block; nil if there is none.
  var first: ArraySlice<UInt8>? { isEmpty ? nil : blocks[start][gone...] }

  /// Removes `number` bytes of ``first``.
  mutating func removeFirst(_ number: Int) {
    count -= number
    gone += number
    guard gone == blocks[start].count else { return }
    blocks[start] = []
    (start, gone) = (start + 1, 0)
    if isEmpty {
      removeAll()
    } else if start > blocks.count / 2 {
      blocks.removeFirst(start)
      start = 0
    }
  }

  mutating func removeAll() {
    blocks = []
    (start, gone, count) = (0, 0, 0)
  }
}
