internal import Glibc

/// The mean spectrum of channels, to find how far up there is sound: 2,048 samples of every second are looked at.
struct SpectrumTally: Sendable {
  private static let length = 2_048
  /// Of a spectrum's bin, in dBFS: above what rounding to 16 bits leaves, with dither or without.
  private static let floor = -110.0
  /// Below the loudest bin: what the window leaks.
  private static let leakage = -90.0

  private let sampleRate: Int
  private let transform = FourierTransform(count: length)
  /// Of each channel: what is gathered now.
  private var gathered: [[Double]]
  private var gatheredCount = 0
  /// Of each channel, of each bin: the sum of powers, where a sine of full scale has 1.
  private var powers: [[Double]]
  private var spectrumCount = 0
  private var untilNext = 0
  private let window: [Double]

  init(sampleRate: Int, channelCount: Int) {
    self.sampleRate = sampleRate
    gathered = Array(
      repeating: Array(repeating: 0, count: Self.length), count: channelCount)
    powers = Array(
      repeating: Array(repeating: 0, count: Self.length / 2), count: channelCount)
    // Blackman and Harris, 1978, four terms: side lobes 92 dB down.
    let terms = [0.35875, -0.48829, 0.14128, -0.01168]
    window = (0..<Self.length).map { index in
      let angle = 2 * Double.pi * Double(index) / Double(Self.length)
      return terms.indices.reduce(0) { $0 + terms[$1] * cos(angle * Double($1)) }
    }
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

  /// Takes what is gathered of a stream that is shorter than one spectrum.
  mutating func finish() {
    guard spectrumCount == 0, gatheredCount > 0 else { return }
    for channel in gathered.indices {
      for index in gatheredCount..<Self.length { gathered[channel][index] = 0 }
    }
    transformGathered()
  }

  /// Two channels at once, as the parts of complex numbers.
  private mutating func transformGathered() {
    gatheredCount = 0
    spectrumCount += 1
    let scale = 1 / (Double(Self.length) * 0.35875 / 2)
    for first in Swift.stride(from: 0, to: gathered.count, by: 2) {
      let second = min(first + 1, gathered.count - 1)
      var values = (0..<Self.length).map { index in
        SIMD2(gathered[first][index], gathered[second][index]) * (window[index] * scale)
      }
      transform.apply(to: &values)
      for bin in 1..<Self.length / 2 {
        let (value, mirrored) = (values[bin], values[Self.length - bin])
        let own = SIMD2(value.x + mirrored.x, value.y - mirrored.y) / 2
        let other = SIMD2(value.y + mirrored.y, mirrored.x - value.x) / 2
        powers[first][bin] += (own * own).sum()
        if second != first { powers[second][bin] += (other * other).sum() }
      }
    }
  }

  /// The highest frequency, in hertz, at which a channel has sound: a bin above −110 dBFS and less than 90 dB below the
  /// loudest one. Nil where there is none.
  func bandwidth(ofChannel channel: Int) -> Double? {
    guard spectrumCount > 0 else { return nil }
    let means = powers[channel].map { $0 / Double(spectrumCount) }
    let loudest = means.max() ?? 0
    let threshold = max(pow(10, Self.floor / 10), loudest * pow(10, Self.leakage / 10))
    guard let bin = means.lastIndex(where: { $0 >= threshold }) else { return nil }
    return Double(bin) * Double(sampleRate) / Double(Self.length)
  }
}

/// A discrete Fourier transform of a power of two of complex numbers, by Cooley and Tukey, radix 2.
struct FourierTransform: Sendable {
  let count: Int
  private let roots: [SIMD2<Double>]
  private let order: [Int]

  /// - Parameter count: a power of two, at least 2.
  init(count: Int) {
    self.count = count
    roots = (0..<count / 2).map { index in
      let angle = -2 * Double.pi * Double(index) / Double(count)
      return SIMD2(cos(angle), sin(angle))
    }
    let bitCount = count.trailingZeroBitCount
    order = (0..<count).map { index in
      (0..<bitCount).reduce(0) { $0 | ((index >> $1) & 1) << (bitCount - 1 - $1) }
    }
  }

  /// Replaces `count` values by their transform.
  func apply(to values: inout [SIMD2<Double>]) {
    for index in 0..<count where order[index] > index { values.swapAt(index, order[index]) }
    var half = 1
    while half < count {
      let step = count / (2 * half)
      for start in stride(from: 0, to: count, by: 2 * half) {
        for place in 0..<half {
          let root = roots[place * step]
          let value = values[start + place + half]
          let turned = SIMD2(
            value.x * root.x - value.y * root.y, value.x * root.y + value.y * root.x)
          let other = values[start + place]
          values[start + place] = other + turned
          values[start + place + half] = other - turned
        }
      }
      half *= 2
    }
  }
}
