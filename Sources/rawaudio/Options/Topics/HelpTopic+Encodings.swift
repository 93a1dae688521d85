// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

extension HelpTopic {
  static let encodings = HelpTopic(
    name: "encodings", abstract: "How a sample is stored, as named by --format.",
    discussion: """
      Names may be in upper or lower case. A byte order may follow the plain ones, as in s16be or S16_LE; without one a \
      file has the usual one of its container, and headerless data that of this machine. FLAC has none, so that any \
      will do. Which container holds which \
      encoding is shown by 'rawaudio help formats'.
      """,
    sections: [
      Section(
        heading: "PLAIN SAMPLES",
        entries: [
          entry(.s16, "16 bits", "S16_LE, pcm_s16le, int16"),
          entry(.s24, "24 bits in three bytes", "S24_3LE, pcm_s24le, int24"),
          entry(.s32, "32 bits", "S32_LE, pcm_s32le, int32"),
          entry(
            .f32, "32-bit floating point, full scale at 1.0",
            "FLOAT_LE, pcm_f32le, flt, fltp, float32"),
          entry(.f64, "64-bit floating point", "FLOAT64_LE, pcm_f64le, dbl, dblp, double"),
          entry(.u8, "8 bits without a sign", "U8, pcm_u8, uint8"),
          entry(.s8, "8 bits", "S8, pcm_s8, int8"),
          entry(.ulaw, "8 bits of G.711 \u{B5}-law", "MU_LAW, pcm_mulaw"),
          entry(.alaw, "8 bits of G.711 A-law", "A_LAW, pcm_alaw"),
          HelpPage.Entry("S24_LE", "24 bits in four bytes, in headerless data and on devices."),
        ]),
      Section(
        heading: "WITH RATE AND CHANNELS",
        entries: [
          HelpPage.Entry(
            "cd", "s16, 44,100 Hz, stereo, unless --rate and --channels say otherwise."),
          HelpPage.Entry("dat", "As cd, at 48,000 Hz."),
        ]),
      Section(heading: "LOSSLESS CODECS", text: names { !$0.isLossy } + "."),
      Section(heading: "LOSSY CODECS", text: names(where: \.isLossy) + "."),
    ],
    examples: [
      Example(
        "Raw samples as numpy.float32 reads them:",
        "rawaudio convert take.wav -f float32 -t raw -o take.f32"),
      Example("As on a compact disc:", "rawaudio convert take.flac -f cd -o cd.wav"),
    ])

  private static func entry(
    _ encoding: SampleEncoding, _ what: String, _ others: String
  ) -> HelpPage.Entry {
    HelpPage.Entry(encoding.rawValue, "\(what). Also \(others).")
  }

  /// The codecs that do not store each sample by itself.
  private static func names(where isWanted: (SampleEncoding) -> Bool) -> String {
    SampleEncoding.allCases.filter { $0.bytesPerSample == nil && isWanted($0) }.map(\.rawValue)
      .joined(separator: ", ")
  }
}
