// SPDX-License-Identifier: Apache-2.0
// Measurements of every sample: peaks, sums, bits.

/// Sums over the samples of one channel.
package struct SampleSums: Sendable {
  package var sum = 0.0
  package var squares = 0.0
  /// All samples as integers of 32 bits, combined by OR.
  package var bits: UInt64 = 0
  /// Above 0 if a sample is no such integer.
  package var rest = 0.0

  package init() {}

  /// Its sum with a sample holds the sample's 32-bit integer in the lowest bits.
  @_transparent private static var aligning: Double { 3 * 1_048_576 }

  /// - Parameter withBits: whether ``bits`` and ``rest`` are wanted, too.
  @_noAllocation @_noLocks
  mutating func add(_ samples: UnsafePointer<Double>, count: Int, withBits: Bool) {
    if withBits {
      unsafe addWithBits(samples, count: count)
    } else {
      unsafe addSums(samples, count: count)
    }
  }

  @_noAllocation @_noLocks
  private mutating func addWithBits(_ samples: UnsafePointer<Double>, count: Int) {
    let aligning = SIMD8(repeating: SampleSums.aligning)
    var sums = SIMD8<Double>.zero
    var squares = SIMD8<Double>.zero
    var rests = SIMD8<Double>.zero
    var bits = SIMD8<UInt64>.zero
    var index = 0
    while index &+ 8 <= count {
      let lanes = unsafe lanesOf(samples, index)
      sums += lanes
      squares += lanes * lanes
      let aligned = lanes + aligning
      unsafe bits |= unsafeBitCast(aligned, to: SIMD8<UInt64>.self)
      let rest = (aligned - aligning) - lanes
      rests += rest * rest
      index &+= 8
    }
    sum += sums.sum
    self.squares += squares.sum
    rest += rests.sum
    for lane in 0..<8 { self.bits |= bits[lane] }
    while index < count {
      let sample = unsafe samples[index]
      let aligned = sample + SampleSums.aligning
      let distance = (aligned - SampleSums.aligning) - sample
      sum += sample
      self.squares += sample * sample
      rest += distance * distance
      self.bits |= aligned.bitPattern
      index &+= 1
    }
  }

  @_noAllocation @_noLocks
  private mutating func addSums(_ samples: UnsafePointer<Double>, count: Int) {
    var sums = SIMD8<Double>.zero
    var squares = SIMD8<Double>.zero
    var index = 0
    while index &+ 8 <= count {
      let lanes = unsafe lanesOf(samples, index)
      sums += lanes
      squares += lanes * lanes
      index &+= 8
    }
    sum += sums.sum
    self.squares += squares.sum
    while index < count {
      let sample = unsafe samples[index]
      sum += sample
      self.squares += sample * sample
      index &+= 1
    }
  }
}

/// Finds the largest magnitude of each group of samples, as bits.
///
/// - Returns: the largest of all, as bits.
@_noAllocation @_noLocks
func scanGroups(
  _ samples: UnsafePointer<Float>, count: Int, into groups: UnsafeMutablePointer<Int32>
) -> Int32 {
  var largest: Int32 = 0
  var (start, group) = (0, 0)
  while start < count {
    let length = min(TruePeakWindow.group, count &- start)
    let own = unsafe largestMagnitudeBits(samples + start, count: length)
    unsafe groups[group] = own
    largest = max(largest, own)
    start &+= length
    group &+= 1
  }
  return largest
}

extension KernelSample {
  /// Copies the samples at multiples of `distance`, in both precisions.
  @inline(__always)
  static func separate(
    _ samples: UnsafePointer<Self>, apart distance: Int, count: Int,
    _ doubles: UnsafeMutablePointer<Double>, _ singles: UnsafeMutablePointer<Float>
  ) {
    var place = 0
    for index in 0..<count {
      let sample = unsafe samples[place]
      unsafe doubles[index] = sample.asDouble
      unsafe singles[index] = sample.asFloat
      place &+= distance
    }
  }
}
