/// Shows the beginning of a stream to the stages of another strand, and lets what follows pass.
///
/// A rate conversion behind it needs some of what lies behind the end that observers are shown.
final class BoundedStage<Sample: AudioSample>: StreamStage {
  private let observed: Strand<Sample>
  /// Samples, across all channels, that are still to be shown.
  private var remaining: Int64

  let inputFormat: StreamFormat
  var outputFormat: StreamFormat { inputFormat }

  /// - Parameters:
  ///   - observed: a strand whose stages leave the format as it is.
  ///   - length: how much of the stream it is given, in samples per channel.
  init(_ observed: Strand<Sample>, atMost length: Int64) {
    self.observed = observed
    inputFormat = observed.format
    remaining = length * Int64(observed.format.channelCount)
  }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError) {
    let shown = Int(min(remaining, Int64(input.count)))
    if shown > 0 {
      observed.input.append(input.extracting(first: shown))
      remaining -= Int64(shown)
      try observed.run()
    }
    if remaining == 0 { try observed.end() }
    move(to: output)
    output.append(input.extracting(last: input.count - shown))
  }

  func finish(into output: SampleQueue<Sample>) throws(AudioError) {
    try observed.end()
    move(to: output)
  }

  private func move(to output: SampleQueue<Sample>) {
    let queue = observed.output
    output.append(queue.readable)
    queue.removeAll()
  }
}
