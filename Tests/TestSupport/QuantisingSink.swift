// SPDX-License-Identifier: Apache-2.0
/// A sink that keeps its samples as the bytes of a layout, as in a file.
package final class QuantisingSink: PlainSink {
  package private(set) var bytes: [UInt8] = []
  private var quantiser: Quantiser
  private let layout: SampleLayout

  package init(_ layout: SampleLayout) {
    self.layout = layout
    quantiser = Quantiser(layout: layout)
  }

  package var clippedSamples: Int { quantiser.clippedSamples }
  package var precision: SamplePrecision { layout.encoding.precision }
  package var room: Int { .max }

  package func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus
  {
    var block = [UInt8](repeating: 0, count: samples.count * layout.bytesPerSample)
    var span = block.mutableSpan
    var raw = unsafe span.mutableBytes
    quantiser.encode(samples, into: &raw)
    bytes += block
    return .accepted
  }
}
