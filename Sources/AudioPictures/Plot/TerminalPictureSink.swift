// SPDX-License-Identifier: Apache-2.0
/// A sink that draws its samples as text for a terminal: waveform and spectrogram, with the axes of ``PictureSink``.
///
/// Memory does not grow with the length of the audio.
///
/// ```swift
/// let picture = TerminalPictureSink(TerminalPicture())
/// try session.setSink(picture, at: .publish)
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

/// The size of a picture in a terminal, and its characters.
public struct TerminalPicture: Sendable, Hashable {
  @nonexhaustive
  public enum Style: String, Sendable, Hashable, CaseIterable {
    /// With colours, waveforms of dots and spectrograms of blocks; without colours, shades.
    case automatic = "auto"
    /// Blocks of an eighth of a character and more; two colours in each.
    case blocks
    /// Patterns of two by four dots.
    case braille
    /// Pixels, for terminals with sixel graphics; at most 256 colours.
    case sixel
  }

  /// The range of columns and rows.
  public static let sides = 1...1_000

  public var style = Style.automatic
  public var columns = 80
  /// All rows of the picture.
  public var rows = 24
  /// Whether the rows may increase if the channels need it.
  public var grows = false
  /// Whether 24-bit colours are written. Otherwise the picture is plain text, and `PlotOptions.theme` has no effect.
  /// Sixels always have colours.
  public var isColoured = true
  /// Whether characters outside ASCII are available. Otherwise the picture is plain text.
  public var isUnicode = true
  /// The size of a character in pixels, for sixels.
  public var cellWidth = 8
  public var cellHeight = 16

  public init() {}

  var characters: CellText.CharacterSet { isUnicode ? .unicode : .ascii }

  var cellStyle: CellStyle {
    guard isUnicode else { return CellStyle(curves: .ascii, images: .ascii, isColoured: false) }
    switch style {
    case .braille: return CellStyle(curves: .braille, images: .braille, isColoured: isColoured)
    case .blocks: return CellStyle(curves: .blocks, images: .blocks, isColoured: isColoured)
    case .automatic, .sixel:
      return CellStyle(curves: .braille, images: .blocks, isColoured: isColoured)
    }
  }

  var metrics: PlotMetrics {
    guard style == .sixel else { return PlotMetrics(self) }
    var metrics = PlotMetrics(width: columns * cellWidth, height: rows * cellHeight)
    metrics.grows = grows
    return metrics
  }
}
