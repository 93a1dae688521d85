/// Multiplies every channel by its own factor.
final class ChannelGain<Sample: AudioSample>: StreamStage {
  let inputFormat: StreamFormat
  var outputFormat: StreamFormat { inputFormat }
  private let factors: [Sample]
  private let uniform: Sample?

  /// - Parameter factors: one for each channel.
  init(_ factors: [Double], format: StreamFormat) {
    precondition(factors.count == format.channelCount)
    inputFormat = format
    self.factors = factors.map { Sample($0) }
    uniform = Set(factors).count == 1 ? Sample(factors[0]) : nil
  }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError) {
    let begin = output.count
    output.append(input)
    var samples = output.writable(begin..<begin + input.count)
    if let uniform {
      Sample.scale(&samples, by: uniform)
    } else {
      for index in samples.indices { samples[index] *= factors[index % factors.count] }
    }
  }

  func finish(into output: SampleQueue<Sample>) throws(AudioError) {}
}
