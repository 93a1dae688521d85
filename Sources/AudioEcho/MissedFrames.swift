// SPDX-License-Identifier: Apache-2.0
/// The loudspeaker's frames that a canceller has not had while the microphone gave only zeros: it was muted, or samples
/// were lost. From zeros the canceller would learn that there is no echo. Session thread only.
///
/// The last of them are made good before the next frame, with noise at the microphone that is louder than any echo: the
/// canceller takes it for a voice, and learns nothing.
struct MissedFrames {
  /// Whether the microphone's last frame has only zeros.
  private(set) var isSilent = false
  /// The last frames, in a ring.
  private var frames: [[Int16]]
  private var next = 0
  private var count = 0
  /// The microphone's frames of zeros in a row while something was played: in a pause of both there is nothing to learn.
  private var zeros = 0
  /// The microphone's peak, which falls slowly.
  private var peak = 0.0
  private var noise: [Int16]
  private var random: UInt64 = 1

  /// The frames of zeros that the canceller may learn from. Of an attenuation of 28 dB in the next second, a gap of
  /// 0.1 s costs less than 1 dB, and one of 0.3 s costs 12 dB.
  private static let harmless = 10

  /// - Parameters:
  ///   - count: the frames that the canceller remembers.
  ///   - played: the samples of a frame, across all channels of the loudspeaker.
  ///   - near: those of the microphone.
  init(count: Int, played: Int, near: Int) {
    frames = Array(repeating: Array(repeating: 0, count: played), count: count)
    noise = Array(repeating: 0, count: near)
  }

  /// Takes the next frame.
  ///
  /// - Returns: whether the canceller has to miss it.
  mutating func takes(_ near: [Int16], _ played: [Int16]) -> Bool {
    let largest = near.reduce(0) { max($0, abs(Double($1))) }
    isSilent = largest == 0
    if !isSilent { peak = max(peak * 0.999, largest) }
    if !isSilent { zeros = 0 } else if Self.isAudible(played) { zeros += 1 }
    guard zeros > Self.harmless else { return false }
    for index in played.indices { frames[next][index] = played[index] }
    next = (next + 1) % frames.count
    count = min(count + 1, frames.count)
    return true
  }

  /// Whether a sample reaches −60 dBFS.
  private static func isAudible(_ played: [Int16]) -> Bool {
    played.contains { abs(Int32($0)) > 32 }
  }

  /// Gives the canceller the missed frames.
  ///
  /// - Parameter output: overwritten.
  mutating func makeGood(by canceller: borrowing EchoCanceller, into output: inout [Int16]) {
    let amplitude = min(2 * peak, 30_000)
    while count > 0 {
      for index in noise.indices { noise[index] = Int16(amplitude * uniform()) }
      canceller.cancel(noise, frames[(next + frames.count - count) % frames.count], into: &output)
      count -= 1
    }
  }

  /// A number in ±1. D. E. Knuth, "The Art of Computer Programming", volume 2, 3.3.4: the generator of MMIX.
  private mutating func uniform() -> Double {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(Int64(bitPattern: random)) / 0x1p63
  }
}
