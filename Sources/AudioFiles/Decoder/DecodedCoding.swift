// SPDX-License-Identifier: Apache-2.0
/// The encodings that suit the output of one of ffmpeg's decoders.
struct DecodedCoding {
  /// The plain encoding that holds the output exactly.
  let encoding: SampleEncoding
  /// Whether the codec changes the samples, if its name tells.
  let isLossy: Bool
  /// The encoding of a new file, unless another one is asked for: 16 bits of a lossy codec, as with MP3.
  let usualEncoding: SampleEncoding

  /// - Parameters:
  ///   - codec: ffmpeg's name of it.
  ///   - sampleFormat: ffmpeg's name of the decoder's (libavutil/samplefmt.h). A trailing `p` means planar channels.
  ///   - bits: of a sample, if the decoder tells; otherwise 0.
  init(codec: String, sampleFormat: String, bits: Int64) {
    encoding =
      switch sampleFormat {
      case "u8", "u8p": .u8
      case "s16", "s16p": .s16
      case "s32", "s32p": (1...24).contains(bits) ? .s24 : .s32
      case "dbl", "dblp", "s64", "s64p": .f64
      default: .f32
      }
    isLossy =
      !codec.hasPrefix("pcm_") && !codec.hasPrefix("dsd_") && !Self.losslessCodecs.contains(codec)
    // DTS, whose name tells nothing, gives integers if it is lossless.
    let isWide = encoding == .s24 || encoding == .s32
    usualEncoding = isLossy && !isWide ? .s16 : encoding
  }

  private static let losslessCodecs: Set<String> = [
    "alac", "ape", "dst", "flac", "mlp", "mp4als", "osq", "ralf", "s302m", "shorten", "tak",
    "truehd",
    "tta", "wavarc", "wavpack", "wmalossless",
  ]
}
