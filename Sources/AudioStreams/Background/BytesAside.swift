// SPDX-License-Identifier: Apache-2.0
/// Bytes that wait for room, oldest first. The memory is taken when they come and given back when they go.
struct BytesAside {
  private let capacity: Int
  private var blocks: [[UInt8]] = []
  /// The first block that is still there, and how much of that has gone.
  private var start = 0
  private var gone = 0
  private(set) var count = 0

  /// - Parameter capacity: how many bytes it holds at most.
  init(capacity: Int) { self.capacity = capacity }

  var isEmpty: Bool { count == 0 }

  /// Keeps a copy of `bytes`.
  ///
  /// - Returns: false, and nothing is kept, where they do not fit.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard count + bytes.count <= capacity else { return false }
    blocks.append(unsafe Array(bytes))
    count += bytes.count
    return true
  }

  /// The oldest ones; nil where there are none.
  var first: ArraySlice<UInt8>? { isEmpty ? nil : blocks[start][gone...] }

  /// Lets go of so many of ``first``.
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
