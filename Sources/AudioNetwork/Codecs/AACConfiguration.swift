// SPDX-License-Identifier: Apache-2.0
/// The configuration of the units of AAC (AudioSpecificConfig). Source: ISO/IEC 14496-3, sections 1.6.2.1, 1.6.5 and
/// 4.4.1.
///
/// HE-AAC sends the lower half of the spectrum at half the rate (the core) and a description of the upper half (SBR).
struct AACConfiguration: Sendable, Hashable {
  /// The statements about the upper half of the spectrum.
  enum Replication: Sendable, Hashable {
    case present
    case absent
    /// Nothing: the units may hold it all the same (implicit signalling).
    case unstated
  }

  private static let rates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    7_350,
  ]
  /// Bytes of a unit: 6,144 bits a channel are the most, and 8,191 the most that a header of 13 bits states.
  static let longestUnit = 8_191

  /// 1 Main, 2 LC, 4 LTP.
  private(set) var objectType = 0
  /// The rate of the core.
  private(set) var coreRate = 0
  /// 1 to 7: ISO/IEC 14496-3, table 1.19.
  private(set) var channels = 0
  /// Whether a unit of the core has 960 samples per channel instead of 1,024.
  private(set) var isShort = false
  private(set) var replication = Replication.unstated
  /// Whether two channels are made of one.
  private(set) var hasParametricStereo = false

  /// LC in units of 1,024 samples: until the stream itself says more.
  init(assumedFor format: StreamFormat) {
    objectType = 2
    coreRate = format.sampleRate
    channels = format.channelCount == 8 ? 7 : format.channelCount
    replication = .absent
  }

  /// - Parameter text: the hexadecimal digits of `config=`.
  init(hexadecimal text: String) throws(AudioError) {
    guard let bytes = [UInt8](hexadecimal: text) else {
      throw Self.fault("its configuration is no even number of hexadecimal digits")
    }
    var bits = BitReader(bytes)
    try self.init(&bits, end: bytes.count * 8)
  }

  /// - Parameter end: where the configuration ends among the bits. Nil if only its own syntax tells.
  init(_ bits: inout BitReader, end: Int?) throws(AudioError) {
    objectType = Self.readType(&bits)
    coreRate = Self.readRate(&bits)
    channels = bits.read(4)
    var extensionRate: Int?
    if objectType == 5 || objectType == 29 {
      hasParametricStereo = objectType == 29
      replication = .present
      extensionRate = Self.readRate(&bits)
      objectType = Self.readType(&bits)
    }
    guard [1, 2, 4].contains(objectType) || bits.hasFailed else {
      throw Self.refusal("it is AAC of object type \(objectType)", "1, 2, 4, 5 and 29")
    }
    isShort = bits.readFlag()
    if bits.readFlag() { bits.skip(14) }
    if bits.readFlag() { bits.skip(1) }
    if let end, replication == .unstated, end - bits.position >= 16, bits.read(11) == 0x2B7 {
      readExtension(&bits, end: end, &extensionRate)
    }
    if bits.hasFailed { throw Self.fault("its configuration ends too early") }
    guard (1...7).contains(channels) else {
      throw Self.refusal("it has AAC's channel configuration \(channels)", "1 to 7")
    }
    guard (7_350...96_000).contains(coreRate) else {
      throw Self.refusal("its AAC has \(coreRate) Hz", "7350 to 96000")
    }
    try check(extensionRate)
  }

  /// The extension behind the configuration of the core: section 1.6.5.
  private mutating func readExtension(
    _ bits: inout BitReader, end: Int, _ extensionRate: inout Int?
  ) {
    guard Self.readType(&bits) == 5 else { return }
    replication = bits.readFlag() ? .present : .absent
    guard replication == .present else { return }
    extensionRate = Self.readRate(&bits)
    if end - bits.position >= 12, bits.read(11) == 0x548 { hasParametricStereo = bits.readFlag() }
  }

  private mutating func check(_ extensionRate: Int?) throws(AudioError) {
    guard replication == .present else { return }
    if extensionRate == coreRate {
      // The upper half is not there at this rate.
      replication = .absent
      hasParametricStereo = false
    }
    guard extensionRate == coreRate || extensionRate == coreRate * 2 else {
      throw Self.refusal(
        "its HE-AAC has \(extensionRate ?? 0) Hz of \(coreRate) Hz", "twice the rate")
    }
    try requireLongUnits()
    if channels > 1 { hasParametricStereo = false }
  }

  private func requireLongUnits() throws(AudioError) {
    if replication == .present, isShort {
      throw Self.refusal("its HE-AAC has units of 960 samples", "1,024")
    }
  }

  /// Decides for a configuration that says nothing.
  ///
  /// - Parameter isReplicated: whether the description of the stream speaks of HE-AAC.
  mutating func decide(isReplicated: Bool) throws(AudioError) {
    if replication == .unstated { replication = isReplicated ? .present : .absent }
    try requireLongUnits()
  }

  /// The rate of the decoded samples.
  var sampleRate: Int { replication == .present ? coreRate * 2 : coreRate }

  /// The decoded channels.
  var channelCount: Int {
    if hasParametricStereo { return 2 }
    return channels == 7 ? 8 : channels
  }

  /// Decoded samples per channel of a unit.
  var unitLength: Int { (isShort ? 960 : 1_024) * (replication == .present ? 2 : 1) }

  /// Whether its units have equal rates, channels and lengths.
  func isLike(_ other: AACConfiguration) -> Bool {
    sampleRate == other.sampleRate && channelCount == other.channelCount
      && unitLength == other.unitLength
  }

  /// The bytes of the configuration, which state what the units are to be decoded as.
  ///
  /// A decoder that finds a description of the upper half in a stream that states none must not double the rate.
  var bytes: [UInt8] {
    var bits = BitWriter()
    bits.append(objectType, 5)
    appendRate(coreRate, to: &bits)
    bits.append(channels, 4)
    bits.append(isShort ? 4 : 0, 3)
    bits.append(0x2B7, 11)
    bits.append(5, 5)
    bits.append(replication == .present ? 1 : 0, 1)
    if replication == .present {
      appendRate(coreRate * 2, to: &bits)
      bits.append(0x548, 11)
      bits.append(hasParametricStereo ? 1 : 0, 1)
    }
    return bits.bytes
  }

  private func appendRate(_ rate: Int, to bits: inout BitWriter) {
    if let index = Self.rates.firstIndex(of: rate) { return bits.append(index, 4) }
    bits.append(15, 4)
    bits.append(rate, 24)
  }

  private static func readType(_ bits: inout BitReader) -> Int {
    let type = bits.read(5)
    return type == 31 ? 32 + bits.read(6) : type
  }

  private static func readRate(_ bits: inout BitReader) -> Int {
    let index = bits.read(4)
    if index == 15 { return bits.read(24) }
    return index < rates.count ? rates[index] : 0
  }

  private static func fault(_ reason: String) -> AudioError {
    AudioError(.malformed, cannot: "decode", "AAC", because: reason)
  }

  private static func refusal(_ reason: String, _ accepted: String) -> AudioError {
    AudioError(
      .unsupported, cannot: "decode", "AAC", because: reason, advice: "accepted: \(accepted)")
  }
}

extension [UInt8] {
  /// - Returns: nil for an odd number of digits, and for anything else.
  init?(hexadecimal text: String) {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    self = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      append(UInt8(digits[index] * 16 + digits[index + 1]))
    }
  }
}
