// SPDX-License-Identifier: Apache-2.0
/// The format of the samples in RTP packets.
public struct PayloadFormat: Sendable, Hashable {
  /// An encoding by its name in session descriptions.
  @nonexhaustive
  public enum Encoding: String, Sendable, Hashable, CaseIterable {
    /// 16 bits, big endian. RFC 3551, section 4.5.11.
    case l16
    /// 24 bits, big endian. RFC 3190, section 4.
    case l24
    /// G.711 µ-law. RFC 3551, section 4.5.14.
    case pcmu
    /// G.711 A-law. RFC 3551, section 4.5.14.
    case pcma
    /// Opus. RFC 7587.
    case opus
    /// AAC, with headers of its units. RFC 3640.
    case aac = "mpeg4-generic"
    /// AAC as LATM. RFC 6416.
    case latm = "mp4a-latm"

    /// Whether a payload is whole sample frames.
    var isSamples: Bool { [.l16, .l24, .pcmu, .pcma].contains(self) }
  }

  public let encoding: Encoding
  /// The format of the decoded samples.
  public let format: StreamFormat
  /// The rate of timestamps.
  let clockRate: Int
  /// The parts of payloads; nil for sample frames and for Opus.
  let units: UnitFormat?

  /// A format whose payloads are sample frames, or Opus.
  init(_ encoding: Encoding, _ format: StreamFormat) {
    self.init(encoding, format, clockRate: format.sampleRate, units: nil)
  }

  init(_ encoding: Encoding, _ format: StreamFormat, clockRate: Int, units: UnitFormat?) {
    self.encoding = encoding
    self.format = format
    self.clockRate = clockRate
    self.units = units
  }

  /// The format of a number that needs no description. RFC 3551, table 4.
  ///
  /// - Returns: nil for a number that needs one, or whose encoding is not supported.
  init?(staticType: UInt8) {
    let (encoding, rate, channels): (Encoding, Int, Int)
    switch staticType {
    case 0: (encoding, rate, channels) = (.pcmu, 8_000, 1)
    case 8: (encoding, rate, channels) = (.pcma, 8_000, 1)
    case 10: (encoding, rate, channels) = (.l16, 44_100, 2)
    case 11: (encoding, rate, channels) = (.l16, 44_100, 1)
    default: return nil
    }
    guard let format = try? StreamFormat(sampleRate: rate, channelCount: channels) else {
      return nil
    }
    self.init(encoding, format)
  }

  /// The layout of the samples in a packet, or of the decoded ones.
  var layout: SampleLayout {
    switch encoding {
    case .l16: SampleLayout(.s16, .big)
    case .l24: SampleLayout(.s24, .big)
    case .pcmu: SampleLayout(.ulaw)
    case .pcma: SampleLayout(.alaw)
    case .opus, .aac, .latm: SampleLayout(.f32)
    }
  }

  /// Bytes of one sample of every channel.
  var sampleFrameSize: Int { layout.bytesPerSample * format.channelCount }

  /// The samples per channel, at the rate of ``format``, that a payload stands for.
  ///
  /// A fragment of a unit stands for 0, and the last one (`isMarked`) for the whole unit.
  ///
  /// - Returns: nil for a payload that is none of this format.
  func sampleCount(of payload: RawSpan, isMarked: Bool) -> Int? {
    if let units { return units.sampleCount(of: [UInt8](payload), isMarked: isMarked) }
    if encoding == .opus {
      return payload.byte(at: 0).flatMap { OpusPacket.sampleCount($0, payload.byte(at: 1)) }
    }
    let (count, rest) = payload.byteCount.quotientAndRemainder(dividingBy: sampleFrameSize)
    return count > 0 && rest == 0 ? count : nil
  }
}
