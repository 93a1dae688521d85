internal import Glibc

/// The largest magnitude that a stream has between its samples, too: ITU-R BS.1770-4, annex 2.
///
/// Interpolates by 4 below 96 kHz and by 2 below 192 kHz, by a sinc under a Hann window over 48 of the resulting
/// samples: libebur128's filter, so that both read the same. A group of samples whose largest magnitude, times the sum
/// of the magnitudes of the coefficients, does not reach the peak so far is left out, which is exact.
@safe
final class TruePeakFilter {
  /// Interpolated samples between two of the stream.
  let phaseCount: Int
  private let tapCount: Int
  /// One row for each phase.
  private let coefficients: UnsafeMutablePointer<Float>
  /// The largest sum of magnitudes of a row, rounded up.
  private let bound: Float

  /// - Parameter sampleRate: in hertz.
  init(sampleRate: Int) {
    let factor = sampleRate < 96_000 ? 4 : sampleRate < 192_000 ? 2 : 1
    let (phaseCount, tapCount) = (factor - 1, 48 / factor)
    self.phaseCount = phaseCount
    self.tapCount = tapCount
    unsafe coefficients = .allocate(capacity: max(1, phaseCount * tapCount))
    var bound = 0.0
    for phase in 0..<phaseCount {
      var sum = 0.0
      for tap in 0..<tapCount {
        let place = tap * factor + phase + 1
        let angle = Double(place - 24) * .pi / Double(factor)
        let window = 0.5 * (1 - cos(2 * .pi * Double(place) / 48))
        let value = (angle == 0 ? 1 : sin(angle) / angle) * window
        unsafe (coefficients + phase * tapCount + tap).initialize(to: Float(value))
        sum += abs(value)
      }
      bound = max(bound, sum)
    }
    self.bound = Float(bound * 1.000_01)
  }

  deinit { unsafe coefficients.deallocate() }

  /// The largest magnitude of the interpolated samples of a block, or of `peak` where none is larger.
  ///
  /// - Parameters:
  ///   - samples: `TruePeakReach.margin` samples that come before the block lie in front of it, and `TruePeakReach.group` behind it may be
  ///     read.
  ///   - count: the length of the block.
  ///   - groupPeaks: the largest magnitude of each group of the block, as bits.
  ///   - peak: the largest so far.
  @_noAllocation @_noLocks
  func peak(
    _ samples: UnsafePointer<Float>, count: Int, _ groupPeaks: UnsafePointer<Int32>,
    atLeast peak: Float
  ) -> Float {
    var peak = peak
    // The two groups before reach as far back as the filter does.
    var earlier = unsafe largestMagnitudeBits(
      samples - TruePeakReach.margin, count: TruePeakReach.margin)
    var last = earlier
    var start = 0
    var group = 0
    while start < count {
      let own = unsafe groupPeaks[group]
      let largest = Float(bitPattern: UInt32(bitPattern: max(own, max(earlier, last))))
      if largest * bound > peak {
        let length = min(TruePeakReach.group, count &- start)
        peak = unsafe max(peak, interpolatedPeak(samples + start, count: length))
      }
      earlier = last
      last = own
      start &+= TruePeakReach.group
      group &+= 1
    }
    return peak
  }

  /// The largest magnitude of what lies in front of `count` samples, at most a group.
  @_noAllocation @_noLocks
  private func interpolatedPeak(_ samples: UnsafePointer<Float>, count: Int) -> Float {
    var largest = SIMD16<Int32>.zero
    var phase = 0
    while phase < phaseCount {
      let row = unsafe coefficients + phase &* tapCount
      // Two sums, because one would wait for itself.
      var even = SIMD16<Float>.zero
      var odd = SIMD16<Float>.zero
      var tap = 0
      while tap < tapCount {
        unsafe even += lanesOf(samples - tap, 0) * SIMD16(repeating: row[tap])
        unsafe odd += lanesOf(samples - tap - 1, 0) * SIMD16(repeating: row[tap + 1])
        tap &+= 2
      }
      let bits = unsafe unsafeBitCast(even + odd, to: SIMD16<Int32>.self) & SIMD16(repeating: .max)
      largest.replace(with: bits, where: bits .> largest)
      phase &+= 1
    }
    if count < TruePeakReach.group {
      for lane in count..<TruePeakReach.group { largest[lane] = 0 }
    }
    return Float(bitPattern: UInt32(bitPattern: largest.max()))
  }
}

/// The largest magnitude as the bits of a `Float`, whose order is that of integers; what is not a number is above all
/// others.
@_noAllocation @_noLocks
func largestMagnitudeBits(_ samples: UnsafePointer<Float>, count: Int) -> Int32 {
  var largest: Int32 = 0
  for index in 0..<count {
    let bits = unsafe Int32(bitPattern: samples[index].bitPattern & 0x7FFF_FFFF)
    largest = max(largest, bits)
  }
  return largest
}

/// What a ``TruePeakFilter`` reads at a time.
enum TruePeakReach {
  /// Samples that are computed, or left out, together.
  static var group: Int {
    @_noAllocation @_noLocks get { 16 }
  }
  /// Samples in front of a block that its outputs need, and some.
  static var margin: Int {
    @_noAllocation @_noLocks get { 24 }
  }
}
