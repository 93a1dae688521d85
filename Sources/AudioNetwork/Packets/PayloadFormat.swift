// SPDX-License-Identifier: Apache-2.0
/// The format of the samples in RTP packets.
public struct PayloadFormat: Sendable, Hashable {
  /// An encoding by its name in session descriptions.
  public enum Encoding: String, Sendable, Hashable, CaseIterable {
    /// 16 bits, big endian. RFC 3551, section 4.5.11.
    case l16
    /// 24 bits, big endian. RFC 3190, section 4.
    case l24
    /// G.711 µ-law. RFC 3551, section 4.5.14.
    case pcmu
    /// G.711 A-law. RFC 3551, section 4.5.14.
    case pcma
  }

  public var encoding: Encoding
  public var format: StreamFormat

  public init(_ encoding: Encoding, _ format: StreamFormat) {
    self.encoding = encoding
    self.format = format
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

  /// The layout of the samples in a packet.
  var layout: SampleLayout {
    switch encoding {
    case .l16: SampleLayout(.s16, .big)
    case .l24: SampleLayout(.s24, .big)
    case .pcmu: SampleLayout(.ulaw)
    case .pcma: SampleLayout(.alaw)
    }
  }

  /// Bytes of one sample of every channel.
  var sampleFrameSize: Int { layout.bytesPerSample * format.channelCount }

  /// The rate of timestamps, in hertz.
  var clockRate: Int { format.sampleRate }

  /// The samples per channel that a payload stands for. Nil if it is none of this format: it is empty, or a part of a sample
  /// frame is left.
  ///
  /// - Parameter isMarked: the marker of RTP.
  func sampleCount(of payload: RawSpan, isMarked: Bool) -> Int? {
    let (count, rest) = payload.byteCount.quotientAndRemainder(dividingBy: sampleFrameSize)
    return count > 0 && rest == 0 ? count : nil
  }
}
