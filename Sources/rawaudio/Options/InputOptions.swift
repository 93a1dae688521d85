// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// What the user states about an input that does not state it itself.
struct InputDescription: Sendable, Hashable {
  var container: Container?
  /// Hertz.
  var sampleRate: Int?
  var channelCount: Int?
  var encoding: EncodingName?
  /// In bytes.
  var spoolLimit: FileSize?
  /// Nil where it was not said.
  var decoder: FileDecoder?
  /// Which stream of sound is read, from 1.
  var track = 1
  /// Whether samples behind the stated length are read.
  var ignoresLength = false
}

/// The options of commands that open files as they are.
struct DecodingOptions {
  @Option(
    "decoder", .choice(name: "who"), default: "auto",
    group: .input,
    help: """
      What libsndfile does not know (m4a, wv, ape, spx, wma, video) is decoded by ffmpeg where that is installed \
      (auto), or not at all (none); ffmpeg decodes every file.
      """)
  var decoder: FileDecoder?
  @Option(
    "spool-limit", .fileSize, default: "4GiB", group: .input,
    help: """
      How much of standard input a temporary file, in the folder of TMPDIR, may hold where a container can only \
      be read by seeking in it.
      """)
  var spoolLimit: FileSize?
}

/// The options that describe inputs, those of headerless ones once for all or once for each.
struct InputOptions {
  @Option(
    "input-type", .container, group: .input,
    help: "Container of the input, where its name and content do not tell: raw for none.")
  var containers: [Container]
  @Option(
    "input-rate", .sampleRate, group: .input, help: "Sample rate of a headerless input.")
  var sampleRates: [Int]
  @Option(
    "input-channels", .channelCount, group: .input, help: "Channels of a headerless input.")
  var channelCounts: [Int]
  @Option(
    "input-format", .format, group: .input,
    help: """
      Encoding of a headerless input: s16, S24_3LE, f32, ulaw, ... Of 24 bits in four bytes in WAV: S24_LE for the low \
      three, s32 for the high.
      """)
  var formats: [NamedFormat]
  @Flag(
    "ignore-length", group: .input,
    help: "Read on where there is more sound than the header states.")
  var ignoresLength: Bool
  var decoding = DecodingOptions()

  /// The description of the only input.
  func description() throws(UsageError) -> InputDescription { try descriptions(count: 1)[0] }

  /// One description for each of `count` inputs.
  func descriptions(count: Int) throws(UsageError) -> [InputDescription] {
    let containers = try _containers.each(of: count)
    let sampleRates = try _sampleRates.each(of: count)
    let channelCounts = try _channelCounts.each(of: count)
    let formats = try _formats.each(of: count)
    var descriptions: [InputDescription] = []
    for index in 0..<count {
      let format = formats[index]
      let description = InputDescription(
        container: containers[index], sampleRate: sampleRates[index] ?? format?.sampleRate,
        channelCount: channelCounts[index] ?? format?.channelCount, encoding: format?.encoding,
        spoolLimit: decoding.spoolLimit, decoder: decoding.decoder, ignoresLength: ignoresLength)
      try requireShape(of: description)
      descriptions.append(description)
    }
    return descriptions
  }

  private func requireShape(of input: InputDescription) throws(UsageError) {
    guard input.container == .raw else { return }
    let parts = [
      (input.sampleRate == nil, $sampleRates), (input.channelCount == nil, $channelCounts),
      (input.encoding == nil, $formats),
    ]
    let missing = parts.filter(\.0).map { "'\($0.1.label)'" }
    guard !missing.isEmpty else { return }
    throw UsageError("A raw input also needs \(missing.joinedAsList)")
  }
}

extension SourceEndpoint {
  /// The list of sources for help pages.
  ///
  /// - Parameters:
  ///   - beginning: of the sentence, in front of standard input.
  ///   - devices: whether a device can be one.
  static func help(_ beginning: String, devices: Bool = true) -> String {
    "\(beginning) \(SourceEnds.help(live: devices))."
  }
}

extension [SourceEndpoint] {
  /// Throws where standard input is named twice.
  func requireSingleStandardInput() throws(UsageError) {
    if count(where: { $0 == .standardInput }) > 1 {
      throw UsageError("Standard input can be read by one source only")
    }
  }
}

extension AudioError {
  /// Where a stream was larger than a temporary file may be: which option raises that.
  var advisingSpoolLimit: AudioError {
    guard kind == .unsupported, advice == nil, action.hasPrefix("spool") else { return self }
    var error = self
    error.advice = "raise it with \(DecodingOptions().$spoolLimit.label)"
    return error
  }
}
