/// Converts a stream to another number of channels by a ``ChannelMatrix``.
///
/// Samples that are only copied stay bit-exact. Without delay. Session thread only.
final class ChannelConversion<Sample: AudioSample>: StreamStage {
  let inputFormat: StreamFormat
  let outputFormat: StreamFormat
  /// For each output channel, the input channels that go into it.
  private let terms: [[(input: Int, factor: Sample)]]

  init(from inputFormat: StreamFormat, channelCount: Int) throws(AudioError) {
    self.inputFormat = inputFormat
    outputFormat = try StreamFormat(
      sampleRate: inputFormat.sampleRate, channelCount: channelCount)
    let matrix = ChannelMatrix(from: inputFormat.channelCount, to: channelCount)
    terms = matrix.factors.map { row in
      row.enumerated().compactMap { $1 == 0 ? nil : (input: $0, factor: Sample($1)) }
    }
  }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) {
    let width = inputFormat.channelCount
    let blockLength = 1_024 * width
    var start = 0
    while start < input.count {
      let end = min(start + blockLength, input.count)
      convert(input.extracting(start..<end), into: output)
      start = end
    }
  }

  func finish(into output: SampleQueue<Sample>) {}

  private func convert(_ input: Span<Sample>, into output: SampleQueue<Sample>) {
    let width = inputFormat.channelCount
    let samplesPerChannel = input.count / width
    output.append(atMost: samplesPerChannel * terms.count) { target in
      unsafe input.withUnsafeBufferPointer { source in
        guard let from = source.baseAddress else { return }
        unsafe target.appendSamples(samplesPerChannel * terms.count) { to in
          for (channel, terms) in terms.enumerated() {
            if terms.isEmpty {
              unsafe silence(samplesPerChannel, to: to + channel, every: self.terms.count)
            }
            for (number, term) in terms.enumerated() {
              unsafe accumulate(
                from + term.input, every: width, samplesPerChannel, by: term.factor,
                to: to + channel, every: self.terms.count, isFirst: number == 0)
            }
          }
        }
      }
    }
  }
}

/// `target[k] = factor × source[k]`, or adds it, with both strided.
@_specialize(where Sample == Float)
@_specialize(where Sample == Double)
private func accumulate<Sample: AudioSample>(
  _ source: UnsafePointer<Sample>, every sourceStride: Int, _ count: Int, by factor: Sample,
  to target: UnsafeMutablePointer<Sample>, every targetStride: Int, isFirst: Bool
) {
  if isFirst {
    for index in 0..<count {
      unsafe (target + index &* targetStride).initialize(
        to: source[index &* sourceStride] * factor)
    }
  } else {
    for index in 0..<count {
      unsafe target[index &* targetStride] += source[index &* sourceStride] * factor
    }
  }
}

private func silence<Sample: AudioSample>(
  _ count: Int, to target: UnsafeMutablePointer<Sample>, every stride: Int
) {
  for index in 0..<count {
    unsafe (target + index &* stride).initialize(to: 0)
  }
}
