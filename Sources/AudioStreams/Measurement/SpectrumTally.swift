// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The mean spectrum of channels, to find their bandwidth: it takes 2,048 samples of every second.
struct SpectrumTally: Sendable {
  private static let length = 2_048
  /// The lowest level of sound in a bin, in dBFS: above the noise of rounding to 16 bits, with or without dither.
  private static let floor = -110.0
  /// The window's leakage, in decibels relative to the loudest bin.
  private static let leakage = -90.0

  private let sampleRate: Int
  private let transform = FourierTransform<Complex>(size: length)
  /// The gathered samples of each channel.
  private var gathered: [[Double]]
  private var gatheredCount = 0
  /// The sum of powers of each channel and bin; a sine of full scale has power 1.
  private var powers: [[Double]]
  private var spectrumCount = 0
  private var untilNext = 0
  /// Its side lobes are below −92 dB.
  private let window = SpectrumWindow.blackman.values(length)

  init(sampleRate: Int, channelCount: Int) {
    self.sampleRate = sampleRate
    gathered = Array(
      repeating: Array(repeating: 0, count: Self.length), count: channelCount)
    powers = Array(
      repeating: Array(repeating: 0, count: Self.length / 2), count: channelCount)
  }

  /// Takes the next block: `count` samples of each channel, `stride` apart.
  mutating func add(_ samples: UnsafePointer<Double>, stride: Int, count: Int) {
    var start = min(untilNext, count)
    untilNext -= start
    while start < count {
      let taken = min(count - start, Self.length - gatheredCount)
      for channel in gathered.indices {
        for index in 0..<taken {
          gathered[channel][gatheredCount + index] = unsafe samples[
            channel * stride + start + index]
        }
      }
      gatheredCount += taken
      start += taken
      guard gatheredCount == Self.length else { return }
      transformGathered()
      untilNext = max(0, sampleRate - Self.length)
      let passed = min(untilNext, count - start)
      untilNext -= passed
      start += passed
    }
  }

  /// Transforms the gathered samples of a stream that is shorter than one spectrum.
  mutating func finish() {
    guard spectrumCount == 0, gatheredCount > 0 else { return }
    for channel in gathered.indices {
      for index in gatheredCount..<Self.length { gathered[channel][index] = 0 }
    }
    transformGathered()
  }

  /// Transforms two channels at once, as the parts of complex numbers.
  private mutating func transformGathered() {
    gatheredCount = 0
    spectrumCount += 1
    for first in Swift.stride(from: 0, to: gathered.count, by: 2) {
      let second = min(first + 1, gathered.count - 1)
      var values = [Complex](repeating: Complex(), count: Self.length)
      for index in 0..<Self.length {
        values[transform.places[index]].parts =
          SIMD2(gathered[first][index], gathered[second][index]) * window[index]
      }
      transform.apply(to: &values)
      for bin in 1..<Self.length / 2 {
        let value = values[bin].parts
        let mirrored = values[Self.length - bin].parts
        let own = SIMD2(value.x + mirrored.x, value.y - mirrored.y) / 2
        let other = SIMD2(value.y + mirrored.y, mirrored.x - value.x) / 2
        powers[first][bin] += (own * own).sum()
        if second != first { powers[second][bin] += (other * other).sum() }
      }
    }
  }

  /// The highest frequency, in hertz, at which a channel has sound: a bin above −110 dBFS and less than 90 dB below the
  /// loudest one. Nil if there is none.
  func bandwidth(ofChannel channel: Int) -> Double? {
    guard spectrumCount > 0 else { return nil }
    let means = powers[channel].map { $0 / Double(spectrumCount) }
    let loudest = means.max() ?? 0
    let threshold = max(pow(10, Self.floor / 10), loudest * pow(10, Self.leakage / 10))
    guard let bin = means.lastIndex(where: { $0 >= threshold }) else { return nil }
    return Double(bin) * Double(sampleRate) / Double(Self.length)
  }
}
