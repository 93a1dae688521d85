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
    output.append(atMost: input.count) { target in
      unsafe target.appendSamples(input.count) { samples in
        unsafe input.withUnsafeBufferPointer { source in
          guard let from = source.baseAddress else { return }
          if let uniform {
            unsafe scale(from, source.count, by: uniform, to: samples)
          } else {
            unsafe scale(from, source.count, by: factors, to: samples)
          }
        }
      }
    }
  }

  func finish(into output: SampleQueue<Sample>) throws(AudioError) {}
}

// One call for each block, so that the loop inside is the specialised one.

@_specialize(where Sample == Float)
@_specialize(where Sample == Double)
private func scale<Sample: AudioSample>(
  _ source: UnsafePointer<Sample>, _ count: Int, by factor: Double,
  to target: UnsafeMutablePointer<Sample>
) {
  for index in 0..<count {
    unsafe (target + index).initialize(to: Sample(Double(source[index]) * factor))
  }
}

/// Multiplies each channel of an interleaved block by its factor.
@_specialize(where Sample == Float)
@_specialize(where Sample == Double)
private func scale<Sample: AudioSample>(
  _ source: UnsafePointer<Sample>, _ count: Int, by factors: [Double],
  to target: UnsafeMutablePointer<Sample>
) {
  for channel in factors.indices {
    let factor = factors[channel]
    for index in stride(from: channel, to: count, by: factors.count) {
      unsafe (target + index).initialize(to: Sample(Double(source[index]) * factor))
    }
  }
}
