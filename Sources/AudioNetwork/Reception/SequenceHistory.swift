// SPDX-License-Identifier: Apache-2.0
/// The sequence numbers of one sender's stream, unwrapped from 16 bits, and the last of them that came.
struct SequenceHistory {
  /// The numbers that are remembered: more than a jitter buffer holds.
  static let length = 4_096

  /// The highest number so far.
  private(set) var highest: Int64
  /// Bit `number % length` is set if that number came.
  private var bits = [UInt64](repeating: 0, count: length / 64)

  init(_ first: UInt16) {
    highest = Int64(first)
    insert(highest)
  }

  /// The unwrapped number that is nearest to the highest one.
  func unwrapped(_ number: UInt16) -> Int64 {
    highest + Int64(Int16(bitPattern: number &- UInt16(truncatingIfNeeded: highest)))
  }

  /// Whether this number came; also true if it is too old to be remembered.
  func contains(_ number: Int64) -> Bool {
    if number > highest { return false }
    if highest - number >= Int64(Self.length) { return true }
    let (word, bit) = Self.place(number)
    return bits[word] & bit != 0
  }

  mutating func insert(_ number: Int64) {
    if number > highest {
      if number - highest >= Int64(Self.length) {
        bits = [UInt64](repeating: 0, count: Self.length / 64)
      } else {
        for skipped in highest + 1..<number {
          let (word, bit) = Self.place(skipped)
          bits[word] &= ~bit
        }
      }
      highest = number
    } else if highest - number >= Int64(Self.length) {
      return
    }
    let (word, bit) = Self.place(number)
    bits[word] |= bit
  }

  private static func place(_ number: Int64) -> (word: Int, bit: UInt64) {
    let index = Int(truncatingIfNeeded: number) & (length - 1)
    return (index / 64, 1 << UInt64(index % 64))
  }
}
