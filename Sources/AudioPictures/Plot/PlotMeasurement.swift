// SPDX-License-Identifier: Apache-2.0
/// The data of a picture, measured from passing samples in memory that depends only on the picture.
struct PlotMeasurement {
  let format: StreamFormat
  let layout: PlotLayout
  private(set) var envelope: Envelope?
  private(set) var spectrogram: Spectrogram?

  /// - Parameter metrics: nil = of a picture of pixels.
  /// - Throws: `invalidParameter` if the picture cannot be drawn.
  init(
    _ options: PlotOptions, _ format: StreamFormat, _ metrics: PlotMetrics? = nil
  ) throws(AudioError) {
    self.format = format
    layout = try PlotLayout(options, format, metrics)
    if options.content != .spectrogram {
      envelope = Envelope(channelCount: format.channelCount, places: layout.plotWidth)
    }
    if let rowCount = layout.rowCount {
      let asked = options.spectrogram
      spectrogram = Spectrogram(
        channelCount: format.channelCount, sampleRate: format.sampleRate,
        places: layout.columnCount, rowCount: rowCount, size: asked.size, asked.window, asked.scale)
    }
  }

  /// The number of samples per channel so far.
  var length: Int64 { envelope?.length ?? spectrogram?.length ?? 0 }

  mutating func append<Sample: AudioSample>(_ samples: Span<Sample>) {
    envelope?.append(samples)
    spectrogram?.append(samples)
  }

  /// Completes the measurement after the last sample.
  mutating func finish() { spectrogram?.finish() }
}
