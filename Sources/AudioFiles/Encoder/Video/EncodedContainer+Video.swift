// SPDX-License-Identifier: Apache-2.0

// Containers of videos, and the codecs that ffmpeg writes into them.

extension EncodedContainer {
  /// The container of a video whose sound is replaced, by the extension of a file's name; nil if it is none of these.
  ///
  /// - Parameter source: the former codec of the sound. It is kept if possible; otherwise the container's usual one is
  ///   used.
  package init?(videoName: String, codec source: String?) {
    guard let end = videoName.fileExtension, let video = Self.videos[end],
      let usual = video.codecs.first
    else {
      return nil
    }
    let codec = source.flatMap { video.codecs.contains($0) ? $0 : nil } ?? usual
    let traits = Self.traits[codec] ?? CodecTraits(encodings: [Self.plainEncoding(codec)])
    self.init(end, title: "a video", video.muxer, codec, traits)
    if codec != source { replaced = source }
    // ffmpeg's Matroska states only the delay of Opus.
    let delays = ["aac": 1_024, "ac3": 256, "eac3": 256]
    if video.muxer == "matroska" || codec.hasSuffix("ac3") { delay = delays[codec] ?? 0 }
  }

  /// ffmpeg's name of the codec for subtitles of text.
  var subtitleCodec: String {
    ["matroska": "subrip", "webm": "webvtt"][muxer] ?? "mov_text"
  }

  /// The extensions of supported videos.
  package static let videoNames = ["mp4", "mov", "mkv", "webm"]

  /// The abilities of a codec's encoder.
  struct CodecTraits: Sendable {
    /// ffmpeg's name of the encoder, if it differs from the codec's.
    var encoder: String?
    /// In hertz; nil = any.
    var rates: [Int]?
    /// The most channels.
    var channels = 8
    /// The encodings that it takes, the narrowest first.
    var encodings: [SampleEncoding] = [.f32]
    /// In kbit/s for all channels; nil = it has none.
    var bitRates: ClosedRange<Int>?
  }

  private static let plain = ["pcm_s16le", "pcm_s24le", "pcm_f32le", "pcm_s16be", "pcm_s24be"]

  /// The muxer and the codecs by ffmpeg's names, the usual one first.
  private static let videos: [String: (muxer: String, codecs: [String])] = [
    "mp4": ("mp4", ["aac", "ac3", "eac3", "mp3", "alac"]),
    "mov": ("mov", ["aac", "ac3", "eac3", "mp3", "alac"] + plain),
    "mkv": (
      "matroska",
      ["flac", "aac", "ac3", "eac3", "mp3", "opus", "vorbis", "alac"] + plain
    ),
    "webm": ("webm", ["opus", "vorbis"]),
  ]

  /// By ffmpeg's names of codecs.
  static let traits: [String: CodecTraits] = [
    "aac": CodecTraits(rates: aacRates, bitRates: 8...1_024),
    "ac3": CodecTraits(rates: [48_000, 44_100, 32_000], channels: 6, bitRates: 32...640),
    "eac3": CodecTraits(rates: [48_000, 44_100, 32_000], channels: 6, bitRates: 32...6_144),
    "mp3": CodecTraits(
      encoder: "libmp3lame",
      rates: [48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000], channels: 2,
      bitRates: 8...320),
    "opus": CodecTraits(
      encoder: "libopus", rates: [48_000, 24_000, 16_000, 12_000, 8_000], bitRates: 6...512),
    "vorbis": CodecTraits(encoder: "libvorbis", bitRates: 32...500),
    "flac": CodecTraits(encodings: [.s16, .s24]),
    "alac": CodecTraits(channels: 2, encodings: [.s16, .s24]),
    "wmav2": CodecTraits(
      rates: [48_000, 44_100, 32_000, 22_050, 16_000, 11_025, 8_000], channels: 2,
      bitRates: 24...320),
  ]

  /// Source: ISO/IEC 14496-3, table 1.18.
  private static let aacRates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    7_350,
  ]

  private static func plainEncoding(_ codec: String) -> SampleEncoding {
    codec.place(of: "f32") != nil ? .f32 : codec.place(of: "s24") != nil ? .s24 : .s16
  }
}
