// SPDX-License-Identifier: Apache-2.0
import AudioStreams

/// A source that costs next to nothing: it repeats one block of noise.
final class NoiseBlocks: AudioSource {
  private let format: StreamFormat
  private let encoding: SampleEncoding
  private let samplesPerChannel: Int
  private let block: [Float]
  private var missing: Int

  /// - Parameters:
  ///   - format: its shape.
  ///   - encoding: what it claims to come from.
  ///   - samplesPerChannel: its length.
  init(format: StreamFormat, encoding: SampleEncoding, samplesPerChannel: Int) {
    self.format = format
    self.encoding = encoding
    self.samplesPerChannel = samplesPerChannel
    block = Material.noise(Stopwatch.blockLength * format.channelCount)
    missing = samplesPerChannel * format.channelCount
  }

  func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    SourceDescription(
      format: format, encoding: encoding, samplesPerChannel: Int64(samplesPerChannel))
  }

  func read<Sample: AudioSample>(into output: inout OutputSpan<Sample>) -> SourceStatus {
    let count = min(missing, output.freeCapacity, block.count)
    guard count > 0 else { return .ended }
    missing -= count
    let block = block
    Sample.append(block.span.extracting(first: count), to: &output)
    return .ready
  }

  func stop() {}

  func dispose() {}
}
