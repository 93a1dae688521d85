// SPDX-License-Identifier: Apache-2.0
/// A sink that draws the waveform and the spectrogram of its samples in one picture.
///
/// Memory does not grow with the length of the audio: time is kept in as many columns as the picture needs, and columns
/// are joined as it gets longer. The file gets its name when it is complete.
///
/// ```swift
/// let session = Session()
/// try session.setLocal(SoundFileSource(path: "take.wav"))
/// try session.setSink(PictureSink(path: "take.png", format: .png), at: .publish)
/// _ = try session.run()
/// ```
public final class PictureSink: AudioSink {
  @nonexhaustive
  public enum Format: String, Sendable, Hashable, CaseIterable {
    case png
    /// Plain text that needs no font. The spectrogram in it is a PNG.
    case svg
  }

  private let options: PlotOptions
  /// May be changed until `initialize`.
  package var destination: FileDestination
  private let pictureFormat: Format
  private let channelCount: Int?
  private var file: OutputFile?
  private var measurement: PlotMeasurement?

  /// - Parameters:
  ///   - path: the file; `-` is standard output.
  ///   - format: of the file.
  ///   - options: the content and the appearance.
  ///   - channelCount: nil = the stream's.
  ///   - overwrite: whether an existing file may be replaced.
  public init(
    path: String, format: Format, options: PlotOptions = PlotOptions(), channelCount: Int? = nil,
    overwrite: Bool = false
  ) {
    destination = FileDestination(path: path, overwrites: overwrite, isDrawing: true)
    pictureFormat = format
    self.options = options
    self.channelCount = channelCount
  }

  public var precision: SamplePrecision { .single }
  public var room: Int { .max }

  /// - Throws: `invalidParameter` if the picture cannot be drawn; `alreadyExists`, `notFound` (the directory) and
  ///   `unavailable` (a directory, no permission) if the file cannot be written.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = try proposal.with(sampleRate: nil, channelCount: channelCount)
    measurement = try PlotMeasurement(options, format)
    file = try destination.open(wakeup)
    return format
  }

  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    measurement?.append(samples)
    return .accepted
  }

  public func stop(_ reason: StopReason) throws(AudioError) {
    guard reason == .finished, var measurement, let file else { return }
    self.measurement = nil
    measurement.finish()
    let drawing = PlotDrawing(options, measurement)
    let bytes =
      switch pictureFormat {
      case .png: try PNGImage.encoded(drawing.raster())
      case .svg: Array(try drawing.document().text.utf8)
      }
    try file.begin()
    // If the reader is gone, the picture is dropped.
    _ = try file.descriptor.write(bytes)
    try file.commit()
  }

  public func dispose() {
    file?.discard()
    file = nil
    measurement = nil
  }
}
