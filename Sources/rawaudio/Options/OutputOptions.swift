// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The plan of an output: its sink, its format, its parts and its metadata. Nil members are left to the session.
struct OutputPlan: Sendable, Equatable {
  var sink = SinkEndpoint.standardOutput
  /// Whether an existing file may be replaced.
  var overwrites = false
  /// Whether a pattern, a list or a table makes the name of the sink.
  var isNameGenerated = false
  /// The folders of its name that are made. Nil if all must exist.
  var folders: PartFolders?
  /// Nil = by its name.
  var type: OutputType?
  /// Hertz.
  var sampleRate: Int?
  var channelCount: Int?
  var encoding: EncodingName?
  var encoder = EncoderSettings()
  /// Whether ffmpeg may write the file.
  var fileEncoder = FileEncoder.automatic
  /// The video whose sound is replaced. Nil = the input, if it is a video.
  var video: String?
  /// Its sound track that is replaced.
  var track: SoundTrack = 1
  /// The number of samples of all channels in one write to a pipe. Nil = as they come.
  var samplesPerCall: Int?
  var recording = RecordingRequest()
  var metadata = MetadataRequest()
}

extension OutputPlan {
  /// The container that was asked for, if ffmpeg does not write it.
  var container: Container? { if case .container(let asked)? = type { asked } else { nil } }

  /// The output's name, which ends as the type that was asked for if ffmpeg writes it.
  func typedName(_ path: String) -> String {
    if case .encoded(let name)? = type { "\(path).\(name)" } else { path }
  }
}

/// The options that name the output.
struct OutputOptions {
  @Option(
    "output", short: "o", .sink, default: "a WAV stream on standard output", group: .output,
    givenOnce: true,
    help: "Where to write: a path, \(SinkEnds.help).")
  var sink: SinkEndpoint?
  @Flag(.force()) var overwrites: Bool

  /// Gives each source a file in the folder that is named, and the end of the type to `{ext}`.
  mutating func settle(endingIn end: String?, keepingFolders: Bool) {
    guard case .file(let path)? = sink else { return }
    let settled = path.settled(keepingFolders: keepingFolders, endingIn: end)
    sink = .file(settled.ending(in: end))
  }

  /// - Parameter sinkOnTerminal: the default sink if standard output is a terminal. Nil throws instead, because a
  ///   terminal cannot show audio.
  func sink(
    in context: InvocationContext, onTerminal sinkOnTerminal: SinkEndpoint? = nil
  ) throws(UsageError) -> SinkEndpoint {
    let usual = context.standardOutputIsTerminal ? sinkOnTerminal : .standardOutput
    if let sink = sink ?? usual { return sink }
    throw UsageError(
      "Standard output is a terminal; name a file with '\($sink.label)' or pipe the"
        + " result into another program")
  }
}

extension Flag {
  static func force(
    _ group: OptionGroup = .output, help: String = "Replace an existing output file."
  ) -> Self { Self("force", group: group, help: help) }
}

/// The options for the format of the output. Nil members are left to the session.
struct OutputFormatOptions {
  @Option(
    "type", short: "t", .outputType, default: "by the output's name, else wav", group: .output,
    help: "Container of the output: wav, flac, mp3, m4a, raw, ...")
  private var type: OutputType?
  @Option private var namedSampleRate: Int?
  @Option private var namedChannelCount: Int?
  @Option private var format: NamedFormat?
  @Option var quality: Double?
  @Option var bitRate: Int?
  @Option var compression: Int?
  @Option var fileEncoder: FileEncoder?

  /// - Parameters:
  ///   - subject: the owner of the rate and the channels, for the help page.
  ///   - rate: the default rate in words. `channels` and `encoding` are the other defaults.
  init(
    of subject: String = "the output", rate: String = "the highest among the inputs",
    channels: String = "the largest count among the inputs",
    encoding: String = "the widest among the inputs",
    encodingHelp: String = "Encoding of the output: u8, s16, s24, s32, f32, f64, ulaw, ...",
    effort: String = "the source's or the codec's"
  ) {
    _namedSampleRate = Option(
      "rate", short: "r", .sampleRate, default: rate, group: .output,
      help: "Sample rate of \(subject).")
    _namedChannelCount = Option(
      "channels", short: "c", .channelCount, default: channels, group: .output,
      help: "Channels of \(subject).")
    _format = Option(
      "format", short: "f", .format, default: encoding, group: .output, help: encodingHelp)
    _quality = Option(
      "quality", .encoderQuality, default: effort, group: .output,
      help: "For Vorbis, AAC and MP3 of variable bit rate: 0, small, to 10, best.")
    _bitRate = Option(
      "bitrate", .bitRate, default: effort, group: .output,
      help:
        "For MP3 of constant bit rate, Opus, AAC, AC-3 and WMA, in kbit/s of all channels: 128 or 128k."
    )
    _compression = Option(
      "compression", .compression, default: "5", group: .output,
      help: "For FLAC: 0, fast, to 8, small.")
    _fileEncoder = Option(
      "encoder", .choice(name: "who"), default: "auto", group: .output,
      help: """
        Who encodes files that libsndfile does not write (\(EncodedContainer.names)): ffmpeg if installed (auto), or none.
        """)
  }

  /// The end of a file's name for the type that the line names. Nil = by the name.
  var ending: String? { type?.name }

  /// Hertz.
  var sampleRate: Int? { namedSampleRate ?? format?.sampleRate }
  var channelCount: Int? { namedChannelCount ?? format?.channelCount }

  func request(
    to sink: SinkEndpoint, overwrites: Bool, samplesPerCall: Int?,
    metadata: MetadataRequest = MetadataRequest()
  ) -> OutputPlan {
    var sink = sink
    if case .file(let path) = sink { sink = .file(path.ending(in: ending)) }
    return OutputPlan(
      sink: sink, overwrites: overwrites, type: type, sampleRate: sampleRate,
      channelCount: channelCount, encoding: format?.encoding,
      encoder: EncoderSettings(compression: compression, quality: quality, bitRate: bitRate),
      fileEncoder: fileEncoder ?? .automatic,
      samplesPerCall: samplesPerCall, metadata: metadata)
  }
}
