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
  private let filter: ResamplerFilter<Sample>
  private let convolution: any Convolution<Sample>
  /// What computes ahead, if anybody does.
  private let pieces: ResamplerPieces<Sample>?
  /// The input, with taps/2 − 1 zeros before it, from sample `start` per channel on.
  private let waiting = SampleQueue<Sample>()
  private var start: Int64 = 0
  /// The number of the next output.
  private var next: Int64 = 0

  /// - Parameters:
  ///   - filter: made for this pair of rates, which should differ.
  ///   - crew: helps, so that the output comes some pieces of the input later; the output is the same.
  init(
    from inputFormat: StreamFormat, sampleRate: Int, filter: ResamplerFilter<Sample>,
    crew: WorkCrew? = nil
  ) throws(AudioError) {
    self.inputFormat = inputFormat
    outputFormat = try StreamFormat(
      sampleRate: sampleRate, channelCount: inputFormat.channelCount)
    ratio = ResamplingRatio(from: inputFormat.sampleRate, to: sampleRate)
    self.filter = filter
    convolution = filter.convolution(channelCount: inputFormat.channelCount)
    pieces = crew.map { crew in
      ResamplerPieces(filter, channelCount: inputFormat.channelCount, crew)
    }
    // The first output stands at the first input sample, which is tap taps/2 − 1.
    waiting.appendSilence((filter.taps / 2 - 1) * inputFormat.channelCount)
  }

  /// Samples per channel that are converted at a time: with them the memory is bounded.
  private static var longestPiece: Int { 8_192 }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) {
    let piece = Self.longestPiece * inputFormat.channelCount
    for start in stride(from: 0, to: input.count, by: piece) {
      waiting.append(input.extracting(start..<min(start + piece, input.count)))
      convert(into: output)
    }
  }

  func finish(into output: SampleQueue<Sample>) {
    waiting.appendSilence(filter.taps / 2 * inputFormat.channelCount)
    convert(into: output)
    pieces?.finish(into: output)
  }

  /// Appends every output sample for which the input reaches far enough.
  private func convert(into output: SampleQueue<Sample>) {
    let width = inputFormat.channelCount
    let end = start + Int64(waiting.count / width)
    let outputs = next..<max(next, ratio.outputLength(of: end - Int64(filter.taps) + 1))
    guard !outputs.isEmpty else { return }
    let waiting = waiting
    if let pieces {
      pieces.add(outputs, from: waiting.readable, startingAt: start, into: output)
    } else {
      convolution.append(
        outputs, from: waiting.readable, startingAt: start, channelCount: width, to: output)
    }
    next = outputs.upperBound
    let needed = min(convolution.firstSample(forOutput: next), end)
    waiting.consume(Int(needed - start) * width)
    start = needed
  }
}
