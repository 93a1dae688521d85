// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// An encoding as named on a command line, with the byte order if the name states one.
struct EncodingName: Sendable, Hashable {
  var encoding: SampleEncoding
  var byteOrder: ByteOrder?
  /// Whether 24 bits are stored in four bytes, as in ALSA's `S24_LE`.
  var isPadded = false

  /// The layout of samples in bytes. Nil for encodings that do not store each sample by itself.
  func layout(defaultByteOrder: ByteOrder = .native) -> SampleLayout? {
    let order = byteOrder ?? defaultByteOrder
    return isPadded ? SampleLayout(.s24In32, order) : SampleLayout(encoding, order)
  }
}

extension EncodingName {
  /// Parses `s16`, `S16_LE`, `s16be`, `S24_3LE`, `FLOAT_LE`, `MU_LAW`, `vorbis`, … in upper or lower case, and the
  /// names of other programs: `pcm_s16le`, `fltp`, `int16`, `libmp3lame`, …
  init?(_ text: String) {
    let name = Self.withoutPrefix(text.lowercased())
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
      // A name with an underscore is ALSA's, and ALSA's S24_LE has four bytes.
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

  /// Removes the prefix of ffmpeg's `pcm_s16le` and libsndfile's `PCM_16`.
  private static func withoutPrefix(_ name: String) -> String {
    guard name.hasPrefix("pcm_") else { return name }
    let rest = String(name.dropFirst(4))
    return Int(rest) == nil ? rest : "s" + rest
  }

  /// ffmpeg's names of planar sample formats end in `p`. We always interleave channels.
  private static func encoding(_ plain: String) -> SampleEncoding? {
    switch plain {
    case "float", "float32", "flt", "fltp": .f32
    case "float64", "double", "dbl", "dblp": .f64
    case "int8": .s8
    case "uint8", "u8p": .u8
    case "int16", "s16p": .s16
    case "int24": .s24
    case "int32", "s32p": .s32
    case "mulaw": .ulaw
    case "adpcmimawav": .imaADPCM
    case "adpcmms": .msADPCM
    case "gsm", "libgsm": .gsm610
    case "libvorbis": .vorbis
    case "libopus": .opus
    case "mp3", "mpeglayer3", "libmp3lame": .mpegLayer3
    default: SampleEncoding.allCases.first { $0.rawValue.filter { $0 != "-" } == plain }
    }
  }
}

extension ValueSyntax<EncodingName> {
  static let encoding = ValueSyntax(
    name: "encoding", choices: SampleEncoding.allCases.map(\.rawValue)
  ) { (text: String) throws(InvalidValue) in
    if let name = EncodingName(text) { return name }
    if let format = NamedFormat.withShape(text) {
      throw InvalidValue("here it is the encoding alone: \(format.encoding.encoding.rawValue)")
    }
    if let container = Container(name: text) {
      throw InvalidValue(
        "it is a container, not an encoding; containers are named with --type \(container.rawValue)"
      )
    }
    throw InvalidValue(
      "it is no encoding; the usual ones are u8, s16, s24, s32, f32, f64, ulaw and alaw")
  }
}

/// The value of a format option: an encoding, or one with rate and channel count such as arecord's `cd` and `dat`.
struct NamedFormat: Sendable, Hashable {
  var encoding: EncodingName
  /// Hertz. Nil if the name states no rate.
  var sampleRate: Int?
  var channelCount: Int?

  /// `cd` and `dat`. Nil for any other name.
  fileprivate static func withShape(_ text: String) -> NamedFormat? {
    let encoding = EncodingName(encoding: .s16)
    switch text.lowercased() {
    case "cd": return NamedFormat(encoding: encoding, sampleRate: 44_100, channelCount: 2)
    case "dat": return NamedFormat(encoding: encoding, sampleRate: 48_000, channelCount: 2)
    default: return nil
    }
  }
}

extension ValueSyntax<NamedFormat> {
  /// An encoding, `cd` or `dat`.
  static let format = ValueSyntax(
    name: "encoding", choices: SampleEncoding.allCases.map(\.rawValue) + ["cd", "dat"]
  ) { (text: String) throws(InvalidValue) in
    if let format = NamedFormat.withShape(text) { return format }
    return NamedFormat(encoding: try ValueSyntax<EncodingName>.encoding.parse(text))
  }
}

extension ValueSyntax<Container> {
  /// `wav`, `flac`, `raw`, … in upper or lower case, with or without a dot in front.
  static let container = ValueSyntax(
    name: "type", choices: Container.allCases.map(\.rawValue)
  ) { (text: String) throws(InvalidValue) in
    if let container = Container(name: text.withoutDot) { return container }
    if Container.advice(forOutput: ".\(text.withoutDot)") != nil {
      throw InvalidValue("ffmpeg decodes it, and knows it by its content; leave the option out")
    }
    throw text.isNoContainer
  }
}

/// The type of an output: a container that is written here, or the extension of one that ffmpeg writes.
enum OutputType: Sendable, Hashable {
  case container(Container)
  case encoded(String)

  /// As the end of a file's name.
  var name: String {
    switch self {
    case .container(let container): container.rawValue
    case .encoded(let name): name
    }
  }
}

extension ValueSyntax<OutputType> {
  /// `wav`, `m4a`, … in upper or lower case, with or without a dot in front.
  static let outputType = ValueSyntax(
    name: "type"
  ) { (text: String) throws(InvalidValue) in
    let name = text.withoutDot
    if let container = Container(name: name) { return .container(container) }
    if EncodedContainer.types.contains(name.lowercased()) { return .encoded(name.lowercased()) }
    if Container.advice(forOutput: ".\(name)") != nil {
      throw InvalidValue(
        "it cannot be written; let ffmpeg encode a WAV stream: | ffmpeg -i - -c:v copy NAME.\(name)"
      )
    }
    throw text.isNoContainer
  }
  // libsndfile tells the containers, and is loaded only when a shell asks.
  .offering { _ in
    (Container.writable.map(\.rawValue) + EncodedContainer.types).map { .word($0) }
  }
}

extension String {
  fileprivate var withoutDot: String { hasPrefix(".") ? String(dropFirst()) : self }

  fileprivate var isNoContainer: InvalidValue {
    if (try? TimePosition(self)) != nil {
      return InvalidValue("it is no container; how long is said with --duration \(self)")
    }
    return InvalidValue(
      "it is no container; the usual ones are wav, flac, aiff, caf, ogg, opus, mp3, m4a and raw")
  }
}

extension Container {
  /// Those that can be written, in the order of help pages.
  static var writable: [Container] { allCases.filter { !$0.writableEncodings.isEmpty } }
}

/// The noise added before samples are rounded, as given on a command line.
enum DitherKind: String, Sendable, CaseIterable {
  case none
  case tpdf

  /// Always uses one seed, so that a command is reproducible.
  var dither: Dither {
    switch self {
    case .none: .none
    case .tpdf: .tpdf(seed: 0)
    }
  }
}

extension ValueSyntax<Double> {
  /// The quality of an encoder: `0` to `10`.
  static let encoderQuality = ValueSyntax(
    name: "number", isNumeric: true, otherwise: "a quality is a number from 0, small, to 10, best"
  ) { Double(decimal: $0)?.within(EncoderSettings.qualities) }
}

extension ValueSyntax<Int> {
  /// The compression of FLAC: `0` to `8`.
  static let compression = ValueSyntax(
    name: "level", isNumeric: true,
    otherwise: "a compression is a whole number from 0, fast, to 8, small"
  ) { Int($0)?.within(EncoderSettings.compressions) }

  /// `128`, `128k` or `128000`. The value is in kbit/s.
  static let bitRate = ValueSyntax(
    name: "kbps", isNumeric: true,
    otherwise: "a bit rate is a whole number of kbit/s, for example 128 or 128k"
  ) { text in
    let isShort = text.lowercased().hasSuffix("k")
    guard let value = Int(isShort ? String(text.dropLast()) : text), value > 0, value < 10_000_000
    else { return nil }
    if isShort || value < 1_000 { return value }
    return value.isMultiple(of: 1_000) ? value / 1_000 : nil
  }
}
