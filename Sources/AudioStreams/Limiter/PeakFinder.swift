// SPDX-License-Identifier: Apache-2.0
/// Finds the largest magnitude at each sample frame and on both sides of it, over all channels.
///
/// Two interpolations look between the samples, and the larger result counts. One is that which BS.1770 requires; the
/// other has a longer filter and up to eight times the rate. Meters with a longer filter read up to 1.6 dB more of a
/// square wave, and a limiter must hold for them, too.
@safe
final class PeakFinder {
  /// The delay of a peak behind its sample frame, in sample frames; 0 from 192 kHz on, without interpolation.
  let delay: Int
  /// The delay at a rate in hertz.
  static func delay(at sampleRate: Int) -> Int { sampleRate < 192_000 ? 16 : 0 }

  private let threshold: Float
  private let near: TruePeakFilter
  private let far: TruePeakFilter
  private let block: PlanarBlock
  private let channelCount: Int
  private let length: Int
  /// The memory of the three below.
  private let memory: UnsafeMutablePointer<Float>
  /// The largest magnitude of each sample frame of a block, delayed by ``delay``.
  private let found: UnsafeMutablePointer<Float>
  /// The magnitudes between the samples of one channel, behind the last one in front of the block.
  private let between: UnsafeMutablePointer<Float>
  /// The last of these magnitudes in each channel.
  private let lastBetween: UnsafeMutablePointer<Float>
  /// The largest magnitude, as bits, of the samples in front of the block in each channel.
  private let earlier: UnsafeMutablePointer<Int32>

  /// - Parameters:
  ///   - threshold: peaks below it may be reported too small.
  ///   - length: the most sample frames of a block.
  init(_ format: StreamFormat, threshold: Float, length: Int) {
    let rate = format.sampleRate
    channelCount = format.channelCount
    self.threshold = threshold
    self.length = length
    near = TruePeakFilter(sampleRate: rate)
    far = TruePeakFilter(longAt: rate)
    delay = Self.delay(at: rate)
    block = PlanarBlock(channelCount: channelCount, length: length)
    let size = 2 * length + 1 + TruePeakWindow.group + channelCount
    unsafe memory = .allocate(capacity: size)
    unsafe memory.initialize(repeating: 0, count: size)
    unsafe found = memory
    unsafe between = memory + length + 1
    unsafe lastBetween = between + length + TruePeakWindow.group
    unsafe earlier = .allocate(capacity: channelCount)
    unsafe earlier.initialize(repeating: 0, count: channelCount)
  }

  deinit {
    unsafe memory.deallocate()
    unsafe earlier.deallocate()
  }

  /// The largest magnitude of each sample frame of the last block that was loud, delayed by ``delay``.
  var peaks: UnsafePointer<Float> { unsafe UnsafePointer(found) }

  /// Takes interleaved samples from `start` on until the block is full.
  ///
  /// - Returns: how many samples were taken, over all channels; how many sample frames these are; and whether ``peaks``
  ///   may be above the threshold. If not, ``peaks`` is stale.
  func find<Sample: AudioSample>(
    in samples: Span<Sample>, from start: Int
  ) -> (taken: Int, frames: Int, isLoud: Bool) {
    let taken = block.fill(samples, from: start, upTo: length)
    let count = block.count
    let isLoud = findPeaks(count)
    block.clear()
    return (taken, count, isLoud)
  }

  private func findPeaks(_ count: Int) -> Bool {
    var isLoud = false
    var isFirst = true
    for channel in 0..<channelCount {
      let largest = block.scan(channel)
      let before = unsafe earlier[channel]
      unsafe earlier[channel] = block.scanEnd(channel)
      // NaN hides the samples beside it; of magnitudes as bits it is the largest.
      let bits = max(Int32(bitPattern: largest.bitPattern), before)
      let reached = Float(bitPattern: UInt32(bitPattern: bits))
      if reached * far.bound <= threshold, unsafe lastBetween[channel] <= threshold { continue }
      if isFirst { unsafe found.update(repeating: 0, count: count) }
      isFirst = false
      let samples = unsafe block.singles(channel)
      unsafe interpolate(samples, count, before)
      unsafe between[-1] = lastBetween[channel]
      let isAbove = unsafe KernelTable.current.levels.raisePeaks(
        samples - delay, between, count, threshold, found)
      if isAbove { isLoud = true }
      unsafe lastBetween[channel] = between[count - 1]
    }
    return isLoud
  }

  /// Writes the magnitudes between the samples of a channel, of which `before` is the largest in front of the block.
  private func interpolate(_ samples: UnsafePointer<Float>, _ count: Int, _ before: Int32) {
    unsafe between.update(repeating: 0, count: count)
    guard delay > 0 else { return }
    for filter in [near, far] {
      unsafe filter.add(
        samples - (delay - filter.delay), count, block.groupPeaks, before, threshold, to: between)
    }
  }
}
