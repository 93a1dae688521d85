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
  /// The largest magnitude of each sample frame of a block, delayed by ``delay``.
  private(set) var peaks: [Float]
  /// The magnitudes between the samples of one channel.
  private var between: [Float]
  /// The last of these magnitudes in each channel.
  private var lastBetween: [Float]
  /// The largest magnitude, as bits, of the samples in front of the block in each channel.
  private var earlier: [Int32]
  private let length: Int

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
    peaks = Array(repeating: 0, count: length)
    between = Array(repeating: 0, count: length + TruePeakReach.group)
    lastBetween = Array(repeating: 0, count: channelCount)
    earlier = Array(repeating: 0, count: channelCount)
  }

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
      let before = earlier[channel]
      let samples = unsafe block.singles(channel)
      earlier[channel] = block.scanEnd(channel)
      // NaN hides the samples beside it; of magnitudes as bits it is the largest.
      let bits = max(Int32(bitPattern: largest.bitPattern), before)
      let reached = Float(bitPattern: UInt32(bitPattern: bits))
      if reached * far.bound <= threshold, lastBetween[channel] <= threshold { continue }
      if isFirst { for index in 0..<count { peaks[index] = 0 } }
      isFirst = false
      interpolate(channel, count, before)
      var left = lastBetween[channel]
      for index in 0..<count {
        let here = unsafe abs(samples[index - delay])
        let right = between[index]
        var peak = peaks[index]
        if here > peak { peak = here }
        if left > peak { peak = left }
        if right > peak { peak = right }
        peaks[index] = peak
        if peak > threshold { isLoud = true }
        left = right
      }
      lastBetween[channel] = left
    }
    return isLoud
  }

  private func interpolate(_ channel: Int, _ count: Int, _ before: Int32) {
    for index in between.indices { between[index] = 0 }
    guard delay > 0 else { return }
    let samples = unsafe block.singles(channel)
    unsafe between.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for filter in [near, far] {
        unsafe filter.add(
          samples - (delay - filter.delay), count, block.groupPeaks, before, threshold, to: base)
      }
    }
  }
}
