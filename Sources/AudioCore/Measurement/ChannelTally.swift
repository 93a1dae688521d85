internal import Glibc

/// What is added up over the samples of one channel.
struct ChannelTally: Sendable {
  private(set) var samples: Int64 = 0
  private(set) var sum = 0.0
  private(set) var squares = 0.0
  /// The largest magnitude.
  private(set) var peak = 0.0
  /// Runs of at least three samples on one side, at or beyond full scale.
  private(set) var clippedRuns = 0
  /// Samples that are not numbers, or infinite; they were measured as 0.
  private(set) var notFiniteSamples = 0

  /// All samples as integers of 32 bits, put together bit by bit.
  private var bits: UInt64 = 0
  /// Above 0 where a sample is no such integer.
  private var rest = 0.0
  /// How long the run of clipped samples is that goes on, and on which side.
  private var runLength = 0
  private var runIsPositive = false

  /// The largest 16-bit integer: what is larger would be clipped there, and what was clipped there or at more bits has
  /// this or more.
  @_transparent static var fullScale: Double { 32_767.0 / 32_768 }
  @_transparent private static var shortestRun: Int { 3 }

  /// Adds the first of the samples of a block.
  ///
  /// - Parameters:
  ///   - samples: finite.
  ///   - largest: the largest magnitude, rounded to a `Float`.
  @_noAllocation @_noLocks
  mutating func add(_ samples: UnsafePointer<Double>, count: Int, largest: Float) {
    let magnitude = Double(largest)
    if magnitude * 1.000_000_2 >= peak { unsafe findPeak(samples, count: count) }
    if runLength > 0 || magnitude >= 0.999 { unsafe findRuns(samples, count: count) }
    if rest == 0 {
      unsafe addWithBits(samples, count: count)
    } else {
      unsafe addSums(samples, count: count)
    }
    self.samples += Int64(count)
  }

  /// Takes what is not finite out of a block.
  @_noAllocation @_noLocks
  mutating func clean(_ samples: UnsafeMutablePointer<Double>, count: Int) {
    for index in 0..<count where unsafe !(abs(samples[index]) < ChannelTally.limit) {
      unsafe samples[index] = 0
      notFiniteSamples += 1
    }
  }

  /// What is beyond this has no level.
  @_transparent static var limit: Double { 1e38 }

  @_noAllocation @_noLocks
  private mutating func findPeak(_ samples: UnsafePointer<Double>, count: Int) {
    var largest = peak
    for index in 0..<count {
      let magnitude = unsafe abs(samples[index])
      if magnitude > largest { largest = magnitude }
    }
    peak = largest
  }

  @_noAllocation @_noLocks
  private mutating func findRuns(_ samples: UnsafePointer<Double>, count: Int) {
    for index in 0..<count {
      let sample = unsafe samples[index]
      guard abs(sample) >= ChannelTally.fullScale else {
        runLength = 0
        continue
      }
      let isPositive = sample > 0
      runLength = isPositive == runIsPositive ? runLength + 1 : 1
      runIsPositive = isPositive
      if runLength == ChannelTally.shortestRun { clippedRuns += 1 }
    }
  }

  /// Added to a sample, it leaves in the lowest bits of the sum what the sample is as an integer of 32 bits.
  @_transparent private static var aligning: Double { 3 * 1_048_576 }

  @_noAllocation @_noLocks
  private mutating func addWithBits(_ samples: UnsafePointer<Double>, count: Int) {
    let aligning = SIMD8(repeating: ChannelTally.aligning)
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
    sum += sumOfLanes(sums)
    self.squares += sumOfLanes(squares)
    rest += sumOfLanes(rests)
    for lane in 0..<8 { self.bits |= bits[lane] }
    while index < count {
      let sample = unsafe samples[index]
      let aligned = sample + ChannelTally.aligning
      let distance = (aligned - ChannelTally.aligning) - sample
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
    sum += sumOfLanes(sums)
    self.squares += sumOfLanes(squares)
    while index < count {
      let sample = unsafe samples[index]
      sum += sample
      self.squares += sample * sample
      index &+= 1
    }
  }

  /// How many bits the samples need as integers; nil where they are none of 32 bits, or all 0.
  var effectiveBits: Int? {
    let integers = bits & 0xFFFF_FFFF
    return rest > 0 || integers == 0 || samples == 0 ? nil : 32 - integers.trailingZeroBitCount
  }
}
