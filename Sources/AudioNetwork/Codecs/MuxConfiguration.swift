// SPDX-License-Identifier: Apache-2.0
/// The configuration of LATM (StreamMuxConfig): one stream of AAC whose units state their lengths. Source:
/// ISO/IEC 14496-3, section 1.7.3.
struct MuxConfiguration: Sendable, Hashable {
  private(set) var aac: AACConfiguration
  /// The units of an element, 1 to 64.
  private(set) var unitCount: Int
  /// Bits behind the units of an element.
  private var otherBits = 0

  /// - Parameter text: the hexadecimal digits of `config=`. RFC 6416, section 7.3.
  init(hexadecimal text: String) throws(AudioError) {
    guard let bytes = [UInt8](hexadecimal: text) else {
      throw Self.fault("its configuration is no even number of hexadecimal digits")
    }
    var bits = BitReader(bytes)
    try self.init(&bits)
  }

  init(_ bits: inout BitReader) throws(AudioError) {
    let isSecond = bits.readFlag()
    guard !isSecond || !bits.readFlag() else { throw Self.refusal("a future version of LATM") }
    if isSecond { _ = Self.readValue(&bits) }
    guard bits.readFlag() || bits.hasFailed else { throw Self.refusal("layers of unlike lengths") }
    unitCount = bits.read(6) + 1
    guard bits.read(4) == 0, bits.read(3) == 0 else { throw Self.refusal("several layers") }
    if isSecond {
      let length = Self.readValue(&bits)
      let begin = bits.position
      aac = try AACConfiguration(&bits, end: begin + length)
      bits.skip(begin + length - bits.position)
    } else {
      aac = try AACConfiguration(&bits, end: nil)
    }
    // GStreamer 1.22 sends nothing behind the configuration of AAC; each of these bits is then 0.
    guard bits.read(3) == 0 || bits.hasFailed else { throw Self.refusal("units of a fixed length") }
    bits.skip(8)
    if bits.readFlag() { otherBits = isSecond ? Self.readValue(&bits) : Self.readEscaped(&bits) }
    if bits.readFlag() { bits.skip(8) }
    guard otherBits <= Self.mostOtherBits else {
      throw Self.refusal("\(otherBits) bits behind its units")
    }
  }

  private static let mostOtherBits = 65_536

  /// LatmGetValue.
  private static func readValue(_ bits: inout BitReader) -> Int {
    let count = bits.read(2) + 1
    return bits.read(count * 8)
  }

  /// A length in bytes with a bit before each that says whether another follows.
  private static func readEscaped(_ bits: inout BitReader) -> Int {
    var value = 0
    var goesOn = true
    while goesOn, value <= mostOtherBits {
      goesOn = bits.readFlag()
      value = value << 8 | bits.read(8)
    }
    return value
  }

  /// Takes over the decision about a configuration that says nothing.
  mutating func decide(isReplicated: Bool) throws(AudioError) {
    try aac.decide(isReplicated: isReplicated)
  }

  /// The units of an element behind its configuration.
  ///
  /// - Returns: nil if the bits are not exactly those of ``unitCount`` units.
  func units(_ bits: inout BitReader) -> [[UInt8]]? {
    var units: [[UInt8]] = []
    for _ in 0..<unitCount {
      var length = 0
      var part = 255
      while part == 255 {
        part = bits.read(8)
        length += part
        guard length <= AACConfiguration.longestUnit else { return nil }
      }
      guard length > 0, let unit = bits.readBytes(length) else { return nil }
      units.append(unit)
    }
    bits.skip(otherBits)
    return bits.hasFailed || bits.left > 7 ? nil : units
  }

  private static func fault(_ reason: String) -> AudioError {
    AudioError(.malformed, cannot: "decode", "MP4A-LATM", because: reason)
  }

  private static func refusal(_ reason: String) -> AudioError {
    AudioError(.unsupported, cannot: "decode", "MP4A-LATM", because: "it has \(reason)")
  }
}

/// An element of LATM (AudioMuxElement): the content of a packet, or of several that hold its parts. Source: RFC 6416,
/// section 4.1.
struct MuxElement {
  let units: [[UInt8]]
  /// Of the units: that of the element if it holds one.
  let configuration: MuxConfiguration

  /// - Parameters:
  ///   - bytes: of the whole element.
  ///   - configuration: that of the stream so far; nil if none is known.
  ///   - isInBand: whether an element may hold its configuration (`cpresent=1`).
  /// - Returns: nil for a faulty element, and for one whose configuration is not known.
  init?(_ bytes: [UInt8], _ configuration: MuxConfiguration?, isInBand: Bool) {
    var bits = BitReader(bytes)
    var configuration = configuration
    if isInBand, !bits.readFlag() { configuration = try? MuxConfiguration(&bits) }
    guard let configuration, let units = configuration.units(&bits) else { return nil }
    self.units = units
    self.configuration = configuration
  }
}
