// SPDX-License-Identifier: Apache-2.0
/// The filters that interpolate between two samples.
@safe
package struct TruePeakPhases {
  package let count: Int
  package let tapCount: Int
  /// A row for each phase.
  package let coefficients: UnsafePointer<Float>
  /// For each phase of the first half the even and the odd part of its row, by turns, half as many taps each; then the
  /// even part of the middle phase, whose row is even.
  package let halves: UnsafePointer<Float>
  /// The largest sum of magnitudes of a row, rounded up.
  package let bound: Float

  package init(
    count: Int, tapCount: Int, coefficients: UnsafePointer<Float>, halves: UnsafePointer<Float>,
    bound: Float
  ) {
    self.count = count
    self.tapCount = tapCount
    unsafe self.coefficients = coefficients
    unsafe self.halves = halves
    self.bound = bound
  }
}

/// The largest magnitude of the interpolated samples of a block, or `peak` if none is larger.
///
/// - Parameters:
///   - samples: `TruePeakWindow.margin` earlier samples precede the block, and `TruePeakWindow.group` behind it are
///     readable.
///   - count: the length of the block.
///   - groupPeaks: the largest magnitude of each group of the block, as bits.
///   - peak: the largest so far.
@_noAllocation @_noLocks
func interpolatedPeak(
  _ samples: UnsafePointer<Float>, count: Int, _ groupPeaks: UnsafePointer<Int32>,
  _ phases: TruePeakPhases, atLeast peak: Float
) -> Float {
  var peak = peak
  // The filter reaches back over the two groups before.
  var earlier = unsafe largestMagnitudeBits(
    samples - TruePeakWindow.margin, count: TruePeakWindow.margin)
  var last = earlier
  var start = 0
  var group = 0
  while start < count {
    let own = unsafe groupPeaks[group]
    let largest = Float(bitPattern: UInt32(bitPattern: max(own, max(earlier, last))))
    if largest * phases.bound > peak {
      let length = min(TruePeakWindow.group, count &- start)
      peak = unsafe max(peak, interpolatedPeak(samples + start, count: length, phases))
    }
    earlier = last
    last = own
    start &+= TruePeakWindow.group
    group &+= 1
  }
  return peak
}

/// For each sample of a block, the largest magnitude of the interpolated samples whose newest input it is, or 0 for a
/// whole group that cannot reach `threshold`.
///
/// - Parameters:
///   - samples: as for ``interpolatedPeak(_:count:_:_:atLeast:)``. It may precede the groups' samples by up to the
///     excess of two groups over a row of coefficients.
///   - envelope: raised to the found magnitudes; `count` magnitudes, rounded up to whole groups.
@_noAllocation @_noLocks
func interpolatedMagnitudes(
  _ samples: UnsafePointer<Float>, count: Int, _ groupPeaks: UnsafePointer<Int32>, earlier: Int32,
  _ phases: TruePeakPhases, reaching threshold: Float, into envelope: UnsafeMutablePointer<Float>
) {
  var earlier = earlier
  var last = earlier
  var start = 0
  var group = 0
  while start < count {
    let own = unsafe groupPeaks[group]
    let largest = Float(bitPattern: UInt32(bitPattern: max(own, max(earlier, last))))
    // NaN fails every comparison and is processed, too.
    if !(largest * phases.bound <= threshold) {
      unsafe addMagnitudes(samples + start, phases, to: envelope + start)
    }
    earlier = last
    last = own
    start &+= TruePeakWindow.group
    group &+= 1
  }
}

/// Raises peaks to the magnitudes of samples and of the interpolated samples on both sides of each. NaN raises none.
///
/// - Parameters:
///   - between: the magnitudes behind each sample; the one in front of the first sample precedes them.
/// - Returns: whether a peak is above `threshold`.
@_noAllocation @_noLocks
func raise(
  _ peaks: UnsafeMutablePointer<Float>, count: Int, to samples: UnsafePointer<Float>,
  between: UnsafePointer<Float>, threshold: Float
) -> Bool {
  var isAbove = SIMDMask<SIMD16<Int32>>(repeating: false)
  var index = 0
  while index &+ 16 <= count {
    var peak = unsafe lanesOf(UnsafePointer(peaks), index)
    let here = unsafe magnitude(lanesOf(samples, index))
    let (left, right) = unsafe (lanesOf(between, index &- 1), lanesOf(between, index))
    peak.replace(with: here, where: here .> peak)
    peak.replace(with: left, where: left .> peak)
    peak.replace(with: right, where: right .> peak)
    isAbove .|= peak .> SIMD16(repeating: threshold)
    unsafe UnsafeMutableRawPointer(peaks + index).storeBytes(of: peak, as: SIMD16<Float>.self)
    index &+= 16
  }
  var isLoud = any(isAbove)
  while index < count {
    var peak = unsafe peaks[index]
    let (here, left, right) = unsafe (
      samples[index].magnitude, between[index &- 1], between[index]
    )
    if here > peak { peak = here }
    if left > peak { peak = left }
    if right > peak { peak = right }
    unsafe peaks[index] = peak
    if peak > threshold { isLoud = true }
    index &+= 1
  }
  return isLoud
}

/// Raises the magnitudes of one group.
///
/// The rows of two phases mirror each other, h and h′ with h′[k] = h[n − 1 − k]. With the sum of the products of h's even
/// part, e, and that of its odd part, o, they give e + o and e − o, of which the larger magnitude is |e| + |o|.
@_noAllocation @_noLocks
private func addMagnitudes(
  _ samples: UnsafePointer<Float>, _ phases: TruePeakPhases,
  to envelope: UnsafeMutablePointer<Float>
) {
  var largest = unsafe lanesOf(UnsafePointer(envelope), 0)
  let half = phases.tapCount / 2
  let oldest = unsafe samples - (phases.tapCount &- 1)
  var row = unsafe phases.halves
  var pair = 0
  while pair < phases.count / 2 {
    var even = SIMD16<Float>.zero
    var odd = SIMD16<Float>.zero
    for tap in 0..<half {
      let (newer, older) = unsafe (lanesOf(samples - tap, 0), lanesOf(oldest + tap, 0))
      unsafe even += (newer + older) * SIMD16(repeating: row[2 &* tap])
      unsafe odd += (newer - older) * SIMD16(repeating: row[2 &* tap &+ 1])
    }
    let magnitudes = magnitude(even) + magnitude(odd)
    largest.replace(with: magnitudes, where: magnitudes .> largest)
    unsafe row += 2 &* half
    pair &+= 1
  }
  if phases.count % 2 == 1 {
    var even = SIMD16<Float>.zero
    for tap in 0..<half {
      let (newer, older) = unsafe (lanesOf(samples - tap, 0), lanesOf(oldest + tap, 0))
      unsafe even += (newer + older) * SIMD16(repeating: row[tap])
    }
    let magnitudes = magnitude(even)
    largest.replace(with: magnitudes, where: magnitudes .> largest)
  }
  unsafe UnsafeMutableRawPointer(envelope).storeBytes(of: largest, as: SIMD16<Float>.self)
}

@inline(__always) @_noAllocation @_noLocks
private func magnitude(_ lanes: SIMD16<Float>) -> SIMD16<Float> {
  let bits = unsafe unsafeBitCast(lanes, to: SIMD16<Int32>.self) & SIMD16(repeating: .max)
  return unsafe unsafeBitCast(bits, to: SIMD16<Float>.self)
}

/// The largest interpolated magnitude of `count` samples, at most a group.
@_noAllocation @_noLocks
private func interpolatedPeak(
  _ samples: UnsafePointer<Float>, count: Int, _ phases: TruePeakPhases
) -> Float {
  var largest = SIMD16<Int32>.zero
  var phase = 0
  while phase < phases.count {
    let row = unsafe phases.coefficients + phase &* phases.tapCount
    // Two sums, because additions to a single one would wait for each other.
    var even = SIMD16<Float>.zero
    var odd = SIMD16<Float>.zero
    var tap = 0
    while tap < phases.tapCount {
      unsafe even += lanesOf(samples - tap, 0) * SIMD16(repeating: row[tap])
      unsafe odd += lanesOf(samples - tap - 1, 0) * SIMD16(repeating: row[tap + 1])
      tap &+= 2
    }
    let bits = unsafe unsafeBitCast(even + odd, to: SIMD16<Int32>.self) & SIMD16(repeating: .max)
    largest.replace(with: bits, where: bits .> largest)
    phase &+= 1
  }
  if count < TruePeakWindow.group {
    for lane in count..<TruePeakWindow.group { largest[lane] = 0 }
  }
  var peak: Int32 = 0
  for lane in 0..<16 { peak = max(peak, largest[lane]) }
  return Float(bitPattern: UInt32(bitPattern: peak))
}

/// The largest magnitude as the bits of a `Float`, in the order of integers; NaN is above all others.
@_noAllocation @_noLocks
func largestMagnitudeBits(_ samples: UnsafePointer<Float>, count: Int) -> Int32 {
  var largest: Int32 = 0
  for index in 0..<count {
    let bits = unsafe Int32(bitPattern: samples[index].bitPattern & 0x7FFF_FFFF)
    largest = max(largest, bits)
  }
  return largest
}

/// The extents that a ``TruePeakFilter`` reads at a time.
package enum TruePeakWindow {
  /// Samples that are computed or skipped together.
  package static var group: Int {
    @_noAllocation @_noLocks get { 16 }
  }
  /// Samples before a block that its outputs need: two groups.
  package static var margin: Int {
    @_noAllocation @_noLocks get { 32 }
  }
}
