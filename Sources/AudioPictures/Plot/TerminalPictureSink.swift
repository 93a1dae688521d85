// SPDX-License-Identifier: Apache-2.0
/// A sink that draws its samples as text for a terminal: waveform and spectrogram, with the axes of ``PictureSink``.
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

  /// The lines for the terminal, each with its line feed; empty until the session has finished.
  public private(set) var text = ""

  /// - Parameters:
  ///   - terminal: the terminal's size and characters.
  ///   - options: the content and the appearance; `width` and `height` have no effect.
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

  /// - Throws: `invalidParameter` if the picture cannot be drawn or has no room.
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
