// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// Where the result goes, and its format; nil if the session decides.
struct OutputRequest: Sendable, Hashable {
  var sink: SinkEndpoint
  /// Whether an existing file may be replaced.
  var overwrites: Bool
  var container: Container?
  /// Hertz.
  var sampleRate: Int?
  var channelCount: Int?
  var encoding: EncodingName?
  var encoder = EncoderSettings()
  /// How many samples, over all channels, a pipe gets in one write; nil = as they come.
  var samplesPerCall: Int?
  var recording = RecordingRequest()
  var metadata = MetadataRequest()
}

/// The options that describe the output.
enum OutputOptions {
  static let output = Option(
    "output", short: "o", .sink, default: "a WAV stream on standard output", group: .output,
    help:
      "Where to write: a path, - for standard output, alsa:NAME for a device, null: for nowhere."
  ).givenOnce
  static let force = Flag("force", group: .output, help: "Replace an existing output file.")
  static let type = Option(
    "type", short: "t", .container, default: "by the output's name, else wav", group: .output,
    help: "Container of the output: wav, flac, raw, ...")
  static let rate = Option(
    "rate", short: "r", .sampleRate, default: "the highest among the inputs", group: .output,
    help: "Sample rate of the output.")
  static let channels = Option(
    "channels", short: "c", .channelCount, default: "the largest count among the inputs",
    group: .output, help: "Channels of the output.")
  static let format = Option(
    "format", short: "f", .format, default: "the widest among the inputs", group: .output,
    help: "Encoding of the output: u8, s16, s24, s32, f32, f64, ulaw, ...")

  static let quality = Option(
    "quality", .encoderQuality, default: "the codec's", group: .output,
    help: "For Vorbis and MP3 of variable bit rate: 0, small, to 10, best.")
  static let bitRate = Option(
    "bitrate", .bitRate, default: "the codec's", group: .output,
    help: "For MP3 of constant bit rate and Opus, in kbit/s of all channels: 128 or 128k.")
  static let compression = Option(
    "compression", .compression, default: "5", group: .output,
    help: "For FLAC: 0, fast, to 8, small.")

  /// How codecs encode.
  static let encoderParameters: [any Declared] = [quality, bitRate, compression]

  static let parameters: [any Declared] =
    [output, force, type, rate, channels, format] + encoderParameters

  /// What codecs are asked for.
  static func encoder(_ arguments: ParsedArguments) throws(UsageError) -> EncoderSettings {
    EncoderSettings(
      compression: try arguments.value(of: compression),
      quality: try arguments.value(of: quality), bitRate: try arguments.value(of: bitRate))
  }

  /// - Parameters:
  ///   - sinkOnTerminal: the sink if none was named and standard output is a terminal; nil refuses,
  ///     because a terminal cannot show audio.
  static func request(
    _ arguments: ParsedArguments, in context: InvocationContext, sinkOnTerminal: SinkEndpoint?
  ) throws(UsageError) -> OutputRequest {
    var sink = try arguments.value(of: output)
    if sink == nil { sink = context.standardOutputIsTerminal ? sinkOnTerminal : .standardOutput }
    guard let sink else {
      throw UsageError(
        "Standard output is a terminal; name a file with '\(output.declaration.label)' or pipe the"
          + " result into another program")
    }
    return try request(arguments, to: sink)
  }

  /// The same for a sink that another option names.
  static func request(
    _ arguments: ParsedArguments, to sink: SinkEndpoint
  ) throws(UsageError) -> OutputRequest {
    let format = try arguments.value(of: format)
    return OutputRequest(
      sink: sink, overwrites: arguments.has(force), container: try arguments.value(of: type),
      sampleRate: try arguments.value(of: rate) ?? format?.sampleRate,
      channelCount: try arguments.value(of: channels) ?? format?.channelCount,
      encoding: format?.encoding, encoder: try encoder(arguments),
      samplesPerCall: try arguments.value(of: ObserverOptions.samplesPerCall),
      metadata: try MetadataOptions.request(arguments))
  }
}
