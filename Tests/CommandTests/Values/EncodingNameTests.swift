import AudioCore
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
  ])
  func names(_ text: String, _ expected: EncodingName) {
    #expect(EncodingName(text) == expected)
  }

  @Test(arguments: SampleEncoding.allCases)
  func everyRawValueIsAName(_ encoding: SampleEncoding) {
    #expect(EncodingName(encoding.rawValue) == EncodingName(encoding: encoding))
    #expect(EncodingName(encoding.rawValue.uppercased()) == EncodingName(encoding: encoding))
  }

  @Test(arguments: ["", "le", "s17", "u8le", "vorbisle", "s16xe", "s16lele", "wav"])
  func noNames(_ text: String) {
    #expect(EncodingName(text) == nil)
  }

  @Test func layouts() {
    #expect(EncodingName("S24_LE")?.layout() == SampleLayout(.s24In32, .little))
    #expect(EncodingName("S24_3LE")?.layout() == SampleLayout(.s24, .little))
    #expect(EncodingName("s16")?.layout(defaultByteOrder: .big) == SampleLayout(.s16, .big))
    #expect(EncodingName("s16le")?.layout(defaultByteOrder: .big) == SampleLayout(.s16, .little))
    #expect(EncodingName("opus")?.layout() == nil)
  }
}
