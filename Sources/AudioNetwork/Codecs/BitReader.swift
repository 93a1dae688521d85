// SPDX-License-Identifier: Apache-2.0
/// Reads integers of any number of bits, the highest bit of each byte first.
///
/// A reader that was asked for more than there is gives zeros, and says so by ``hasFailed``: its user checks once.
struct BitReader {
  private let bytes: [UInt8]
  /// Bits that were read.
  private(set) var position = 0
  /// Whether more bits were asked for than there are.
  private(set) var hasFailed = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Bits that were not read.
  var left: Int { bytes.count * 8 - position }

  /// - Parameter count: of bits, 0 to 32.
  mutating func read(_ count: Int) -> Int {
    guard count <= left, !hasFailed else {
      hasFailed = true
      return 0
    }
    var value = 0
    var missing = count
    while missing > 0 {
      let free = 8 - position & 7
      let part = min(free, missing)
      let byte = Int(bytes[position >> 3]) >> (free - part)
      value = value << part | byte & ((1 << part) - 1)
      position += part
      missing -= part
    }
    return value
  }

  mutating func readFlag() -> Bool { read(1) == 1 }

  mutating func skip(_ count: Int) {
    guard count >= 0, count <= left, !hasFailed else {
      hasFailed = true
      return
    }
    position += count
  }

  /// The next `count` bytes, at any bit. Nil if there are fewer.
  mutating func readBytes(_ count: Int) -> [UInt8]? {
    guard count >= 0, count <= left / 8, !hasFailed else {
      hasFailed = true
      return nil
    }
    let first = position >> 3
    let shift = position & 7
    position += count * 8
    if shift == 0 { return Array(bytes[first..<first + count]) }
    return (first..<first + count).map { (index: Int) -> UInt8 in
      let high = bytes[index] << shift
      return high | bytes[index + 1] >> (8 - shift)
    }
  }
}

/// Writes integers of any number of bits, the highest bit of each byte first.
struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var count = 0

  /// - Parameter count: of bits, the lowest ones of `value`.
  mutating func append(_ value: Int, _ count: Int) {
    for index in stride(from: count - 1, through: 0, by: -1) {
      if self.count & 7 == 0 { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(value >> index & 1) << (7 - self.count & 7)
      self.count += 1
    }
  }
}
