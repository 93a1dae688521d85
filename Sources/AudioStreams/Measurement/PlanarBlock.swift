// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Some milliseconds of a stream, channel by channel, in both precisions: the input of the measuring kernels.
@safe
final class PlanarBlock {
  /// The distance between the samples of one channel and the next.
  let stride: Int
  private let singleStride: Int
  private let channelCount: Int
  /// Samples per channel in it.
  private(set) var count = 0
  private let doubles: UnsafeMutablePointer<Double>
  /// The samples as `Float`, behind the last `TruePeakWindow.margin` samples of the previous block.
  private let singleSamples: UnsafeMutablePointer<Float>
  /// The largest magnitude, as bits, of each group of the last scanned channel.
  private let groups: UnsafeMutablePointer<Int32>
  /// The largest magnitude, as bits, of each group of the last `TruePeakWindow.margin` samples.
  private let scratch: UnsafeMutablePointer<Int32>

  /// - Parameter length: the most samples per channel.
  init(channelCount: Int, length: Int) {
    let (margin, group) = (TruePeakWindow.margin, TruePeakWindow.group)
    self.channelCount = channelCount
    stride = length
    singleStride = margin + length + group
    unsafe doubles = .allocate(capacity: channelCount * stride)
    unsafe doubles.initialize(repeating: 0, count: channelCount * stride)
    unsafe singleSamples = .allocate(capacity: channelCount * singleStride)
    unsafe singleSamples.initialize(repeating: 0, count: channelCount * singleStride)
    let groupCount = (length + group - 1) / group
    unsafe groups = .allocate(capacity: groupCount)
    unsafe groups.initialize(repeating: 0, count: groupCount)
    unsafe scratch = .allocate(capacity: margin / group)
    unsafe scratch.initialize(repeating: 0, count: margin / group)
  }

  deinit {
    unsafe doubles.deallocate()
    unsafe singleSamples.deallocate()
    unsafe groups.deallocate()
    unsafe scratch.deallocate()
  }

  var groupPeaks: UnsafePointer<Int32> { unsafe UnsafePointer(groups) }

  func samples(_ channel: Int) -> UnsafeMutablePointer<Double> {
    unsafe doubles + channel * stride
  }

  func singles(_ channel: Int) -> UnsafeMutablePointer<Float> {
    unsafe singleSamples + (channel * singleStride + TruePeakWindow.margin)
  }

  /// Returns the range from the first sample of a channel whose magnitude reaches `threshold` to behind the last one.
  func stretch(_ channel: Int, reaching threshold: Double) -> Range<Int>? {
    let samples = unsafe samples(channel)
    var first = 0
    while first < count, unsafe abs(samples[first]) < threshold { first += 1 }
    guard first < count else { return nil }
    var end = count
    while unsafe abs(samples[end - 1]) < threshold { end -= 1 }
    return first..<end
  }

  /// Takes interleaved samples until the block is full.
  ///
  /// - Returns: how many were taken, across all channels.
  func fill<Sample: AudioSample>(
    _ source: Span<Sample>, from start: Int, upTo length: Int
  ) -> Int {
    let taken = min((source.count - start) / channelCount, length - count)
    guard taken > 0 else { return source.count - start }
    unsafe source.withUnsafeBufferPointer { source in
      guard let samples = source.baseAddress else { return }
      for channel in 0..<channelCount {
        let (doubles, singles) = unsafe (self.samples(channel) + count, singles(channel) + count)
        unsafe KernelTable.current.samples.separate(
          Sample.isDouble, samples + (start + channel), channelCount, taken, doubles, singles)
      }
    }
    count += taken
    return taken * channelCount
  }

  /// Converts the samples of a channel to `Float` again.
  func makeSingles(_ channel: Int) {
    let (from, to) = unsafe (samples(channel), singles(channel))
    for index in 0..<count { unsafe to[index] = Float(from[index]) }
  }

  /// Finds the largest magnitude of every group of a channel.
  ///
  /// - Returns: the largest of all; NaN counts as larger than every number.
  func scan(_ channel: Int) -> Float {
    let bits = unsafe KernelTable.current.levels.scan(singles(channel), count, groups)
    return Float(bitPattern: UInt32(bitPattern: bits))
  }

  /// The largest magnitude, as bits, of the last `TruePeakWindow.margin` samples. They reach in front of a shorter
  /// block.
  func scanEnd(_ channel: Int) -> Int32 {
    let margin = TruePeakWindow.margin
    return unsafe KernelTable.current.levels.scan(
      singles(channel) + (count - margin), margin, scratch)
  }

  /// Empties the block; its last samples stay in front of the next.
  func clear() {
    let margin = TruePeakWindow.margin
    for channel in 0..<channelCount {
      let begin = unsafe singles(channel) - margin
      unsafe memmove(begin, begin + count, margin * MemoryLayout<Float>.stride)
    }
    count = 0
  }
}
