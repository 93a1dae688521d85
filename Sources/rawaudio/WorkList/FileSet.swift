// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A set of files in constant memory. It contains each inserted file, and very few others by mistake.
///
/// A Bloom filter ("Space/time trade-offs in hash coding with allowable errors", Communications of the ACM 13, 1970) of
/// 8 MiB. With a million files in it, 2 of 10^11 other files are false positives.
struct FileSet: Sendable {
  private var words = [UInt64](repeating: 0, count: 1 << 20)
  /// The bits per file. The optimum is ln 2 times the filter's bits per file, which is 16 at 2.9 million files.
  private static let bitsOfEach: UInt64 = 16

  /// - Returns: whether it may have been in the set before.
  mutating func insert(_ file: FileIdentity) -> Bool {
    var wasThere = true
    for place in Self.places(of: file) {
      let bit: UInt64 = 1 << (place % 64)
      if words[place / 64] & bit == 0 {
        wasThere = false
        words[place / 64] |= bit
      }
    }
    return wasThere
  }

  func mayContain(_ file: FileIdentity) -> Bool {
    Self.places(of: file).allSatisfy { words[$0 / 64] & (1 << ($0 % 64)) != 0 }
  }

  /// The positions of its bits, from two hashes: Kirsch and Mitzenmacher, "Less hashing, same performance", 2006.
  private static func places(of file: FileIdentity) -> some Sequence<Int> {
    let first = mixed(file.number ^ mixed(file.device))
    let second = mixed(first) | 1
    return (0..<bitsOfEach).lazy.map { Int((first &+ $0 &* second) >> 38) }
  }

  /// The step of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
  private static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
