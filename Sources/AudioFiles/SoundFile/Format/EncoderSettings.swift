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

  public init(compression: Int? = nil, quality: Double? = nil, bitRate: Int? = nil) {
    self.compression = compression
    self.quality = quality
    self.bitRate = bitRate
  }

  /// The values that ``compression`` may have.
  public static let compressions = 0...8
  /// The values that ``quality`` may have.
  public static let qualities = 0.0...10.0

  var isEmpty: Bool { self == EncoderSettings() }

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
  ) throws(AudioError) -> (level: Double, isConstant: Bool?)? {
    if let compression = encoder.compression { return (Double(compression) / 8, nil) }
    if let quality = encoder.quality {
      // LAME has no V10.
      if encoding == .mpegLayer3 { return (min(0.9999, 1 - quality / 10), false) }
      return (1 - quality / 10, nil)
    }
    guard let bitRate = encoder.bitRate else { return nil }
    if encoding == .opus {
      let channelCount = stream.channelCount
      guard (6 * channelCount...256 * channelCount).contains(bitRate) else {
        throw EncoderSettings.outside(
          "bit rate", "\(bitRate)",
          "\(6 * channelCount) to \(256 * channelCount) kbit/s for \(stream)")
      }
      return (1 - (Double(bitRate) / Double(channelCount) - 6) / 250, nil)
    }
    let rates = Self.mpegBitRates(stream.sampleRate)
    guard rates.contains(bitRate), let lowest = rates.first, let highest = rates.last else {
      let list = rates.map(String.init).joined(separator: ", ")
      throw EncoderSettings.outside(
        "bit rate", "\(bitRate)", "one of \(list) kbit/s at \(stream.sampleRate) Hz")
    }
    // libsndfile truncates to an integer.
    let level = (Double(highest - bitRate) - 0.5) / Double(highest - lowest)
    return (max(0, level), true)
  }

  /// The constant bit rates of layer 3 in kbit/s, by MPEG version: 1 from 32 kHz on, 2 from 16 kHz on, 2.5 below.
  ///
  /// Source: ISO/IEC 11172-3 and 13818-3, 2.4.2.3; below 16 kHz LAME stops at 64.
  private static func mpegBitRates(_ sampleRate: Int) -> [Int] {
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
