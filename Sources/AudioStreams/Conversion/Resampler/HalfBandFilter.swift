// SPDX-License-Identifier: Apache-2.0
/// The steep filter of a conversion in two steps: it gives the samples midway between those of a stream.
///
/// All coefficients but those at odd distances from the middle are 0 or 1.
struct HalfBandFilter<Sample: AudioSample>: Sendable {
  /// The samples of the lower rate for one sample midway.
  let taps: Int
  private let tiles: FilterTiles<Sample>

  init?(_ quality: ResamplerQuality) {
    let ratio = ResamplingRatio(from: 1, to: 1)
    guard let period = ResamplingPeriod(ratio) else { return nil }
    let row = PolyphaseFilter<Sample>(ratio: ratio, quality.halfBandDesign)
    taps = row.taps
    tiles = FilterTiles(row, period)
  }

  var coefficientCount: Int { tiles.coefficientCount }

  /// Output n stands midway between samples n and n + 1; its input begins with taps/2 − 1 zeros.
  func convolution(channelCount: Int) -> TileConvolution<Sample> {
    TileConvolution(tiles, channelCount: channelCount)
  }
}

/// A conversion to a lower rate in two steps: with a short filter to twice that rate, then with a half-band filter to
/// half of that.
///
/// Each output is half the sum of a sample of the doubled rate and of the half-band filter's output for the samples
/// between.
@safe
final class HalvingConvolution<Sample: AudioSample>: Convolution {
  private let first: (any Convolution<Sample>)?
  private let half: TileConvolution<Sample>
  private let ratio: ResamplingRatio
  private let channelCount: Int
  /// Half the length of the half-band filter.
  private let reach: Int64
  /// Zeros before the input, beyond those that the first step expects.
  private let shift: Int64
  private let between = SampleQueue<Sample>()

  /// - Parameter first: nil if the input has the doubled rate.
  init(
    _ half: HalfBandFilter<Sample>, after first: StepFilter<Sample>?, _ ratio: ResamplingRatio,
    channelCount: Int
  ) {
    self.first = first?.convolution(channelCount: channelCount)
    self.half = half.convolution(channelCount: channelCount)
    self.ratio = ratio
    self.channelCount = channelCount
    reach = Int64(half.taps / 2)
    shift = Int64(TwoSteps(ratio).farthest(half.taps))
  }

  /// The number of the first sample of the doubled rate that output `index` needs.
  private func firstBetween(_ index: Int64) -> Int64 { 2 * (index - reach) + 1 }

  func firstSample(forOutput index: Int64) -> Int64 {
    let between = firstBetween(index)
    return (first?.firstSample(forOutput: between) ?? between) + shift
  }

  func convolve(
    _ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    to target: UnsafeMutablePointer<Sample>
  ) {
    guard !outputs.isEmpty else { return }
    let needed = firstBetween(outputs.lowerBound)..<2 * (outputs.upperBound + reach - 1)
    guard let first else {
      // Sample 0 of the doubled rate is sample 0 of the input, which has `shift` zeros before it.
      let skipped = Int(needed.lowerBound + shift - start) * channelCount
      unsafe halve(outputs, samples.extracting(skipped..<samples.count), to: target)
      return
    }
    let between = between
    between.removeAll()
    first.append(
      needed, from: samples, startingAt: start - shift, channelCount: channelCount, to: between)
    unsafe halve(outputs, between.readable, to: target)
  }

  /// - Parameter doubled: samples of the doubled rate, from the first one that the outputs need.
  private func halve(
    _ outputs: Range<Int64>, _ doubled: Span<Sample>, to target: UnsafeMutablePointer<Sample>
  ) {
    unsafe doubled.withUnsafeBufferPointer { source in
      guard let from = source.baseAddress else { return }
      let midway = outputs.lowerBound - 1..<outputs.upperBound - 1
      let view = unsafe FrameView(
        from, count: outputs.count + 2 * Int(reach) - 1, every: 2)
      unsafe half.convolve(
        midway, from: view, startingAt: midway.lowerBound, to: target, every: 1)
      unsafe KernelTable.current.samples.addHalves(
        Sample.isDouble, from + Int(2 * reach - 1) * channelCount, outputs.count, channelCount,
        target)
    }
  }
}

/// A conversion to a higher rate in two steps: to twice the rate with a half-band filter, then to the other rate
/// with a short one.
@safe
final class DoublingConvolution<Sample: AudioSample>: Convolution {
  private let half: TileConvolution<Sample>
  private let second: any Convolution<Sample>
  private let ratio: ResamplingRatio
  private let channelCount: Int
  private let taps: Int64
  /// The samples of the doubled rate for one output.
  private let shortTaps: Int64
  private let doubled = SampleQueue<Sample>()

  /// - Parameters:
  ///   - second: the short filter, from the doubled rate.
  ///   - taps: the input samples of an output.
  init(
    _ half: HalfBandFilter<Sample>, before second: StepFilter<Sample>, taps: Int, channelCount: Int
  ) {
    self.half = half.convolution(channelCount: channelCount)
    self.second = second.convolution(channelCount: channelCount)
    ratio = second.ratio
    self.channelCount = channelCount
    self.taps = Int64(taps)
    shortTaps = Int64(second.taps)
  }

  /// The number of the last input sample on or before the first sample of the doubled rate that output `index`
  /// needs.
  private func firstInput(_ index: Int64) -> Int64 {
    // Halves of a negative number are rounded down, too.
    (ratio.point(ofOutput: index).sample - shortTaps / 2 + 1) >> 1
  }

  func firstSample(forOutput index: Int64) -> Int64 { firstInput(index) + shortTaps / 4 }

  func convolve(
    _ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    to target: UnsafeMutablePointer<Sample>
  ) {
    guard !outputs.isEmpty else { return }
    let first = firstInput(outputs.lowerBound)
    let last = (ratio.point(ofOutput: outputs.upperBound - 1).sample + shortTaps / 2) >> 1
    let inputs = first..<last + 1
    let doubled = doubled
    doubled.removeAll()
    let count = 2 * inputs.count * channelCount
    doubled.append(atMost: count) { output in
      unsafe output.appendSamples(count) { target in
        unsafe samples.withUnsafeBufferPointer { source in
          guard let from = source.baseAddress else { return }
          // The input has taps/2 − 1 zeros before its first sample.
          let place = Int(inputs.lowerBound + taps / 2 - 1 - start) * channelCount
          unsafe copy(from + place, inputs.count, channelCount, to: target)
          let view = unsafe FrameView(from, count: source.count / channelCount)
          unsafe half.convolve(
            inputs, from: view, startingAt: start - shortTaps / 4, to: target + channelCount,
            every: 2)
        }
      }
    }
    unsafe second.convolve(
      outputs, from: doubled.readable, startingAt: 2 * first + shortTaps / 2 - 1, to: target)
  }
}

/// Copies sample frames to every second one.
@_specialize(where Sample == Float)
@_specialize(where Sample == Double)
private func copy<Sample: AudioSample>(
  _ source: UnsafePointer<Sample>, _ count: Int, _ channelCount: Int,
  to target: UnsafeMutablePointer<Sample>
) {
  for index in 0..<count {
    for channel in 0..<channelCount {
      unsafe target[index &* 2 &* channelCount &+ channel] =
        source[index &* channelCount &+ channel]
    }
  }
}
