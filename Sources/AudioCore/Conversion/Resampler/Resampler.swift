/// Converts a stream to another sample rate by band-limited interpolation.
///
/// Linear phase and compensated for delay: output k stands at exactly k / output rate. A stream of n
/// samples per channel becomes one of ⌈n × output rate / input rate⌉; before its beginning and after its
/// end lies silence. The result is the same bit for bit however the input is cut. Memory is bounded for
/// every pair of rates. Session thread only.
final class Resampler<Sample: AudioSample>: StreamStage {
  let inputFormat: StreamFormat
  let outputFormat: StreamFormat
  private let ratio: ResamplingRatio
  private let filter: PolyphaseFilter<Sample>
  private let history: ChannelHistory<Sample>
  private var place: ResamplerPlace

  /// How many input samples per channel an output sample waits for beyond its own time.
  var latency: Int { filter.taps / 2 }

  /// Allocates and computes the filter: about a millisecond for usual rates. The rates should differ.
  convenience init(
    from inputFormat: StreamFormat, sampleRate: Int, quality: ResamplerQuality = .high
  ) throws(AudioError) {
    let ratio = ResamplingRatio(from: inputFormat.sampleRate, to: sampleRate)
    try self.init(
      from: inputFormat, sampleRate: sampleRate,
      filter: PolyphaseFilter(ratio: ratio, quality: quality))
  }

  /// With a filter that was made for this pair of rates.
  init(
    from inputFormat: StreamFormat, sampleRate: Int, filter: PolyphaseFilter<Sample>
  ) throws(AudioError) {
    self.inputFormat = inputFormat
    outputFormat = try StreamFormat(
      sampleRate: sampleRate, channelCount: inputFormat.channelCount)
    ratio = ResamplingRatio(from: inputFormat.sampleRate, to: sampleRate)
    self.filter = filter
    history = ChannelHistory(
      channelCount: inputFormat.channelCount, capacity: 2 * filter.taps + 4_096)
    place = ResamplerPlace(ratio: ratio)
    // The first output stands at the first input sample, which is tap taps/2 − 1.
    history.appendSilence(filter.taps / 2 - 1)
  }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) {
    let width = inputFormat.channelCount
    var start = 0
    while start < input.count {
      let end = min(start + history.room * width, input.count)
      history.append(input.extracting(start..<end))
      start = end
      convert(into: output)
    }
  }

  func finish(into output: SampleQueue<Sample>) {
    var missing = filter.taps / 2
    while missing > 0 {
      let added = min(missing, history.room)
      history.appendSilence(added)
      missing -= added
      convert(into: output)
    }
  }

  /// Appends every output sample for which the history reaches far enough.
  private func convert(into output: SampleQueue<Sample>) {
    let width = inputFormat.channelCount
    let count = place.outputsReady(upTo: history.count - filter.taps)
    output.append(atMost: count * width) { target in
      unsafe target.appendSamples(count * width) { samples in
        for channel in stride(from: 0, to: width - 1, by: 2) {
          unsafe convolvePair(
            filter, history, channel, from: place, count, to: samples + channel, every: width)
        }
        if width % 2 == 1 {
          unsafe convolve(
            filter, history, width - 1, from: place, count,
            to: samples + (width - 1), every: width)
        }
      }
    }
    place.advance(by: count)
    if history.room < history.count {
      let dropped = min(place.index, history.count)
      history.drop(dropped)
      place.index -= dropped
    }
  }
}
