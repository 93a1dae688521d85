/// A convolution whose outputs are computed one after the other, two channels at a time: for ratios whose
/// coefficients repeat too late, or never, for ``TileConvolution``.
final class RowConvolution<Sample: AudioSample>: Convolution {
  private let filter: PolyphaseFilter<Sample>
  private let ratio: ResamplingRatio
  private let channelCount: Int
  private var history: ChannelHistory<Sample>

  init(_ filter: PolyphaseFilter<Sample>, _ ratio: ResamplingRatio, channelCount: Int) {
    self.filter = filter
    self.ratio = ratio
    self.channelCount = channelCount
    history = ChannelHistory(channelCount: channelCount, capacity: 0)
  }

  func firstSample(forOutput index: Int64) -> Int64 { ratio.place(ofOutput: index).sample }

  func convolve(
    _ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    to target: UnsafeMutablePointer<Sample>
  ) {
    let length = samples.count / channelCount
    history.drop(history.count)
    if history.room < length {
      history = ChannelHistory(channelCount: channelCount, capacity: length)
    }
    history.append(samples)
    let (sample, phase) = ratio.place(ofOutput: outputs.lowerBound)
    let place = ResamplerPlace(ratio: ratio, index: Int(sample - start), phase: phase)
    for channel in stride(from: 0, to: channelCount - 1, by: 2) {
      unsafe convolvePair(
        filter, history, channel, from: place, outputs.count, to: target + channel,
        every: channelCount)
    }
    if channelCount % 2 == 1 {
      unsafe AudioCore.convolve(
        filter, history, channelCount - 1, from: place, outputs.count,
        to: target + (channelCount - 1), every: channelCount)
    }
  }
}
