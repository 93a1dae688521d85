/// Multiplies every channel by its own factor.
final class ChannelGain<Sample: AudioSample>: StreamStage {
  let inputFormat: StreamFormat
  var outputFormat: StreamFormat { inputFormat }
  private let factors: [Double]
  private let uniform: Double?

  /// - Parameter factors: one for each channel.
  init(_ factors: [Double], format: StreamFormat) {
    precondition(factors.count == format.channelCount)
    inputFormat = format
    self.factors = factors
    uniform = Set(factors).count == 1 ? factors[0] : nil
  }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError) {
    let begin = output.count
    output.append(input)
    var samples = output.writable(begin..<begin + input.count)
    if let uniform {
      Sample.scale(&samples, by: uniform)
    } else {
      unsafe samples.withUnsafeMutableBufferPointer { unsafe scale($0, by: factors) }
    }
  }

  func finish(into output: SampleQueue<Sample>) throws(AudioError) {}
}

/// Multiplies each channel of an interleaved block by its factor.
///
/// One call for each block, so that the loop inside is the specialised one.
@_specialize(where Sample == Float)
@_specialize(where Sample == Double)
private func scale<Sample: AudioSample>(
  _ samples: UnsafeMutableBufferPointer<Sample>, by factors: [Double]
) {
  for channel in factors.indices {
    let factor = factors[channel]
    for index in stride(from: channel, to: samples.count, by: factors.count) {
      unsafe samples[index] = Sample(Double(samples[index]) * factor)
    }
  }
}
