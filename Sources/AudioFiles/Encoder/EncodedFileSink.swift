// SPDX-License-Identifier: Apache-2.0
/// A file that `ffmpeg`, which must be on the PATH, encodes: samples go to it as they are, and what it writes gets its
/// name when it is whole.
///
/// One process, which is gone when the sink is disposed of. Session thread only. The program must ignore SIGPIPE.
public final class EncodedFileSink: AudioSink {
  /// The container and its codec.
  public let container: EncodedContainer
  /// How samples go to ffmpeg.
  public let encoding: SampleEncoding
  /// The metadata of the file; may be changed until `initialize`.
  public var metadata: Metadata?
  /// The parts of ``metadata`` that the file does not carry, and why; known after `initialize`.
  public private(set) var metadataOmissions: [Metadata.Omission] = []
  /// How its codec encodes.
  private let settings: EncoderSettings
  private let options: [String]
  /// The video whose sound it becomes; nil where the file is sound alone.
  private let film: FilmTarget?
  private let destination: FileDestination
  private let sampleRate: Int?
  private let channelCount: Int?
  private let dither: Dither
  private var output: OutputFile?
  /// The files that ffmpeg reads beside the samples.
  private var texts: FileDescriptor?
  private var cover: FileDescriptor?
  private var encoder: RunningEncoder?
  /// Writes the samples into the pipe.
  private var stream: SoundFileSink?
  private var wakeup: Wakeup?
  private var hasFailed = false

  /// - Parameters:
  ///   - path: the file.
  ///   - film: a video whose other streams go along.
  ///   - source: how the samples were stored, which decides the precision of lossless codecs.
  ///   - encoding: nil = by `source`.
  ///   - sampleRate: in hertz; nil = the stream's.
  ///   - channelCount: nil = the stream's.
  ///   - dither: what is added before samples are rounded to integers.
  ///   - overwrite: whether an existing file may be replaced.
  ///   - synchronization: when what was written is forced onto the disk.
  /// - Throws: `unsupported`, `invalidParameter` for what the codec does not have.
  public init(
    path: String, _ container: EncodedContainer, into film: FilmTarget? = nil,
    for source: SampleEncoding,
    encoding: SampleEncoding? = nil, settings: EncoderSettings = EncoderSettings(),
    sampleRate: Int? = nil, channelCount: Int? = nil, dither: Dither = .none,
    overwrite: Bool = false, synchronization: FileSynchronization = .never
  ) throws(AudioError) {
    if let encoding, !container.encodings.contains(encoding) || !container.isLossless {
      throw AudioError(
        .unsupported, cannot: "store \(encoding.rawValue) in", container.name,
        because: container.isLossless
          ? "it holds only \(container.encodings.map(\.rawValue).joined(separator: ", "))"
          : "it holds \(container.codec)", advice: "leave the encoding out")
    }
    self.container = container
    self.film = film
    self.encoding = encoding ?? container.encoding(for: source)
    self.settings = settings
    options = try container.options(for: settings)
    destination = FileDestination(
      path: path, overwrites: overwrite, synchronization: synchronization)
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.dither = dither
  }

  public var precision: SamplePrecision { encoding.precision }
  public var room: Int { .max }

  /// Samples so far, over all channels, that the encoding could not hold: saturated, or infinite.
  public var clippedSamples: Int { stream?.clippedSamples ?? 0 }
  /// Samples so far, over all channels, that were not numbers (NaN).
  public var notANumberSamples: Int { stream?.notANumberSamples ?? 0 }
  /// Samples per channel that ffmpeg has got so far.
  public var samplesPerChannel: Int64 { stream?.samplesPerChannel ?? 0 }

  /// - Throws: `alreadyExists`, `notFound` (the directory, or the program: then the subject is `ffmpeg`), `unavailable`,
  ///   `unsupported` (a rate or a channel count that the codec cannot do, what is no regular file), `inputOutput`.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    self.wakeup = wakeup
    let format = try proposal.with(sampleRate: sampleRate, channelCount: channelCount)
    try container.check(format)
    let output = try destination.open(wakeup)
    self.output = output
    guard output.descriptor.isRegular else {
      throw AudioError(
        .unsupported, cannot: "write to", output.descriptor.name,
        because: "ffmpeg writes files, and this is none")
    }
    let written = EncodedMetadata(
      metadata, in: container, format, encoding: encoding, shift: container.lost(format.sampleRate))
    metadataOmissions = film == nil ? written.omissions : []
    if film == nil, let text = written.text {
      texts = try SpooledFile.holding(Array(text.utf8), named: RunningEncoder.program)
    }
    if film == nil, let bytes = written.cover?.bytes {
      cover = try SpooledFile.holding(bytes, named: RunningEncoder.program)
    }
    let encoder = try RunningEncoder(
      arguments(for: format, written, output), writing: output.descriptor.name)
    self.encoder = encoder
    let stream = SoundFileSink(
      descriptor: encoder.input.number, name: output.descriptor.name,
      format: try FileFormat(.raw, encoding, byteOrder: .little), dither: dither)
    self.stream = stream
    return try stream.initialize(proposing: format, wakeup: wakeup)
  }

  private func arguments(
    for format: StreamFormat, _ written: EncodedMetadata, _ output: OutputFile
  ) -> [Pathname] {
    // Not WAV: for a stream of it that ends, ffmpeg complains of a last packet that is not full.
    var words = [
      "-nostdin", "-v", "error", "-xerror", "-y", "-f", "\(encoding.rawValue)le", "-ar",
      "\(format.sampleRate)", "-ac", "\(format.channelCount)",
    ]
    if let mask = written.speakers ?? container.speakers(of: format.channelCount) {
      words += ["-channel_layout", "\(mask)"]
    }
    words += ["-i", "pipe:0"]
    var others: [Pathname] = []
    if let film {
      others = film.arguments(encoder: [container.codec] + options, at: format.sampleRate)
    } else {
      others = soundArguments(for: format, written).map { Pathname($0) }
    }
    var last: [String] = []
    // With milliseconds, MP4's usual unit, the sound would end up to half of one too early or too late.
    if ["ipod", "mp4", "mov"].contains(container.muxer), film?.hasOtherSound != true {
      last += ["-movie_timescale", "\(format.sampleRate)"]
    }
    last += ["-fflags", "+bitexact"] + container.options
    last += ["-f", container.muxer, "file:" + output.descriptor.pathForOthers]
    return words.map { Pathname($0) } + others + last.map { Pathname($0) }
  }

  /// What is to be done with the sound, and what goes along, where it is alone.
  private func soundArguments(for format: StreamFormat, _ written: EncodedMetadata) -> [String] {
    var words: [String] = []
    if let texts { words += ["-f", "ffmetadata", "-i", "file:" + texts.pathForOthers] }
    words += coverInput(written, of: texts == nil ? 1 : 2)
    if texts != nil { words += ["-map_metadata", "1", "-map_chapters", "1"] }
    words += ["-map", "0:a:0", "-c:a", container.codec] + options
    let lost = container.lost(format.sampleRate)
    if lost > 0 { words += ["-af", "adelay=delays=\(lost)S:all=1"] }
    return words
  }

  /// - Parameter input: the number of the cover among the inputs.
  private func coverInput(_ written: EncodedMetadata, of input: Int) -> [String] {
    guard let cover, let kind = written.cover?.kind else { return [] }
    let file = "file:" + cover.pathForOthers
    switch container.carriage.cover {
    case nil: return []
    case .asStream:
      return [
        "-f", "\(kind)_pipe", "-i", file, "-map", "\(input):v:0", "-c:v", "copy",
        "-disposition:v:0", "attached_pic",
      ]
    case .asAttachment:
      return [
        "-attach", file, "-metadata:s:t:0", "mimetype=image/\(kind)", "-metadata:s:t:0",
        "filename=cover.\(kind == "jpeg" ? "jpg" : kind)",
      ]
    }
  }

  public func start() throws(AudioError) {}

  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    guard let stream, let encoder, !hasFailed else {
      throw AudioError(
        .lifeCycle, cannot: "write to", destination.location.name,
        because: hasFailed ? "it failed before" : "the sink is not initialised")
    }
    guard case .readerGone = try stream.write(samples) else { return .accepted }
    hasFailed = true
    throw encoder.failure()
  }

  /// Completes the file; removes an abandoned one.
  public func stop(_ reason: StopReason) throws(AudioError) {
    guard let output, let stream, let encoder else { return }
    guard reason == .finished, !hasFailed else { return discard() }
    do throws(AudioError) {
      guard stream.samplesPerChannel > 0 else {
        throw AudioError(
          .unsupported, cannot: "write to", output.descriptor.name,
          because: "there was no sample, and no \(container.name) file is empty",
          advice: "take another container, such as flac")
      }
      try stream.stop(.finished)
      stream.dispose()
      try encoder.finish(wakeup, mayComplain: film != nil)
      try destination.commit(output)
    } catch {
      discard()
      throw error
    }
  }

  public func dispose() {
    discard()
    (stream, encoder, output) = (nil, nil, nil)
    (texts, cover) = (nil, nil)
  }

  /// Ends ffmpeg before what it writes is removed. Harmless after the file has its name.
  private func discard() {
    hasFailed = true
    stream?.dispose()
    encoder?.end()
    output?.discard()
  }
}
