// SPDX-License-Identifier: Apache-2.0
/// How one sample is stored, independent of the container around it and of the byte order.
///
/// The raw values are the names that users type and read.
@nonexhaustive
public enum SampleEncoding: String, Sendable, Hashable, CaseIterable {
  case s8
  case u8
  case s16
  case s24
  case s32
  case f32
  case f64
  /// ITU-T G.711 µ-law, 8 bits.
  case ulaw
  /// ITU-T G.711 A-law, 8 bits.
  case alaw
  case imaADPCM = "ima-adpcm"
  case msADPCM = "ms-adpcm"
  case gsm610
  case voxADPCM = "vox-adpcm"
  case nmsADPCM16 = "nms-adpcm-16"
  case nmsADPCM24 = "nms-adpcm-24"
  case nmsADPCM32 = "nms-adpcm-32"
  case g721 = "g721-32"
  case g723At24 = "g723-24"
  case g723At40 = "g723-40"
  case dwvw12
  case dwvw16
  case dwvw24
  case dpcm8
  case dpcm16
  case vorbis
  case opus
  case alac16
  case alac20
  case alac24
  case alac32
  case mpegLayer1 = "mp1"
  case mpegLayer2 = "mp2"
  case mpegLayer3 = "mp3"
}

extension SampleEncoding {
  /// Bytes per sample if every sample is stored by itself; nil for block and entropy codecs.
  public var bytesPerSample: Int? {
    switch self {
    case .s8, .u8, .ulaw, .alaw: 1
    case .s16: 2
    case .s24: 3
    case .s32, .f32: 4
    case .f64: 8
    default: nil
    }
  }

  /// Whether encoding and decoding change samples beyond the rounding of a single sample.
  public var isLossy: Bool {
    switch self {
    case .s8, .u8, .s16, .s24, .s32, .f32, .f64, .ulaw, .alaw: false
    case .dwvw12, .dwvw16, .dwvw24, .alac16, .alac20, .alac24, .alac32: false
    default: true
    }
  }

  /// The narrowest sample type that carries every value of this encoding to the output unharmed.
  ///
  /// `single` up to 16 significant bits, for 32-bit float, and for lossy codecs (which decode to
  /// 16 bits or to `Float`); `double` otherwise.
  public var precision: SamplePrecision {
    switch self {
    case .s24, .s32, .f64, .dwvw24, .alac20, .alac24, .alac32: .double
    default: .single
    }
  }

  /// Whether its codec computes in floating point, so that samples need no quantisation beforehand.
  package var isFloatCodec: Bool {
    switch self {
    case .vorbis, .opus, .mpegLayer1, .mpegLayer2, .mpegLayer3: true
    default: false
    }
  }

  /// The significant bits of a sample (for floating point: of its significand).
  ///
  /// Lossy codecs count as 16 bits: ADPCM, GSM and G.72x take 16-bit samples.
  package var significantBits: Int {
    switch self {
    case .s8, .u8, .dpcm8: 8
    case .dwvw12: 12
    case .alac20: 20
    case .s24, .dwvw24, .alac24, .f32: 24
    case .s32, .alac32: 32
    case .f64: 53
    default: 16
    }
  }

  /// Whether every value of `other` survives in this encoding.
  package func holds(_ other: SampleEncoding) -> Bool {
    if self == other { return true }
    if isLossy || self == .ulaw || self == .alaw { return false }
    if other == .f32 || other == .f64 { return self == .f64 }
    return significantBits >= other.significantBits
  }

  /// The encoding for the sum or the sequence of samples that were stored in `encodings`: the one among them that holds
  /// every value of the others, otherwise the narrowest plain encoding that does.
  ///
  /// Several lossy encodings, or a lossy one among others, count as `s16`. An empty array gives `s16`.
  public static func widest(_ encodings: [SampleEncoding]) -> SampleEncoding {
    guard let first = encodings.first else { return .s16 }
    if encodings.allSatisfy({ $0 == first }) { return first }
    let wanted = encodings.map { $0.isLossy ? .s16 : $0 }
    let plain: [SampleEncoding] = [.s16, .s24, .f32, .s32, .f64]
    return (wanted + plain).first { candidate in
      wanted.allSatisfy { candidate.holds($0) }
    } ?? .f64
  }
}

/// The type of sample that a session computes in.
public enum SamplePrecision: Int, Sendable, Hashable, Comparable {
  /// `Float`, 24 significant bits.
  case single
  /// `Double`, 53 significant bits.
  case double

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
