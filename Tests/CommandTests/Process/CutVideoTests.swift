// SPDX-License-Identifier: Apache-2.0
import Testing

/// Files that ffmpeg decodes and that end too early are truncated, whatever ffmpeg says; a stated end is kept.
@Suite struct CutVideoTests {
  private static let sources =
    "ffmpeg -nostdin -v error -f lavfi -i testsrc=d=4:s=64x48:r=10 -f lavfi -i anoisesrc=d=4:r=48000:seed=1"

  /// Names, the last of which ends with the container's, and the options that make the file.
  @Test(arguments: [
    ("live.mkv", "-c:v mpeg4 -c:a aac -live 1"),
    ("piped.mkv", "-c:v mpeg4 -c:a ac3 -f matroska pipe:1 >"),
    ("f.mkv", "-c:v mpeg4 -c:a flac"), ("live.webm", "-c:v libvpx -c:a libopus -live 1"),
    ("sound.mka", "-map 1 -c:a libvorbis"), ("f.mp4", "-c:v mpeg4 -c:a aac -movflags faststart"),
    ("parts.mp4", "-c:v mpeg4 -c:a aac -movflags frag_keyframe+empty_moov"),
    ("f.avi", "-c:v mpeg4 -c:a mp2"), ("f.wmv", "-c:v wmv2 -c:a wmav2"),
    ("f.flv", "-c:v flv1 -c:a aac"), ("f.ts", "-c:v mpeg2video -c:a ac3"),
    ("f.m2ts", "-c:v mpeg2video -c:a ac3"), ("f.mpg", "-c:v mpeg2video -c:a mp2"),
    ("s.aac", "-map 1 -c:a aac"), ("s.ac3", "-map 1 -c:a ac3"), ("s.eac3", "-map 1 -c:a eac3"),
    ("s.dts", "-map 1 -c:a dca -strict -2"), ("s.thd", "-map 1 -c:a truehd -strict -2"),
    ("s.wv", "-map 1 -c:a wavpack"), ("s.tta", "-map 1 -c:a tta"),
    ("s.spx", "-map 1 -ar 16000 -c:a libspeex"),
  ])
  func aCutFileIsTruncated(_ name: String, _ options: String) throws {
    let directory = TemporaryDirectory()
    let run = try directory.pipeline(
      """
      \(Self.sources) \(options) \(name) && head -c $(($(stat -c %s \(name)) * 7 / 10 + 77)) \(name) >cut-\(name) &&
        for file in \(name) cut-\(name); do
          rawaudio convert -q $file -t raw -o $file.raw --fail-on truncated --results - 2>/dev/null |
            grep -o '"truncated":[a-z]*'
          echo "${PIPESTATUS[0]}"
          rawaudio info --json $file | grep -o '"truncated": [a-z]*'
        done
      """)
    var expected = [
      #""truncated":false"#, "0", #""truncated": false"#, #""truncated":true"#, "2",
      #""truncated": true"#,
    ]
    // Only decoding shows it.
    if name.hasSuffix("tta") { expected[5] = #""truncated": false"# }
    #expect(run.outputText.split(separator: "\n").map(String.init) == expected)
  }

  /// A file of AAC states how many samples count; `info` says so, and files joined have none between them.
  @Test(arguments: ["aac", "alac"])
  func joinedFilesHaveNoPadding(_ codec: String) throws {
    let directory = TemporaryDirectory()
    let lengths = [100_000, 48_000, 123_457]
    try directory.mustRun(
      lengths.map { length in
        """
        rawaudio convert noise:white -d \(length)S -r 48000 -c 1 -f s16 -o \(length).wav &&
          ffmpeg -nostdin -v error -i \(length).wav -c:a \(codec) \(length).m4a
        """
      }.joined(separator: " && "))
    for length in lengths {
      let run = try directory.pipeline(
        """
        rawaudio convert -q \(length).m4a -t raw -f s16 | wc -c
        rawaudio info --json \(length).m4a | grep -o 'claimedSamplesPerChannel": [0-9]*'
        """)
      #expect(
        run.outputText == "\(2 * length)\nclaimedSamplesPerChannel\": \(length)\n")
    }
    let run = try directory.pipeline(
      "rawaudio concat -q \(lengths.map { "\($0).m4a" }.joined(separator: " ")) -t raw -f s16 | wc -c"
    )
    #expect(run.outputText == "\(2 * lengths.reduce(0, +))\n")
  }

  /// The last time stamp minus the first one is no length if another recording begins between them.
  @Test(arguments: [("3600", "not stated"), ("0", "not stated"), ("4", "0:00:0")])
  func aLengthThatCannotBeIsNotStated(_ offset: String, _ expected: String) throws {
    let directory = TemporaryDirectory()
    let run = try directory.pipeline(
      """
      \(Self.sources) -c:v mpeg2video -c:a ac3 a.ts &&
        ffmpeg -nostdin -v error -i a.ts -c copy -output_ts_offset \(offset) b.ts && cat a.ts b.ts >both.ts &&
        rawaudio info both.ts | grep duration && rawaudio info a.ts | grep duration
      """)
    let lines = run.outputText.split(separator: "\n")
    #expect(lines.first?.hasPrefix("duration:     \(expected)") == true, "\(run.outputText)")
    #expect(lines.last?.hasPrefix("duration:     0:00:0") == true)
  }
}
