// SPDX-License-Identifier: Apache-2.0
/// Random numbers that repeat in every run: SplitMix64 (https://prng.di.unimi.it/splitmix64.c).
struct Noise: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  /// Returns samples from −`peak` to `peak`.
  mutating func samples(_ count: Int, peak: Int) -> [Int16] {
    (0..<count).map { _ in Int16(Int(next() % UInt64(2 * peak + 1)) - peak) }
  }
}
