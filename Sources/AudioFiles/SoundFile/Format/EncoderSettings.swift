// SPDX-License-Identifier: Apache-2.0
/// The effort of a codec, or the amount that it keeps. The codec chooses each nil setting.
///
/// | | | range |
/// |---|---|---|
/// | ``compression`` | FLAC | 0, fast, to 8, small |
/// | ``quality`` | Vorbis, and MP3 with a variable bit rate | 0, small, to 10, best; LAME's V is 10 − quality |
/// | ``bitRate`` | MP3 with a constant bit rate | MPEG's bit rates at the file's sample rate, 8 to 320 kbit/s |
/// | | Opus | 6 to 256 kbit/s for each channel |
///
/// These are the settings of libsndfile 1.2. For a setting that the codec lacks, the error names those that it has.
public struct EncoderSettings: Sendable, Hashable {
  /// 0 to 8.
  public var compression: Int?
  /// 0 to 10.
  public var quality: Double?
  /// The bit rate of all channels together in kbit/s.
  public var bitRate: Int?
  /// The coding of the source, whose bit rate a file of the same codec gets if nothing else is set.
  package var kept: LossyCoding?

  public init(compression: Int? = nil, quality: Double? = nil, bitRate: Int? = nil) {
    self.compression = compression
    self.quality = quality
    self.bitRate = bitRate
  }

  /// The values that ``compression`` may have.
  public static let compressions = 0...8
  /// The values that ``quality`` may have.
  public static let qualities = 0.0...10.0

  /// The coding to keep in a file of `codec`, by ffmpeg's name; nil if the bit rate is set, or follows from nothing.
  package func kept(for codec: String?) -> LossyCoding? {
    quality == nil && bitRate == nil && kept?.codec == codec ? kept : nil
  }

  static func bitRateBesideQuality(_ value: Int) -> AudioError {
    AudioError(
      .invalidParameter, cannot: "use bit rate", "\(value)",
      because: "a quality has a variable bit rate", advice: "give one of both")
  }

  static func outside(_ setting: String, _ value: String, _ range: String) -> AudioError {
    AudioError(
      .invalidParameter, cannot: "use \(setting)", value, because: "it must be \(range)")
  }
}

extension FileFormat {
  /// Returns this format with settings for its codec.
  ///
  /// - Throws: `invalidParameter` for a value out of range, and for a quality with a bit rate; `unsupported` if the
  ///   codec lacks a setting. A bit rate that does not fit the stream's sample rate is refused only at the start of the
  ///   file.
  public func encoded(with settings: EncoderSettings) throws(AudioError) -> FileFormat {
    if let value = settings.compression {
      guard container == .flac else { throw lacks("compression") }
      guard EncoderSettings.compressions.contains(value) else {
        throw EncoderSettings.outside("compression", "\(value)", "0 to 8")
      }
    }
    if let value = settings.quality {
      guard encoding == .vorbis || encoding == .mpegLayer3 else { throw lacks("quality") }
      guard EncoderSettings.qualities.contains(value) else {
        throw EncoderSettings.outside("quality", "\(value)", "0 to 10")
      }
    }
    if let value = settings.bitRate {
      guard encoding == .opus || encoding == .mpegLayer3 else { throw lacks("bit rate") }
      guard settings.quality == nil else {
        throw EncoderSettings.bitRateBesideQuality(value)
      }
    }
    var format = self
    format.encoder = settings
    return format
  }

  private func lacks(_ setting: String) -> AudioError {
    let has =
      switch encoding {
      case .vorbis: "vorbis takes a quality from 0 to 10"
      case .opus: "opus takes a bit rate, from 6 to 256 kbit/s for each channel"
      case .mpegLayer3: "mp3 takes a bit rate or a quality from 0 to 10"
      default:
        container == .flac
          ? "flac takes a compression from 0 to 8" : "\(encoding.rawValue) there has no settings"
      }
    return AudioError(
      .unsupported, cannot: "set the \(setting) of", container.rawValue, because: has)
  }

  /// libsndfile's compression level, from 0 to 1, and its bit rate mode; nil if nothing is set.
  ///
  /// Source: libsndfile 1.2.0's `mpeg_l3_encode.c`, `ogg_opus.c`, `ogg_vorbis.c` and `flac.c`: a level selects linearly
  /// from the codec's bit rates, highest to lowest.
  ///
  /// - Throws: `invalidParameter` for a bit rate that the codec lacks for `stream`.
  func encoderLevel(
    for stream: StreamFormat
  ) throws(AudioError) -> (level: Double, mode: SndfileHandle.BitRateMode?)? {
    if let compression = encoder.compression { return (Double(compression) / 8, nil) }
    if let kept = encoder.kept(for: encoding.lossyCodec) { return try level(keeping: kept, stream) }
    if let quality = encoder.quality {
      return encoding == .mpegLayer3 ? Self.level(ofMpegQuality: quality) : (1 - quality / 10, nil)
    }
    guard let bitRate = encoder.bitRate else { return nil }
    if encoding == .opus {
      let channelCount = stream.channelCount
      guard (6 * channelCount...256 * channelCount).contains(bitRate) else {
        throw EncoderSettings.outside(
          "bit rate", "\(bitRate)",
          "\(6 * channelCount) to \(256 * channelCount) kbit/s for \(stream)")
      }
      return (Self.level(ofOpus: Double(bitRate), stream), nil)
    }
    let rates = Self.mpegBitRates(stream.sampleRate)
    guard rates.contains(bitRate) else {
      let list = rates.map(String.init).joined(separator: ", ")
      throw EncoderSettings.outside(
        "bit rate", "\(bitRate)", "one of \(list) kbit/s at \(stream.sampleRate) Hz")
    }
    return (Self.level(ofMpeg: bitRate, stream), .constant)
  }

  private func level(
    keeping kept: LossyCoding, _ stream: StreamFormat
  ) throws(AudioError) -> (level: Double, mode: SndfileHandle.BitRateMode?) {
    switch (encoding, kept.mode) {
    case (.vorbis, _):
      return (1 - (try VorbisQuality(nearestTo: kept.bitRate, stream).quality) / 10, nil)
    case (.opus, _):
      return (Self.level(ofOpus: Double(try kept.reached(in: stream)) / 1_000, stream), nil)
    case (_, .variable(let quality)): return Self.level(ofMpegQuality: quality)
    case (_, let mode):
      let bitRate = LossyCoding.kilobits(try kept.reached(in: stream))
      return (Self.level(ofMpeg: bitRate, stream), mode == .constant ? .constant : .average)
    }
  }

  /// LAME has no V10.
  private static func level(
    ofMpegQuality quality: Double
  ) -> (level: Double, mode: SndfileHandle.BitRateMode?) {
    (min(0.9999, 1 - quality / 10), .variable)
  }

  /// libsndfile truncates to an integer.
  private static func level(ofMpeg bitRate: Int, _ stream: StreamFormat) -> Double {
    let rates = mpegBitRates(stream.sampleRate)
    guard let lowest = rates.first, let highest = rates.last else { return 0 }
    return max(0, (Double(highest - bitRate) - 0.5) / Double(highest - lowest))
  }

  private static func level(ofOpus bitRate: Double, _ stream: StreamFormat) -> Double {
    1 - (bitRate / Double(stream.channelCount) - 6) / 250
  }

  /// The constant bit rates of layer 3 in kbit/s, by MPEG version: 1 from 32 kHz on, 2 from 16 kHz on, 2.5 below.
  ///
  /// Source: ISO/IEC 11172-3 and 13818-3, 2.4.2.3; below 16 kHz LAME stops at 64.
  static func mpegBitRates(_ sampleRate: Int) -> [Int] {
    switch sampleRate {
    case 32_000...: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    case 16_000...: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    default: [8, 16, 24, 32, 40, 48, 56, 64]
    }
  }

  /// The factor by which samples are multiplied so that the encoder, which lowers them, stores their level.
  ///
  /// LAME 3.100 lowers all samples at constant bit rates below 256 kbit/s, so that fewer are clipped in decoders that
  /// have integers; at variable rates it does not. Source: its `presets.c`, the column "scale" of `abr_switch_map`.
  var encoderFactor: Float {
    guard encoding == .mpegLayer3, let bitRate = encoder.bitRate else { return 1 }
    return switch bitRate {
    case ...160: 1 / 0.95
    case ...192: 1 / 0.97
    case ...224: 1 / 0.98
    default: 1
    }
  }
}
