// SPDX-License-Identifier: Apache-2.0
/// A container that ffmpeg writes, and its codec for the sound.
///
/// A further container is a further row of ``allCases``. Rates, channels and delays: as measured with ffmpeg 5.1.
public struct EncodedContainer: Sendable {
  /// The metadata that ffmpeg writes into the container.
  struct MetadataSupport: Sendable {
    enum Cover: Sendable {
      case asStream
      case asAttachment
    }

    /// The texts by the names of Vorbis comments; nil = any.
    var texts: Set<String>? = []
    /// Whether marks become chapters.
    var hasChapters = false
    /// Whether the first chapter always begins with the sound.
    var chaptersAreGapless = false
    /// The form of a cover, which is JPEG or PNG; nil = the container has no place for one.
    var cover: Cover?
  }

  /// The name in options and output, and the extension of the file's name.
  public let name: String
  /// Its name in words, for lists.
  package let title: String
  /// ffmpeg's name of the container.
  let muxer: String
  /// ffmpeg's name of the encoder.
  public let codec: String
  /// ffmpeg's name of the codec.
  package let coding: String
  let traits: CodecTraits
  let metadataSupport: MetadataSupport
  /// Options of the muxer.
  let options: [String]
  /// The silence that a decoder gives in front of the sound, in samples per channel, because the container cannot state
  /// the delay of the encoder; 0 = it states it.
  var delay: Int
  /// A video's former codec for the sound if it was replaced.
  package var replaced: String?
  /// The number of samples per channel that ffmpeg's decoder drops at the beginning, by the rate. As much silence is
  /// written there.
  let lost: @Sendable (_ sampleRate: Int) -> Int

  /// Whether decoding restores the encoded samples exactly.
  package var isLossless: Bool { traits.encodings != [.f32] }

  private var takesQuality: Bool { codec == "aac" }
  private var takesCompression: Bool { codec == "flac" }

  /// The container for the extension of a file's name; nil if ffmpeg is not needed for it or does not write it here.
  ///
  /// - Parameter isOfVideo: whether the sound is one of moving pictures, so that a file without them is not meant by the
  ///   name of a video.
  public init?(fileName: String, ofVideo isOfVideo: Bool = false) {
    let end = fileName.fileExtension
    let all = isOfVideo ? Self.allCases : Self.allCases + Self.soundInVideoFiles
    guard let match = all.first(where: { $0.name == end }) else { return nil }
    self = match
  }

  /// - Parameters:
  ///   - codec: ffmpeg's name of it.
  ///   - traits: nil = the codec's in ``traits``.
  init(
    _ name: String, title: String, _ muxer: String, _ codec: String, _ traits: CodecTraits? = nil,
    metadataSupport: MetadataSupport = MetadataSupport(), options: [String] = [], delay: Int = 0,
    lost: @escaping @Sendable (_ sampleRate: Int) -> Int = { _ in 0 }
  ) {
    let traits = traits ?? Self.traits[codec] ?? CodecTraits()
    self.name = name
    self.title = title
    self.muxer = muxer
    self.codec = traits.encoder ?? codec
    coding = codec
    self.traits = traits
    self.metadataSupport = metadataSupport
    self.options = options
    self.delay = delay
    self.lost = lost
  }

  /// All, in the order of help pages.
  public static let allCases: [EncodedContainer] = [m4a, m4b, adts, matroska, ac3, eac3, wma]

  /// The names, as help pages list them.
  package static var names: String { allCases.map(\.name).joined(separator: ", ") }

  /// All extensions of outputs that ffmpeg writes, in the order of help pages.
  package static var types: [String] { allCases.map(\.name) + videoNames }

  private static let m4a = mpeg4("m4a", title: "MPEG-4 with AAC")
  private static let m4b = mpeg4("m4b", title: "MPEG-4 with AAC, as audio books are named")

  /// Sound alone under the names of videos.
  private static let soundInVideoFiles = [
    mpeg4("mp4", title: "MPEG-4 with AAC"), mpeg4("mov", title: "MPEG-4 with AAC"),
  ]

  private static func mpeg4(_ name: String, title: String) -> EncodedContainer {
    EncodedContainer(
      name, title: title, "ipod", "aac",
      metadataSupport: MetadataSupport(
        texts: mpeg4Texts, hasChapters: true, chaptersAreGapless: true, cover: .asStream))
  }

  /// AAC in frames of their own.
  private static let adts = EncodedContainer(
    "aac", title: "AAC without a container (ADTS)", "adts", "aac",
    metadataSupport: MetadataSupport(texts: nil),
    options: ["-write_id3v2", "1"], delay: 1_024)

  /// The loudspeakers of FLAC's channels by their number (RFC 9639, section 9.1.3); nil = ffmpeg's own. ffmpeg takes
  /// three channels for stereo and a subwoofer, and complains.
  func speakers(of channelCount: Int) -> UInt32? {
    guard codec == "flac", (3...8).contains(channelCount) else { return nil }
    return [0x7, 0x33, 0x37, 0x3F, 0x70F, 0x63F][channelCount - 3]
  }

  /// FLAC, because ffmpeg's Matroska does not state the delay of AAC: the decoded sound would begin 1024 samples late.
  /// FLAC has no delay, and no sample changes.
  private static let matroska = EncodedContainer(
    "mka", title: "Matroska with FLAC", "matroska", "flac",
    metadataSupport: MetadataSupport(texts: nil, hasChapters: true, cover: .asAttachment))

  private static let ac3 = EncodedContainer(
    "ac3", title: "AC-3 (Dolby Digital)", "ac3", "ac3", delay: 256)
  private static let eac3 = EncodedContainer(
    "eac3", title: "E-AC-3 (Dolby Digital Plus)", "eac3", "eac3", delay: 256)

  private static let wma = EncodedContainer(
    "wma", title: "Windows Media Audio 2", "asf", "wmav2",
    metadataSupport: MetadataSupport(texts: nil, hasChapters: true),
    // Source: ff_wma_get_frame_len_bits in libavcodec/wma_common.c; the decoder leaves out one frame.
    lost: { $0 <= 16_000 ? 512 : $0 <= 22_050 ? 1_024 : 2_048 })

  /// Source: mov_write_ilst_tag in libavformat/movenc.c.
  private static let mpeg4Texts: Set<String> = [
    "ALBUM", "ALBUMARTIST", "ARTIST", "COMMENT", "COMPOSER", "COPYRIGHT", "DATE", "DESCRIPTION",
    "DISCNUMBER", "DISCTOTAL", "GENRE", "GROUPING", "LYRICS", "TITLE", "TRACKNUMBER", "TRACKTOTAL",
  ]

  /// Refuses a stream that the codec cannot hold.
  ///
  /// - Throws: `unsupported`, which names the possible values.
  func check(_ stream: StreamFormat) throws(AudioError) {
    try stream.check(
      atMost: traits.channels, channelsOf: codec, rates: traits.rates, in: name)
  }

  /// Chooses the encoding for the codec that suits `wanted` best.
  func encoding(for wanted: SampleEncoding) -> SampleEncoding {
    let target: SampleEncoding = wanted.isLossy ? .s16 : wanted
    return traits.encodings.first { $0.holds(target) } ?? traits.encodings.last ?? .f32
  }

  /// The options of ffmpeg for `settings`.
  ///
  /// - Throws: `unsupported` if the codec lacks a setting, `invalidParameter` if a value is out of range.
  func options(for settings: EncoderSettings) throws(AudioError) -> [String] {
    var options: [String] = []
    if let value = settings.compression {
      guard takesCompression else { throw lacks("compression") }
      options += ["-compression_level", "\(value)"]
    }
    if let value = settings.quality {
      guard takesQuality else { throw lacks("quality") }
      // ffmpeg's scale: from 0.1, some 24 kbit/s per channel of music, to 2, some 190.
      options += ["-q:a", "\(0.1 + 0.19 * value)"]
    }
    if let value = settings.bitRate {
      guard let bitRates = traits.bitRates else { throw lacks("bit rate") }
      guard settings.quality == nil else {
        throw EncoderSettings.bitRateBesideQuality(value)
      }
      guard bitRates.contains(value) else {
        throw EncoderSettings.outside(
          "bit rate", "\(value)", "\(bitRates.lowerBound) to \(bitRates.upperBound) kbit/s")
      }
      options += ["-b:a", "\(value)k"]
    }
    return options
  }

  /// The options of ffmpeg that keep the bit rate of the source.
  func options(
    keeping kept: LossyCoding, for stream: StreamFormat
  ) throws(AudioError) -> [String] {
    if coding == "vorbis" {
      return ["-q:a", "\(try VorbisQuality(nearestTo: kept.bitRate, stream).quality)"]
    }
    var mode: [String] = []
    if coding == "mp3", kept.mode != .constant { mode = ["-abr", "1"] }
    // Otherwise the mean falls with each encoding.
    if coding == "opus" { mode = ["-vbr", "constrained"] }
    return mode + ["-b:a", "\(try kept.reached(in: stream))"]
  }

  private func lacks(_ setting: String) -> AudioError {
    let range = traits.bitRates.map { "a bit rate of \($0.lowerBound) to \($0.upperBound) kbit/s" }
    let all = [
      range, takesQuality ? "a quality from 0 to 10" : nil,
      takesCompression ? "a compression from 0 to 8" : nil,
    ].compactMap { $0 }
    return AudioError(
      .unsupported, cannot: "set the \(setting) of", name,
      because: "\(codec) takes \(all.joined(separator: " or "))")
  }

  /// The note about a file that cannot state the delay of its encoder; nil if it can.
  package func delayNote(for name: String) -> String? {
    if delay > 0 {
      return "'\(name)' begins with \(delay) samples of silence and may end with some:"
        + " \(self.name) cannot state the delay of its encoder"
    }
    return self.name == "wma"
      ? "'\(name)' may end with silence: wma cannot state the length of its sound" : nil
  }
}

/// The encoder of a file.
@nonexhaustive
public enum FileEncoder: String, Sendable, Hashable, CaseIterable {
  /// libsndfile; `ffmpeg` for formats that it does not write.
  case automatic = "auto"
  /// libsndfile alone.
  case none
}
