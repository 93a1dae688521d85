internal import AudioCore

/// An encoding as named on a command line, with the byte order if the name states one.
struct EncodingName: Sendable, Hashable {
  var encoding: SampleEncoding
  var byteOrder: ByteOrder?
  /// Whether 24 bits are stored in four bytes, as in ALSA's `S24_LE`.
  var isPadded = false

  /// How samples are stored in bytes; nil for encodings that do not store each sample by itself.
  func layout(defaultByteOrder: ByteOrder = .native) -> SampleLayout? {
    let order = byteOrder ?? defaultByteOrder
    return isPadded ? SampleLayout(.s24In32, order) : SampleLayout(encoding, order)
  }
}

extension EncodingName {
  /// Parses `s16`, `S16_LE`, `s16be`, `S24_3LE`, `FLOAT_LE`, `MU_LAW`, `vorbis`, … in upper or lower case.
  init?(_ text: String) {
    let name = text.lowercased()
    let plain = name.filter { $0 != "_" && $0 != "-" }
    if let encoding = Self.encoding(plain) {
      self.init(encoding: encoding)
      return
    }
    let order: ByteOrder
    switch plain.suffix(2) {
    case "le": order = .little
    case "be": order = .big
    default: return nil
    }
    switch plain.dropLast(2) {
    case "s24" where name.contains("_"):
      // With an underscore it is ALSA's name, and ALSA's S24_LE has four bytes.
      self.init(encoding: .s24, byteOrder: order, isPadded: true)
    case "s243":
      self.init(encoding: .s24, byteOrder: order)
    case let stem:
      guard let encoding = Self.encoding(String(stem)), (encoding.bytesPerSample ?? 0) > 1 else {
        return nil
      }
      self.init(encoding: encoding, byteOrder: order)
    }
  }

  private static func encoding(_ plain: String) -> SampleEncoding? {
    switch plain {
    case "float": .f32
    case "float64", "double": .f64
    case "mulaw": .ulaw
    case "mp3", "mpeglayer3": .mpegLayer3
    default: SampleEncoding.allCases.first { $0.rawValue.filter { $0 != "-" } == plain }
    }
  }
}

extension ValueSyntax<EncodingName> {
  static let encoding = ValueSyntax(
    name: "encoding", choices: SampleEncoding.allCases.map(\.rawValue)
  ) { (text: String) throws(InvalidValue) in
    guard let name = EncodingName(text) else {
      throw InvalidValue(
        "it is no encoding; the usual ones are u8, s16, s24, s32, f32, f64, ulaw and alaw")
    }
    return name
  }
}

extension ValueSyntax<Container> {
  /// `wav`, `flac`, `raw`, … in upper or lower case, with or without a dot in front.
  static let container = ValueSyntax(
    name: "type", choices: Container.allCases.map(\.rawValue)
  ) { (text: String) throws(InvalidValue) in
    let name = text.hasPrefix(".") ? String(text.dropFirst()) : text
    guard let container = Container(name: name) else {
      throw InvalidValue(
        "it is no container; the usual ones are wav, flac, aiff, caf, w64, ogg, opus, mp3 and raw")
    }
    return container
  }
}

/// The noise that is added before samples are rounded, as named on a command line.
enum DitherKind: String, Sendable, CaseIterable {
  case none
  case tpdf

  /// Always from the same seed, so that the same command gives the same file.
  var dither: Dither {
    switch self {
    case .none: .none
    case .tpdf: .tpdf(seed: 0)
    }
  }
}
