// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Testing

@testable import rawaudio

@Suite struct EncodingNameTests {
  @Test(arguments: [
    ("s16", EncodingName(encoding: .s16)), ("S16", EncodingName(encoding: .s16)),
    ("S16_LE", EncodingName(encoding: .s16, byteOrder: .little)),
    ("s16be", EncodingName(encoding: .s16, byteOrder: .big)),
    ("u8", EncodingName(encoding: .u8)), ("U8", EncodingName(encoding: .u8)),
    ("s24", EncodingName(encoding: .s24)),
    ("s24le", EncodingName(encoding: .s24, byteOrder: .little)),
    ("S24_3LE", EncodingName(encoding: .s24, byteOrder: .little)),
    ("S24_3BE", EncodingName(encoding: .s24, byteOrder: .big)),
    ("S24_LE", EncodingName(encoding: .s24, byteOrder: .little, isPadded: true)),
    ("S32_BE", EncodingName(encoding: .s32, byteOrder: .big)),
    ("FLOAT_LE", EncodingName(encoding: .f32, byteOrder: .little)),
    ("FLOAT64_BE", EncodingName(encoding: .f64, byteOrder: .big)),
    ("double", EncodingName(encoding: .f64)), ("MU_LAW", EncodingName(encoding: .ulaw)),
    ("A_LAW", EncodingName(encoding: .alaw)), ("vorbis", EncodingName(encoding: .vorbis)),
    ("IMA_ADPCM", EncodingName(encoding: .imaADPCM)), ("mp3", EncodingName(encoding: .mpegLayer3)),
    // Names of ffmpeg, libsndfile in Python, and numpy.
    ("pcm_s16le", EncodingName(encoding: .s16, byteOrder: .little)),
    ("pcm_s24be", EncodingName(encoding: .s24, byteOrder: .big)),
    ("pcm_f32le", EncodingName(encoding: .f32, byteOrder: .little)),
    ("pcm_u8", EncodingName(encoding: .u8)), ("pcm_mulaw", EncodingName(encoding: .ulaw)),
    ("PCM_24", EncodingName(encoding: .s24)), ("flt", EncodingName(encoding: .f32)),
    ("fltp", EncodingName(encoding: .f32)), ("dbl", EncodingName(encoding: .f64)),
    ("s16p", EncodingName(encoding: .s16)), ("int16", EncodingName(encoding: .s16)),
    ("uint8", EncodingName(encoding: .u8)), ("float32", EncodingName(encoding: .f32)),
    ("libmp3lame", EncodingName(encoding: .mpegLayer3)), ("libopus", EncodingName(encoding: .opus)),
    ("adpcm_ima_wav", EncodingName(encoding: .imaADPCM)),
  ])
  func names(_ text: String, _ expected: EncodingName) {
    #expect(EncodingName(text) == expected)
  }

  @Test(arguments: SampleEncoding.allCases)
  func everyRawValueIsAName(_ encoding: SampleEncoding) {
    #expect(EncodingName(encoding.rawValue) == EncodingName(encoding: encoding))
    #expect(EncodingName(encoding.rawValue.uppercased()) == EncodingName(encoding: encoding))
  }

  @Test(arguments: [
    "", "le", "s17", "u8le", "vorbisle", "s16xe", "s16lele", "wav", "16", "pcm_", "pcm_17", "pcm",
    "cd",
  ])
  func noNames(_ text: String) {
    #expect(EncodingName(text) == nil)
  }

  @Test func formatsOfArecord() throws {
    let s16 = EncodingName(encoding: .s16)
    for (text, rate) in [("cd", 44_100), ("CD", 44_100), ("dat", 48_000)] {
      #expect(
        try ValueSyntax<NamedFormat>.format.parse(text)
          == NamedFormat(encoding: s16, sampleRate: rate, channelCount: 2))
    }
    #expect(try ValueSyntax<NamedFormat>.format.parse("s16") == NamedFormat(encoding: s16))
    #expect(
      rejection(of: "wav", by: .format)
        == "it is a container, not an encoding; containers are named with --type wav")
    #expect(
      rejection(of: "30", by: .outputType)
        == "it is no container; how long is said with --duration 30")
  }

  @Test func layouts() {
    #expect(EncodingName("S24_LE")?.layout() == SampleLayout(.s24In32, .little))
    #expect(EncodingName("S24_3LE")?.layout() == SampleLayout(.s24, .little))
    #expect(EncodingName("s16")?.layout(defaultByteOrder: .big) == SampleLayout(.s16, .big))
    #expect(EncodingName("s16le")?.layout(defaultByteOrder: .big) == SampleLayout(.s16, .little))
    #expect(EncodingName("opus")?.layout() == nil)
  }
}
