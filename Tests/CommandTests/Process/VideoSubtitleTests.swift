// SPDX-License-Identifier: Apache-2.0
import Testing

/// Subtitles of text become those of the new container; pictures of subtitles stay, or are reported.
@Suite struct VideoSubtitleTests {
  private static let text =
    "1\n00:00:00,100 --> 00:00:00,900\nHello <i>you</i>\n\n2\n00:00:01,100 --> 00:00:01,900\nYou\n\n"

  /// Two seconds of pictures with sound that begins with them, and subtitles in Spanish.
  private func film(_ name: String, _ subtitles: String, webM: Bool = false) throws
    -> TemporaryDirectory
  {
    let directory = TemporaryDirectory()
    try directory.write(Array(Self.text.utf8), "t.srt")
    let codecs = webM ? "-c:v libvpx -c:a libopus" : "-c:v mpeg4 -c:a flac -strict experimental"
    try directory.mustRun(
      """
      rawaudio convert noise:white,seed=1 -d 2 -r 48000 -c 1 -f s16 --gain -20 -o a.wav &&
        ffmpeg -nostdin -v error -f lavfi -i testsrc=d=2:s=64x48 -i a.wav -i t.srt -map 0 -map 1 -map 2 \(codecs) \
          -c:s \(subtitles) -metadata:s:s:0 language=spa -fflags +bitexact \(name)
      """)
    return directory
  }

  @Test(arguments: [
    ("f.mp4", "mov_text", "out.mkv", "subrip"), ("f.mkv", "srt", "out.mp4", "mov_text"),
    ("f.mkv", "ass", "out.mp4", "mov_text"), ("f.mkv", "webvtt", "out.mov", "mov_text"),
  ])
  func textIsConverted(
    _ name: String, _ was: String, _ out: String, _ becomes: String
  ) throws {
    let directory = try film(name, was)
    let run = try directory.run("convert", name, "--gain", "-1", "-o", out)
    #expect(run.ending == .exit(0))
    let former = was == "srt" ? "subrip" : was
    #expect(
      run.standardError.contains(
        "rawaudio: the subtitles of '\(out)' are \(becomes) now, and were \(former)\n"))
    #expect(!run.standardError.contains("subtitle,"))
    let listed = try directory.pipeline(
      "ffprobe -v error -select_streams s -show_entries stream=codec_name:stream_tags=language -of csv=p=0 \(out)"
    )
    #expect(listed.outputText == "\(becomes),spa\n")
    let text = try directory.pipeline("ffmpeg -nostdin -v error -i \(out) -map 0:s -f srt -")
    #expect(text.outputText == Self.text)
  }

  @Test func webMGetsWebVTT() throws {
    let directory = try film("f.mkv", "srt", webM: true)
    let run = try directory.run("convert", "f.mkv", "--gain", "-1", "-o", "out.webm")
    run.expectExit(
      0, "'f.mkv' is decoded by ffmpeg (opus)",
      "the subtitles of 'out.webm' are webvtt now, and were subrip")
    // Both begin 14 ms before the pictures, as the sound does: Opus has a delay.
    let text = try directory.pipeline(
      "for film in f.mkv out.webm; do ffmpeg -nostdin -v error -i $film -map 0:s -f srt -; done")
    let lines = text.outputText.split(separator: "\n")
    #expect(lines.count == 12 && lines.prefix(6) == lines.suffix(6), "\(lines)")
  }

  /// A stream of PGS that shows nothing.
  @Test func picturesStayOrAreNamed() throws {
    let directory = try film("t.mkv", "srt")
    func segment(_ time: UInt32, _ kind: UInt8, _ content: [UInt8]) -> [UInt8] {
      let time = (0..<4).map { UInt8(truncatingIfNeeded: time >> (24 - 8 * $0)) }
      return Array("PG".utf8) + time + [0, 0, 0, 0, kind, 0, UInt8(content.count)] + content
    }
    let stream = (0..<4).flatMap { (number: UInt8) -> [UInt8] in
      let time: UInt32 = 9_000 + 36_000 * UInt32(number)
      let composition: [UInt8] = [0, 64, 0, 48, 16, 0, number, 0x80, 0, 0, 0]
      return segment(time, 0x16, composition) + segment(time, 0x80, [])
    }
    try directory.write(stream, "p.sup")
    try directory.mustRun(
      "ffmpeg -nostdin -v error -i t.mkv -i p.sup -map 0 -map 1 -c copy -fflags +bitexact f.mkv")
    try directory.run("convert", "-q", "f.mkv", "--gain", "-1", "-o", "out.mkv").expectExit(0)
    try directory.run("convert", "f.mkv", "--gain", "-1", "-o", "out.mp4").expectExit(
      0, "'f.mkv' is decoded by ffmpeg (flac)",
      "the subtitles of 'out.mp4' are mov_text now, and were subrip",
      "the sound of 'out.mp4' is aac now, and was flac",
      "'out.mp4' does not carry stream 3 (subtitle, hdmv_pgs_subtitle) (ffmpeg does not write it into mp4)"
    )
    let listed = try directory.pipeline(
      """
      for film in out.mkv out.mp4; do
        ffprobe -v error -select_streams s -show_entries stream=codec_name -of csv=p=0 $film
      done
      """)
    #expect(listed.outputText == "subrip\nhdmv_pgs_subtitle\nmov_text\n")
  }
}
