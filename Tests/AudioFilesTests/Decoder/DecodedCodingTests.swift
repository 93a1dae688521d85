// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioFiles

/// The encodings that suit ffmpeg's decoders, by ffprobe 5.1's reports of their streams.
@Suite struct DecodedCodingTests {
  /// Codecs, the decoder's format, the bits that it states, the exact encoding and the usual one.
  private static let table = """
    aac fltp 0 f32 s16
    ac3 fltp 0 f32 s16
    adpcm_ima_wav s16p 0 s16 s16
    alac s16p 16 s16 s16
    alac s32p 24 s24 s24
    amr_nb fltp 0 f32 s16
    ape s16p 16 s16 s16
    ape s32p 24 s24 s24
    atrac3 fltp 0 f32 s16
    cook fltp 0 f32 s16
    dsd_lsbf fltp 0 f32 f32
    dsd_lsbf_planar fltp 0 f32 f32
    dsd_msbf fltp 0 f32 f32
    dsd_msbf_planar fltp 0 f32 f32
    dst flt 0 f32 f32
    dts fltp 0 f32 s16
    dts s32p 24 s24 s24
    eac3 fltp 0 f32 s16
    flac s16 16 s16 s16
    flac s32 20 s24 s24
    flac s32 24 s24 s24
    flac s32 32 s32 s32
    g722 s16 0 s16 s16
    mlp s32 24 s24 s24
    mp2 fltp 0 f32 s16
    mp3 fltp 0 f32 s16
    mp4als s16 16 s16 s16
    mp4als s32 24 s24 s24
    mp4als flt 0 f32 f32
    musepack7 s16p 0 s16 s16
    opus fltp 0 f32 s16
    pcm_bluray s32 24 s24 s24
    pcm_dvd s32 20 s24 s24
    pcm_f32le flt 0 f32 f32
    pcm_f64le dbl 0 f64 f64
    pcm_s16be s16 0 s16 s16
    pcm_s24le s32 24 s24 s24
    pcm_s32le s32 0 s32 s32
    pcm_s64le s64 0 f64 f64
    pcm_u8 u8 0 u8 u8
    qdm2 s16 0 s16 s16
    ralf s16p 0 s16 s16
    s302m s32 24 s24 s24
    sbc s16p 0 s16 s16
    shorten s16p 0 s16 s16
    speex flt 0 f32 s16
    tak s32p 24 s24 s24
    truehd s32 24 s24 s24
    tta s32 24 s24 s24
    vorbis fltp 0 f32 s16
    wavpack fltp 32 f32 f32
    wavpack s32p 24 s24 s24
    wmalossless s32p 24 s24 s24
    wmapro fltp 0 f32 s16
    wmav2 fltp 0 f32 s16
    """

  @Test(arguments: table.split(separator: "\n").map(String.init))
  func theEncodingsOfACodec(_ row: String) throws {
    let words = row.split(separator: " ").map(String.init)
    let coding = DecodedCoding(
      codec: words[0], sampleFormat: words[1], bits: try #require(Int64(words[2])))
    #expect([coding.encoding.rawValue, coding.usualEncoding.rawValue] == Array(words[3...]))
  }
}
