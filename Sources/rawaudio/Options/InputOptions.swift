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
  /// Whether samples behind the stated length are read.
  var ignoresLength = false
}

/// The options that describe headerless inputs, once for all or once for each.
enum InputOptions {
  static let type = Option(
    "input-type", .container, group: .input,
    help: "Container of the input, where its name and content do not tell: raw for none.")
  static let rate = Option(
    "input-rate", .sampleRate, group: .input, help: "Sample rate of a headerless input.")
  static let channels = Option(
    "input-channels", .channelCount, group: .input, help: "Channels of a headerless input.")
  static let format = Option(
    "input-format", .format, group: .input,
    help: """
      Encoding of a headerless input: s16, S24_3LE, f32, ulaw, ... Of 24 bits in four bytes in WAV: S24_LE for the low \
      three, s32 for the high.
      """)

  static let ignoreLength = Flag(
    "ignore-length", group: .input,
    help: "Read on where there is more sound than the header states.")

  static let spoolLimit = Option(
    "spool-limit", .fileSize, default: "4GiB", group: .input,
    help: """
      How much of standard input a temporary file, in the folder of TMPDIR, may hold where a container can only \
      be read by seeking in it.
      """)

  static let decoder = Option(
    "decoder", .choice(name: "who", FileDecoder.allCases), default: FileDecoder.automatic.rawValue,
    group: .input,
    help: """
      What libsndfile does not know (m4a, wv, ape, spx, wma, video) is decoded by ffmpeg where that is installed \
      (auto), or not at all (none); ffmpeg decodes every file.
      """)

  static let parameters: [any Declared] = [
    type, rate, channels, format, ignoreLength, decoder, spoolLimit,
  ]

  /// One description for each of `inputCount` inputs.
  static func descriptions(
    _ arguments: ParsedArguments, inputCount: Int
  ) throws(UsageError) -> [InputDescription] {
    let containers = try arguments.values(of: type, perInput: inputCount)
    let rates = try arguments.values(of: rate, perInput: inputCount)
    let channelCounts = try arguments.values(of: channels, perInput: inputCount)
    let formats = try arguments.values(of: format, perInput: inputCount)
    let limit = try arguments.value(of: spoolLimit)
    let decoder = try arguments.value(of: decoder)
    var descriptions: [InputDescription] = []
    for index in 0..<inputCount {
      let description = InputDescription(
        container: containers[index], sampleRate: rates[index] ?? formats[index]?.sampleRate,
        channelCount: channelCounts[index] ?? formats[index]?.channelCount,
        encoding: formats[index]?.encoding, spoolLimit: limit, decoder: decoder,
        ignoresLength: arguments.has(ignoreLength))
      try description.requireShapeOfRawInput()
      descriptions.append(description)
    }
    return descriptions
  }

  /// - Throws: if standard input is named twice.
  static func requireSingleStandardInput(_ sources: [SourceEndpoint]) throws(UsageError) {
    if sources.count(where: { $0 == .standardInput }) > 1 {
      throw UsageError("Standard input can be read by one source only")
    }
  }
}

extension InputDescription {
  fileprivate func requireShapeOfRawInput() throws(UsageError) {
    guard container == .raw else { return }
    var missing: [String] = []
    if sampleRate == nil { missing.append("'\(InputOptions.rate.declaration.label)'") }
    if channelCount == nil { missing.append("'\(InputOptions.channels.declaration.label)'") }
    if encoding == nil { missing.append("'\(InputOptions.format.declaration.label)'") }
    guard !missing.isEmpty else { return }
    throw UsageError("A raw input also needs \(missing.joinedAsList)")
  }
}

extension AudioError {
  /// Where a stream was larger than a temporary file may be: which option raises that.
  var advisingSpoolLimit: AudioError {
    guard kind == .unsupported, advice == nil, action.hasPrefix("spool") else { return self }
    var error = self
    error.advice = "raise it with \(InputOptions.spoolLimit.declaration.label)"
    return error
  }
}
