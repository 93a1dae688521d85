// SPDX-License-Identifier: Apache-2.0
extension PayloadFormat {
  /// Reads a name of a session description, `L24/48000/2`, in any case, for a format that needs no parameters.
  ///
  /// - Returns: nil for an encoding that is not supported or needs parameters, and for an impossible rate or channel
  ///   count.
  public init?(name: String) {
    guard let format = try? PayloadFormat(name: name, parameters: nil) else { return nil }
    self = format
  }

  /// Whether `name` is that of a format whose parameters only a session description states.
  public static func needsDescription(_ name: some StringProtocol) -> Bool {
    let encoding = name.split(separator: "/").first.flatMap { Encoding(rawValue: $0.lowercased()) }
    return encoding == .aac || encoding == .latm
  }

  /// Reads a name (`a=rtpmap`) and parameters (`a=fmtp`) of a session description. RFC 8866, section 6.6: one channel if
  /// none are stated.
  ///
  /// - Returns: nil for an encoding that is not supported.
  /// - Throws: `unsupported` for a kind of AAC that is not, and without its parameters; `malformed` for faulty
  ///   parameters, and for an impossible rate or channel count.
  init?(name: String, parameters text: String?) throws(AudioError) {
    let words = name.split(separator: "/", omittingEmptySubsequences: false)
    guard let first = words.first, let encoding = Encoding(rawValue: first.lowercased()) else {
      return nil
    }
    guard (2...3).contains(words.count), let rate = Int(words[1]),
      let channels = words.count == 3 ? Int(words[2]) : 1,
      let format = try? StreamFormat(sampleRate: rate, channelCount: channels)
    else {
      throw AudioError(
        .malformed, cannot: "receive", name.prefix(80).description,
        because: "its rate or its channel count is impossible")
    }
    let parameters = FormatParameters(text ?? "")
    switch encoding {
    case .l16, .l24, .pcmu, .pcma: self.init(encoding, format)
    case .opus: try self.init(opus: format, parameters)
    case .aac, .latm:
      if text == nil { throw Self.missing(encoding) }
      if encoding == .aac {
        try self.init(headed: format, parameters)
      } else {
        try self.init(muxed: format, parameters)
      }
    }
  }

  /// RFC 7587, section 7: the description always says 48,000 Hz and two channels.
  private init(opus format: StreamFormat, _ parameters: FormatParameters) throws(AudioError) {
    guard format.sampleRate == OpusPacket.sampleRate, format.channelCount <= 2 else {
      throw AudioError(
        .malformed, cannot: "receive", "Opus",
        because: "its rate in RTP is always 48000 Hz, and it has one or two channels")
    }
    let isMono = parameters["sprop-stereo"] == "0"
    self.init(
      .opus, try format.with(sampleRate: nil, channelCount: isMono ? 1 : format.channelCount))
  }

  /// RFC 3640, section 4.1.
  private init(headed format: StreamFormat, _ parameters: FormatParameters) throws(AudioError) {
    let headers = try AccessUnitHeaders(parameters)
    guard let text = parameters["config"] else { throw Self.missing(.aac) }
    var aac = try AACConfiguration(hexadecimal: text)
    let level = try parameters.number("profile-level-id", upTo: 255) ?? 0
    // ISO/IEC 14496-3, table 1.14: the levels of HE-AAC and of HE-AAC v2.
    let isReplicated = (0x2C...0x33).contains(level) || format.sampleRate == aac.coreRate * 2
    try aac.decide(isReplicated: isReplicated)
    self.init(
      .aac, try Self.format(of: aac), clockRate: format.sampleRate, units: .headed(aac, headers))
  }

  /// RFC 6416, section 7.1.
  private init(muxed format: StreamFormat, _ parameters: FormatParameters) throws(AudioError) {
    let isInBand = try parameters.number("cpresent", upTo: 1) != 0
    let isStated = try parameters.number("sbr-enabled", upTo: 1) == 1
    var configuration: MuxConfiguration?
    if let text = parameters["config"] {
      var stated = try MuxConfiguration(hexadecimal: text)
      try stated.decide(isReplicated: isStated || format.sampleRate == stated.aac.coreRate * 2)
      configuration = stated
    }
    let decoded = try configuration.map { stated throws(AudioError) in
      try Self.format(of: stated.aac)
    }
    switch (isInBand, configuration) {
    case (false, let configuration?):
      self.init(
        .latm, decoded ?? format, clockRate: format.sampleRate, units: .muxed(configuration))
    case (false, nil): throw Self.missing(.latm)
    case (true, let configuration):
      // RFC 3016 allowed a clock of 90 kHz, which tells no rate of samples.
      guard configuration != nil || format.sampleRate <= 48_000 else {
        throw AudioError(
          .unsupported, cannot: "receive", "MP4A-LATM",
          because: "its description states no rate of samples (config=)")
      }
      self.init(
        .latm, decoded ?? format, clockRate: format.sampleRate,
        units: .muxedInBand(configuration))
    }
  }

  private static func format(of aac: AACConfiguration) throws(AudioError) -> StreamFormat {
    try StreamFormat(sampleRate: aac.sampleRate, channelCount: aac.channelCount)
  }

  private static func missing(_ encoding: Encoding) -> AudioError {
    AudioError(
      .unsupported, cannot: "receive", encoding.rawValue.uppercased(),
      because: "its configuration (a=fmtp) is not known",
      advice: "give a session description, as in rtp:FILE.sdp")
  }

  /// `L24/48000/2`, as a session description states it.
  public var name: String {
    let channels = format.channelCount == 1 ? "" : "/\(format.channelCount)"
    return "\(encoding.rawValue.uppercased())/\(format.sampleRate)\(channels)"
  }
}
