// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The sums and counts over the samples of one channel.
package struct ChannelTally: Sendable {
  private(set) var samples: Int64 = 0
  private var sums = SampleSums()
  var sum: Double { sums.sum }
  var squares: Double { sums.squares }
  /// The largest magnitude.
  private(set) var peak = 0.0
  /// Runs of at least three samples on one side, at or beyond full scale.
  private(set) var clippedRuns = 0
  /// Samples that are NaN, infinite or beyond ``limit``; they are measured as 0.
  private(set) var notFiniteSamples = 0

  /// The length of the present run of clipped samples, and its side.
  private var runLength = 0
  private var runIsPositive = false
  /// Whether the runs of the next block are counted already.
  private var knowsRuns = false

  /// The largest 16-bit integer: larger samples clip at 16 bits, and samples that were clipped at 16 bits or more reach
  /// it.
  @_transparent package static var fullScale: Double { 32_767.0 / 32_768 }
  @_transparent private static var shortestRun: Int { 3 }

  /// Adds the first `count` samples of a block.
  ///
  /// - Parameters:
  ///   - samples: finite.
  ///   - largest: the largest magnitude, rounded to a `Float`.
  mutating func add(_ samples: UnsafePointer<Double>, count: Int, largest: Float) {
    let magnitude = Double(largest)
    if magnitude * 1.000_000_2 >= peak { unsafe findPeak(samples, count: count) }
    if !knowsRuns, runLength > 0 || magnitude >= 0.999 { unsafe findRuns(samples, count: count) }
    knowsRuns = false
    unsafe KernelTable.current.levels.sum(samples, count, &sums, sums.rest == 0)
    self.samples += Int64(count)
  }

  /// Sets the samples of a block that are not finite to 0, before the block is added. An infinity still counts as
  /// clipped.
  ///
  /// - Returns: from the first of these samples to behind the last one.
  @_noAllocation @_noLocks
  mutating func clean(_ samples: UnsafeMutablePointer<Double>, count: Int) -> Range<Int> {
    unsafe findRuns(samples, count: count)
    knowsRuns = true
    var first = count
    var end = count
    for index in 0..<count where unsafe !(abs(samples[index]) < ChannelTally.limit) {
      unsafe samples[index] = 0
      notFiniteSamples += 1
      first = min(first, index)
      end = index + 1
    }
    return first..<end
  }

  /// Samples from this magnitude on have no level.
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

  /// How many bits the samples need as integers; nil if they need more than 32 bits, or are all 0.
  var effectiveBits: Int? {
    guard notFiniteSamples == 0 else { return nil }
    let integers = sums.bits & 0xFFFF_FFFF
    return sums.rest > 0 || integers == 0 || samples == 0 ? nil : 32 - integers.trailingZeroBitCount
  }
}

/// Finds channels with equal samples, and the correlation of two channels.
struct ChannelCorrelation: Sendable {
  /// For each channel, the earlier channels with equal samples so far.
  private var candidates: [[Int]]
  private var product = 0.0

  init(channelCount: Int) { candidates = (0..<channelCount).map { Array(0..<$0) } }

  /// Takes the next samples of each channel, `stride` apart.
  mutating func add(_ samples: UnsafePointer<Double>, stride: Int, _ count: Int) {
    for channel in candidates.indices where !candidates[channel].isEmpty {
      candidates[channel].removeAll { other in
        unsafe memcmp(
          samples + channel * stride, samples + other * stride, count * MemoryLayout<Double>.stride)
          != 0
      }
    }
    guard candidates.count == 2 else { return }
    var sum = 0.0
    unsafe KernelTable.current.samples.dotProduct(true, samples, samples + stride, count, &sum)
    product += sum
  }

  /// The first channel with equal samples.
  func twin(of channel: Int) -> Int? { candidates[channel].first }

  /// The correlation of two channels: 1 for equal and −1 for opposite samples.
  func correlation(_ tallies: [ChannelTally]) -> Double? {
    guard tallies.count == 2 else { return nil }
    let energy = (tallies[0].squares * tallies[1].squares).squareRoot()
    return energy > 0 ? max(-1, min(1, product / energy)) : nil
  }
}
