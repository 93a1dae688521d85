// SPDX-License-Identifier: Apache-2.0
import AudioStreams

/// A sink that keeps the bytes of a layout, as a file of it would hold them.
final class QuantisingSink: AudioSink {
  private(set) var bytes: [UInt8] = []
  private var quantiser: Quantiser
  private let layout: SampleLayout

  init(_ layout: SampleLayout) {
    self.layout = layout
    quantiser = Quantiser(layout: layout)
  }

  var clippedSamples: Int { quantiser.clippedSamples }
  var precision: SamplePrecision { layout.encoding.precision }
  var room: Int { .max }

  func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat { proposal }

  func start() throws(AudioError) {}

  func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    var block = [UInt8](repeating: 0, count: samples.count * layout.bytesPerSample)
    var span = block.mutableSpan
    var raw = unsafe span.mutableBytes
    quantiser.encode(samples, into: &raw)
    bytes += block
    return .accepted
  }

  func stop(_ reason: StopReason) throws(AudioError) {}
  func dispose() {}
}
