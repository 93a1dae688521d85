// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A file that only names other files is not decoded, neither with its neighbours nor with any other readable file.
@Suite struct PlaylistTests {
  private let directory = TemporaryDirectory()

  /// `secret.ts` and `secret.wav` are the files that a list would reveal.
  init() throws {
    try directory.mustRun(
      """
      rawaudio convert noise:pink -d 1 -r 44100 -o secret.wav &&
        ffmpeg -nostdin -v error -i secret.wav -c:a aac -f mpegts secret.ts &&
        ffmpeg -nostdin -v error -i secret.wav -c:a aac secret.m4a
      """)
  }

  /// - Parameter byte: a control byte that makes the list look binary.
  private func list(_ kind: String, _ byte: String) -> String {
    let folder = directory.url.path
    return switch kind {
    case "hls":
      "#EXTM3U\n#EXT-X-VERSION:3\n#\(byte)\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n"
        + "\(folder)/secret.ts\n#EXT-X-ENDLIST\n"
    // A list without an end: a player asks for the next part again and again.
    case "hls without an end":
      "#EXTM3U\n#EXT-X-VERSION:3\n#\(byte)\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nsecret.ts\n"
    case "concat": "ffconcat version 1.0\n#\(byte)\nfile secret.wav\n"
    default:
      """
      <?xml version="1.0"?><!--\(byte)--><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" \
      profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" mediaPresentationDuration="PT1S"><Period>\
      <AdaptationSet mimeType="audio/mp4"><Representation id="1" bandwidth="1"><BaseURL>secret.m4a</BaseURL>\
      </Representation></AdaptationSet></Period></MPD>
      """
    }
  }

  @Test(arguments: [
    ("hls", "hls"), ("hls without an end", "hls"), ("concat", "concat"), ("dash", "dash"),
  ])
  func aListIsNotFollowed(_ kind: String, _ demuxer: String) throws {
    try directory.write(Array(list(kind, "\u{1}").utf8), "x.m4a")
    try directory.write(Array(list(kind, "").utf8), "text.m4a")
    let before = directory.names
    for words in [
      ["convert", "x.m4a", "-o", "out.wav"],
      ["convert", "x.m4a", "--decoder", "ffmpeg", "-o", "out.wav"],
      ["convert", "text.m4a", "--decoder", "ffmpeg", "-o", "out.wav"],
      ["info", "x.m4a"], ["info", "--decoder", "ffmpeg", "text.m4a"], ["measure", "x.m4a"],
    ] {
      let run = try directory.run(words)
      let name = words.contains("x.m4a") ? "x.m4a" : "text.m4a"
      #expect(run.ending == .exit(1))
      #expect(run.standardOutput.isEmpty)
      run.expectMessages(
        "cannot decode '\(name)': it is a list of other files (\(demuxer)), and those are not "
          + "followed; name the files themselves")
      #expect(directory.names == before)
    }
  }

  /// A pipe is decoded from a temporary file.
  @Test func aListFromAPipe() throws {
    try directory.write(Array(list("hls", "\u{1}").utf8), "x")
    let run = try directory.pipeline("cat x | rawaudio convert - --decoder ffmpeg -o out.wav")
    #expect(run.ending == .exit(1))
    #expect(
      run.standardError.hasPrefix("rawaudio: cannot decode 'standard input': it is a list of other")
    )
  }

  /// A container without sound, or outside the decoded ones, keeps its earlier error.
  @Test func whatHasNoSoundIsNoSound() throws {
    let run = try directory.pipeline(
      """
      ffmpeg -nostdin -v error -f lavfi -i color=red:s=64x64 -frames:v 1 a.png
      rawaudio convert a.png -o out.wav; rawaudio convert a.png --decoder ffmpeg -o out.wav
      """)
    #expect(run.ending == .exit(1))
    #expect(
      run.standardError == """
        rawaudio: cannot read 'a.png': it is not a sound file that libsndfile knows; for headerless data say \
        --input-type raw
        rawaudio: cannot decode 'a.png': ffmpeg takes it for 'png_pipe', which is not decoded here

        """)
  }

  /// The container is detected once: ffmpeg gets ffprobe's answer and may open no other.
  @Test func ffmpegIsToldTheContainer() throws {
    let folder = directory.url.appendingPathComponent("programs")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("ffmpeg")
    try Data("#!/bin/sh\nprintf '%s\\n' \"$@\" >told\nexec /usr/bin/ffmpeg \"$@\"\n".utf8).write(
      to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    let run = try directory.pipeline(
      "PATH=\"$PWD/programs:$PATH\" rawaudio convert -q secret.m4a -o out.wav && cat told")
    let words = run.outputText.split(separator: "\n").map(String.init)
    let input = words.prefix { $0 != "-i" }
    #expect(Array(input.suffix(2)) == ["-f", "mov"], "\(run.standardError)")
    for (option, unwanted) in [("-format_whitelist", "hls"), ("-protocol_whitelist", "http")] {
      let place = try #require(input.firstIndex(of: option))
      #expect(!input[place + 1].split(separator: ",").contains { $0 == unwanted })
    }
    #expect(words[input.count + 1] == "file:secret.m4a")
  }
}
