// SPDX-License-Identifier: Apache-2.0
/// A conversion to a lower rate in two steps: with a short filter to twice that rate, then in blocks to half of that.
final class HalvingConvolution<Sample: AudioSample>: Convolution {
  private let short: any Convolution<Sample>
  private let steep: SpectralConvolution<Sample>
  private let channelCount: Int
  /// Half the length of the steep filter, in samples of the doubled rate.
  private let reach: Int64
  /// Zeros before the input, beyond those that the first step expects.
  private let shift: Int64
  private let doubled = SampleQueue<Sample>()

  init(_ steep: SpectralFilter, after short: StepFilter<Sample>, channelCount: Int) {
    self.short = short.convolution(channelCount: channelCount)
    self.steep = SpectralConvolution(steep, channelCount: channelCount)
    self.channelCount = channelCount
    reach = Int64(steep.blocks.taps / 2 - 1)
    shift = Int64(ResamplingWays.shift(steep.blocks.taps, short.ratio))
  }

  func firstSample(forOutput index: Int64) -> Int64 {
    short.firstSample(forOutput: steep.firstSample(forOutput: index) - reach) + shift
  }

  func outputCount(before end: Int64, inWholeBatches: Bool) -> Int64 {
    let doubled = short.outputCount(before: end - shift, inWholeBatches: false)
    return steep.outputCount(before: doubled + reach, inWholeBatches: inWholeBatches)
  }

  func convolve(
    _ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    to target: UnsafeMutablePointer<Sample>
  ) {
    guard !outputs.isEmpty else { return }
    let needed = steep.samples(forOutputs: outputs)
    let doubled = doubled
    doubled.removeAll()
    short.append(
      needed.lowerBound - reach..<needed.upperBound - reach, from: samples,
      startingAt: start - shift, channelCount: channelCount, to: doubled)
    unsafe steep.convolve(
      outputs, from: doubled.readable, startingAt: needed.lowerBound, to: target)
  }
}

/// A conversion to a higher rate in two steps: in blocks to twice the rate, then with a short filter to the other rate.
final class DoublingConvolution<Sample: AudioSample>: Convolution {
  private let steep: SpectralConvolution<Sample>
  private let short: any Convolution<Sample>
  private let ratio: ResamplingRatio
  private let channelCount: Int
  /// The samples of the doubled rate for one output.
  private let shortTaps: Int64
  private let doubled = SampleQueue<Sample>()

  // Sample 0 of the doubled rate is number shortTaps/2 of the steep filter's outputs, since the input has shortTaps/4
  // zeros more before it than that filter expects.

  init(_ steep: SpectralFilter, before short: StepFilter<Sample>, channelCount: Int) {
    self.steep = SpectralConvolution(steep, channelCount: channelCount, isRevisited: true)
    self.short = short.convolution(channelCount: channelCount)
    ratio = short.ratio
    self.channelCount = channelCount
    shortTaps = Int64(short.taps)
  }

  /// The number of the first output of the steep filter that output `index` needs.
  private func firstDoubled(_ index: Int64) -> Int64 { ratio.point(ofOutput: index).sample + 1 }

  func firstSample(forOutput index: Int64) -> Int64 {
    steep.firstSample(forOutput: firstDoubled(index))
  }

  func outputCount(before end: Int64, inWholeBatches: Bool) -> Int64 {
    let doubled = steep.outputCount(before: end, inWholeBatches: inWholeBatches)
    return short.outputCount(before: doubled - 1, inWholeBatches: false)
  }

  func convolve(
    _ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    to target: UnsafeMutablePointer<Sample>
  ) {
    guard !outputs.isEmpty else { return }
    let needed =
      firstDoubled(outputs.lowerBound)..<firstDoubled(outputs.upperBound - 1) + shortTaps
    let doubled = doubled
    doubled.removeAll()
    steep.append(
      needed, from: samples, startingAt: start, channelCount: channelCount, to: doubled)
    unsafe short.convolve(
      outputs, from: doubled.readable, startingAt: needed.lowerBound - 1, to: target)
  }
}
