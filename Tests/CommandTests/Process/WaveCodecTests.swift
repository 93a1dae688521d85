// SPDX-License-Identifier: Apache-2.0
import Testing

/// WAV files of codecs, whose header libsndfile writes.
struct WaveCodecTests {
  @Test(arguments: ["gsm610", "ima-adpcm", "ms-adpcm", "g721-32", "nms-adpcm-32"])
  func textsAndMarksStandBehindTheSamples(_ codec: String) throws {
    let directory = TemporaryDirectory()
    try directory.write(Array("start,label\n0.5,Half\n".utf8), "marks.csv")
    try directory.run(
      "convert", "tone:440", "-r", "8000", "-d", "8001S", "-f", codec, "--tag", "TITLE=Dawn",
      "--marks", "marks.csv", "-o", "a.wav"
    ).expectExit(0)
    let bytes = try directory.bytes("a.wav")
    #expect(bytes.prefix(4) == [0x52, 0x49, 0x46, 0x46])
    let size = bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect(size == bytes.count - 8)
    let page = try directory.run("info", "--json", "a.wav").outputText
    #expect(page.contains(#""Dawn""#) && page.contains(#""Half""#), "\(page)")
    #expect(page.contains(#""samplesPerChannel": 8001"#), "\(page)")
    let title = try directory.pipeline(
      "ffprobe -v error -show_entries format_tags=title -of csv=p=0 a.wav")
    #expect(title.outputText == "Dawn\n")
  }

  /// Samples are decoded unless they are to be encoded again, which is told.
  @Test(arguments: [("wav", "gsm610"), ("wav", "ima-adpcm"), ("aiff", "gsm610")])
  func aLossyCodecIsLeftTellingIt(_ kind: String, _ codec: String) throws {
    let directory = TemporaryDirectory()
    try directory.run(
      "convert", "tone:440", "-r", "8000", "-d", "8001S", "-f", codec, "-o", "a.\(kind)"
    )
    .expectExit(0)
    let info = try directory.run("info", "--json", "a.\(kind)").outputText
    #expect(info.contains(#""samplesPerChannel": 8001"#), "\(info)")
    let line = ["convert", "a.\(kind)", "--gain", "-1", "-o"]
    try directory.run(line + ["b.\(kind)"]).expectExit(
      0, "'b.\(kind)' is s16 now, and its source \(codec); -f \(codec) encodes it again")
    try directory.run(line + ["c.\(kind)", "-f", codec]).expectExit(0)
    try directory.run(line + ["d.flac"]).expectExit(0)
  }

  /// W64 does not state the length of sound in blocks.
  @Test(arguments: ["gsm610", "ima-adpcm", "ms-adpcm"])
  func noBlocksGoIntoW64(_ codec: String) throws {
    let run = try TemporaryDirectory().run(
      "convert", "tone:440", "-d", "1", "-f", codec, "-o", "a.w64")
    run.expectExit(
      1, "cannot store \(codec) in 'w64': it holds only u8, s16, s24, s32, f32, f64, ulaw, alaw")
  }
}
