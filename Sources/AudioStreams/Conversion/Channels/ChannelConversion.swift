// SPDX-License-Identifier: Apache-2.0
/// Converts a stream to another number of channels by a ``ChannelMatrix``.
///
/// Copied samples stay bit-exact. It has no delay. Session thread only.
package final class ChannelConversion<Sample: AudioSample>: StreamStage {
  package let inputFormat: StreamFormat
  package let outputFormat: StreamFormat
  /// For each output channel, its input channels with their factors.
  private let terms: [[ChannelTerm]]

  /// - Parameter layout: the loudspeakers of the stream's channels; nil = the usual ones.
  /// - Throws: `unsupported` for ambisonic channels.
  convenience init(
    from inputFormat: StreamFormat, _ layout: Metadata.ChannelLayout? = nil, channelCount: Int
  ) throws(AudioError) {
    let matrix = try ChannelMatrix.converting(
      from: inputFormat.channelCount, layout, to: channelCount)
    try self.init(from: inputFormat, by: matrix.factors)
  }

  /// - Parameter factors: `factors[output][input]`.
  package init(from inputFormat: StreamFormat, by factors: [[Double]]) throws(AudioError) {
    self.inputFormat = inputFormat
    outputFormat = try StreamFormat(
      sampleRate: inputFormat.sampleRate, channelCount: factors.count)
    terms = factors.map { row in
      row.enumerated().compactMap { $1 == 0 ? nil : ChannelTerm(input: $0, factor: $1) }
    }
  }

  package func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) {
    let width = inputFormat.channelCount
    let blockLength = 1_024 * width
    var start = 0
    while start < input.count {
      let end = min(start + blockLength, input.count)
      convert(input.extracting(start..<end), into: output)
      start = end
    }
  }

  private func convert(_ input: Span<Sample>, into output: SampleQueue<Sample>) {
    let width = inputFormat.channelCount
    let samplesPerChannel = input.count / width
    output.append(atMost: samplesPerChannel * terms.count) { target in
      unsafe input.withUnsafeBufferPointer { source in
        guard let from = source.baseAddress else { return }
        unsafe target.appendSamples(samplesPerChannel * terms.count) { to in
          unsafe combine(from, every: width, samplesPerChannel, by: terms, to: to)
        }
      }
    }
  }
}

/// The part of one input channel in one output channel.
private struct ChannelTerm {
  let input: Int
  /// The kernel rounds it to the samples' type.
  let factor: Double
}

/// Writes every output channel of an interleaved block as the sum of its terms.
private func combine<Sample: AudioSample>(
  _ source: UnsafePointer<Sample>, every sourceStride: Int, _ count: Int,
  by terms: [[ChannelTerm]], to target: UnsafeMutablePointer<Sample>
) {
  let kernels = KernelTable.current.samples
  let targetStride = terms.count
  for channel in 0..<targetStride {
    let to = unsafe target + channel
    if terms[channel].isEmpty {
      for index in 0..<count { unsafe (to + index &* targetStride).initialize(to: 0) }
    }
    for (number, term) in terms[channel].enumerated() {
      unsafe kernels.combine(
        Sample.isDouble, source + term.input, sourceStride, count, term.factor, number > 0, to,
        targetStride)
    }
  }
}
