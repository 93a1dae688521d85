extension SampleEncoding {
  /// Whether its codec computes in floating point, so that there is nothing to quantise beforehand.
  var isFloatCodec: Bool {
    switch self {
    case .vorbis, .opus, .mpegLayer1, .mpegLayer2, .mpegLayer3: true
    default: false
    }
  }

  /// How many bits of a sample the encoding can tell apart (for floating point: of its significand).
  ///
  /// Lossy codecs count as 16 bits: that is what ADPCM, GSM and G.72x take in.
  var significantBits: Int {
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
  func holds(_ other: SampleEncoding) -> Bool {
    if self == other { return true }
    if isLossy || self == .ulaw || self == .alaw { return false }
    if other == .f32 || other == .f64 { return self == .f64 }
    return significantBits >= other.significantBits
  }
}
