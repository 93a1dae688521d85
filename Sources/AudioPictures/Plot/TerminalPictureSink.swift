// SPDX-License-Identifier: Apache-2.0
/// A sink that draws what it gets as text for a terminal: waveform and spectrogram, with the axes that ``PictureSink``
/// draws.
///
/// Memory does not grow with the length of the audio.
///
/// ```swift
/// let picture = TerminalPictureSink(TerminalPicture())
/// try session.setSink(.publish, picture)
/// _ = try session.run()
/// print(picture.text, terminator: "")
/// ```
public final class TerminalPictureSink: AudioSink {
  private let terminal: TerminalPicture
  private let options: PlotOptions
  private let channelCount: Int?
  private var measurement: PlotMeasurement?

  /// Lines for the terminal, each with its line feed; empty until the session has ended well.
  public private(set) var text = ""

  /// - Parameters:
  ///   - terminal: what shows it.
  ///   - options: what is drawn, and how; `width` and `height` are of no effect.
  ///   - channelCount: nil = the stream's.
  public init(
    _ terminal: TerminalPicture, options: PlotOptions = PlotOptions(), channelCount: Int? = nil
  ) {
    self.terminal = terminal
    self.options = options
    self.channelCount = channelCount
  }

  public var precision: SamplePrecision { .single }
  public var room: Int { .max }

  /// - Throws: `invalidParameter` for what cannot be drawn, or has no room.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = try proposal.with(sampleRate: nil, channelCount: channelCount)
    measurement = try PlotMeasurement(options, format, terminal.metrics)
    return format
  }

  public func start() throws(AudioError) {}

  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    measurement?.append(samples)
    return .accepted
  }

  public func stop(_ reason: StopReason) throws(AudioError) {
    guard reason == .finished, var measurement else { return }
    self.measurement = nil
    measurement.finish()
    let drawing = PlotDrawing(options, measurement)
    text =
      terminal.style == .sixel
      ? SixelImage.encoded(try drawing.raster()) + "\n"
      : try drawing.cells(terminal.cellStyle).text
  }

  public func dispose() { measurement = nil }
}
