/// Converts a stream to a sample rate that is not quite what it is called, and changes while it runs: that
/// of another device's clock.
///
/// A ``Resampler`` whose ratio can be set at any time: 1 + ``correction`` times the ratio of the two
/// formats' rates, 1 : 1 included. Linear phase and compensated for delay: the first output stands at the
/// first input sample, each further one a step after the one before, and a step is never taken back or
/// taken twice, so that the signal stays continuous when the ratio changes. At a correction of 0 the length
/// is exact, as a ``Resampler``'s is. Before the stream's beginning and after its end lies silence.
///
/// The output depends on the input and on after how much of it the ratio was set to what, and is the same
/// bit for bit however the input is cut in between. Memory is bounded; once the queues have grown to the
/// size of the blocks nothing is allocated. Quality as ``ResamplerQuality`` promises, to which the ratio adds
/// a thousandth at most: "Nyquist" is that of the nominal rates. Session thread only.
///
/// Coefficients lie in a grid and are interpolated for each output (``PolyphaseFilter``), which takes four
/// times the work of a fixed ratio.
final class VaryingResampler<Sample: AudioSample>: StreamStage {
  let inputFormat: StreamFormat
  let outputFormat: StreamFormat
  private let filter: PolyphaseFilter<Sample>
  private let history: ChannelHistory<Sample>
  private var place: VaryingPlace
  /// Input samples per channel that were dropped from the history.
  private var begin: Int

  /// How many more outputs than nominal: 0.0001 gives 100 in a million more. From the output after the
  /// last one that the input so far gave; within ±0.001, beyond which it is limited.
  var correction = 0.0 {
    didSet { place.correct(by: correction) }
  }

  /// Allocates and computes the filter: some milliseconds.
  convenience init(
    from inputFormat: StreamFormat, sampleRate: Int, quality: ResamplerQuality = .high
  ) throws(AudioError) {
    let ratio = ResamplingRatio(from: inputFormat.sampleRate, to: sampleRate)
    // A table of 0 coefficients makes every filter a grid.
    try self.init(
      from: inputFormat, sampleRate: sampleRate,
      filter: PolyphaseFilter(ratio: ratio, quality: quality, largestTable: 0))
  }

  /// - Parameter filter: a grid that was made for this pair of rates.
  init(
    from inputFormat: StreamFormat, sampleRate: Int, filter: PolyphaseFilter<Sample>
  ) throws(AudioError) {
    precondition(filter.isGrid)
    self.inputFormat = inputFormat
    outputFormat = try StreamFormat(
      sampleRate: sampleRate, channelCount: inputFormat.channelCount)
    self.filter = filter
    history = ChannelHistory(
      channelCount: inputFormat.channelCount, capacity: 2 * filter.taps + 4_096)
    place = VaryingPlace(
      ratio: ResamplingRatio(from: inputFormat.sampleRate, to: sampleRate))
    // The first output stands at the first input sample, which is tap taps/2 − 1.
    history.appendSilence(filter.taps / 2 - 1)
    begin = 0
  }

  /// How many input samples per channel an output sample waits for beyond its own time.
  var latency: Int { filter.taps / 2 }

  /// Where the next output stands, in input samples per channel from the first one.
  var inputPosition: Double {
    Double(begin + place.index) + Double(place.phase) / Double(place.scale)
  }

  /// Input samples per channel from one output to the next.
  var step: Double { place.step }

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
      begin += dropped
    }
  }
}
