// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The facts given by the user about an input that does not state them itself.
struct InputDescription: Sendable, Hashable {
  var container: Container?
  /// Hertz.
  var sampleRate: Int?
  var channelCount: Int?
  var encoding: EncodingName?
  /// In bytes.
  var spoolLimit: FileSize?
  /// Nil if it was not given.
  var decoder: FileDecoder?
  /// The sound track to read.
  var track: SoundTrack = 1
  /// Whether samples after the stated length are read.
  var ignoresLength = false
}

/// The options for decoding files.
struct DecodingOptions {
  @Option(
    "decoder", .choice(name: "who"), default: "auto",
    group: .input,
    help: """
      Who decodes files that libsndfile does not know (m4a, wv, ape, spx, wma, video): ffmpeg if installed (auto), or \
      none; ffmpeg decodes every file.
      """)
  var decoder: FileDecoder?
  @Option(
    "spool-limit", .fileSize, default: "4GiB", group: .input,
    help: """
      How much of standard input a temporary file, in the folder of TMPDIR, may hold if the container needs seeking.
      """)
  var spoolLimit: FileSize?
}

/// The options that describe inputs. Those for headerless inputs are given once for all or once for each.
struct InputOptions {
  @Option(
    "input-type", .container, group: .input,
    help: "Container of the input, if its name and content do not tell: raw for none.")
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
    help: "Read on if there is more sound than the header states.")
  var ignoresLength: Bool
  var decoding = DecodingOptions()

  func description(_ tracks: TrackOptions? = nil) throws(UsageError) -> InputDescription {
    try descriptions(count: 1, tracks)[0]
  }

  func descriptions(
    count: Int, _ tracks: TrackOptions? = nil
  ) throws(UsageError) -> [InputDescription] {
    let shared = InputDescription(
      spoolLimit: decoding.spoolLimit, decoder: decoding.decoder, ignoresLength: ignoresLength)
    var descriptions = Array(repeating: shared, count: count)
    try _containers.apply(to: &descriptions) { $0.container = $1 }
    try _sampleRates.apply(to: &descriptions) { $0.sampleRate = $1 }
    try _channelCounts.apply(to: &descriptions) { $0.channelCount = $1 }
    try _formats.apply(to: &descriptions) { description, format in
      description.sampleRate = description.sampleRate ?? format.sampleRate
      description.channelCount = description.channelCount ?? format.channelCount
      description.encoding = format.encoding
    }
    try tracks?.choose(in: &descriptions)
    for description in descriptions { try requireShape(of: description) }
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
  var isFolder: Bool { if case .file(let path) = self { rawaudio.isFolder(path) } else { false } }
}

extension [SourceEndpoint] {
  /// - Throws: if standard input is named twice.
  func requireSingleStandardInput() throws(UsageError) {
    if count(where: { $0 == .standardInput }) > 1 {
      throw UsageError("Standard input can be read by one source only")
    }
  }

  /// The paths of many sources.
  ///
  /// - Parameter worked: the work on them: `converted`.
  /// - Throws: if one is no file.
  func pathsTogether(_ worked: String) throws(UsageError) -> [String] {
    try map { (source) throws(UsageError) in
      if case .file(let path) = source { return path }
      throw UsageError(
        "Only files can be \(worked) together; standard input, a device and a generated signal go alone"
      )
    }
  }
}

extension AudioError {
  /// The error with advice on the spool limit, if a stream was larger than a temporary file may be.
  var advisingSpoolLimit: AudioError {
    guard kind == .unsupported, advice == nil, action.hasPrefix("spool") else { return self }
    var error = self
    error.advice = "raise it with \(DecodingOptions().$spoolLimit.label)"
    return error
  }
}
