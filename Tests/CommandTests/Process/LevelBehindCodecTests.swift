// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A codec moves peaks: files of lossy codecs keep the limit, the loudness and the peak as they are decoded. The meter is
/// that of ffmpeg.
@Suite struct LevelBehindCodecTests {
  private let directory = TemporaryDirectory()

  /// Loud noise far above full scale.
  private static let source =
    "rawaudio convert noise:pink,seed=5,gain=14 -d 6 -r 48000 -c 2 -f f32 -o a.wav"

  /// Runs a command and returns the loudness in LUFS and the true peak in dBTP, both to a tenth, of the file that it wrote.
  private func levels(_ command: String, of name: String) throws -> (
    loudness: Double, truePeak: Double, run: ProcessRun
  ) {
    let run = try directory.pipeline(command)
    let meter = try directory.pipeline(
      "ffmpeg -nostdin -hide_banner -i \(name) -af ebur128=peak=true -f null - 2>&1 | tail -n 14")
    func value(_ key: String) throws -> Double {
      let line = meter.outputText.split(separator: "\n").first { $0.contains(key) }
      let words = try #require(line, "\(meter.outputText)").split(separator: " ")
      return try #require(words.count > 1 ? Double(words[1]) : nil)
    }
    return (try value("I:"), try value("Peak:"), run)
  }

  /// The limited sound without a second look is beyond the limit behind each of these codecs.
  @Test(arguments: ["m4a", "mp3", "ogg", "opus"]) func theLimitIsKept(_ type: String) throws {
    try directory.mustRun(Self.source)
    let name = "b.\(type)"
    let once = try levels(
      "rawaudio convert a.wav --limit -1 -f f32 -o l.wav && rawaudio convert l.wav -o once.\(type)",
      of: "once.\(type)")
    #expect(once.truePeak >= 0)
    let kept = try levels("rawaudio convert a.wav --limit -1 -o \(name)", of: name)
    #expect(kept.truePeak <= -1 && kept.truePeak > -2.5)
    #expect(kept.run.ending == .exit(0) && kept.run.standardError == "")
    // The loudness behind the codec, too.
    let loud = try levels(
      "rawaudio convert a.wav --loudness -12 --limit -1 --fail-on loudness -o \(name) --force",
      of: name)
    #expect(loud.truePeak <= -1)
    #expect(abs(loud.loudness + 12) < 0.06)
    #expect(loud.run.ending == .exit(0))
    // The ceiling of a loudness without a limiter, and the gain of a mix.
    for command in ["convert a.wav", "mix a.wav", "concat a.wav"] {
      let soft = try levels(
        "rawaudio \(command) --loudness -6 --fail-on loudness -o \(name) --force", of: name)
      #expect(soft.truePeak <= -1)
      #expect(soft.run.ending == .exit(2))
    }
    #expect(directory.names == ["a.wav", name, "l.wav", "once.\(type)"].sorted())
  }

  @Test(arguments: ["m4a", "mp3", "ogg", "opus"]) func thePeakIsKept(_ type: String) throws {
    try directory.mustRun(Self.source)
    for command in ["convert", "mix"] {
      let run = try directory.pipeline(
        "rawaudio \(command) a.wav --normalize -1 -o b.\(type) --force && rawaudio measure -q --json b.\(type)"
      )
      let object = try JSONSerialization.jsonObject(with: Data(run.standardOutput))
      let found = try #require((object as? [[String: Any]])?.first)
      #expect(abs(try #require(found["samplePeak"] as? Double) + 1) < 0.1)
    }
  }

  /// In a video, on a track behind another one, from a pipe, and in a list.
  @Test func theLimitIsKeptEverywhere() throws {
    try directory.mustRun(Self.source)
    try directory.mustRun(
      """
      ffmpeg -nostdin -v error -f lavfi -i testsrc=d=6:s=64x48 -f lavfi -i anullsrc=d=6:r=48000 -i a.wav -map 0:v -map 1:a \
        -map 2:a -c:v mpeg4 -c:a aac f.mp4
      """)
    let film = try levels(
      """
      rawaudio convert -q f.mp4 --track 2 --limit -1 -o g.mp4 &&
        ffmpeg -nostdin -v error -i g.mp4 -map 0:a:1 -c copy g.m4a
      """, of: "g.m4a")
    #expect(film.truePeak <= -1 && film.truePeak > -2.5)
    let pipe = try levels("cat a.wav | rawaudio convert - --limit -1 -o p.m4a", of: "p.m4a")
    #expect(pipe.truePeak <= -1)
    for encoding in ["ulaw", "ima-adpcm"] {
      let wave = try levels(
        "rawaudio convert a.wav --limit -1 -f \(encoding) -o w.wav --force", of: "w.wav")
      #expect(wave.truePeak <= -1)
    }
    let list = try levels(
      "cp a.wav b.wav && rawaudio convert a.wav b.wav --limit -1 -o 'o/{stem}.ogg'", of: "o/b.ogg")
    #expect(list.truePeak <= -1)
  }

  /// Where a file is not written again, a note tells.
  @Test(arguments: [
    ("-t mp3 -o - >b.mp3", "standard output"), ("-o b-%02d.ogg --split 3", "b-%02d.ogg"),
  ])
  func theRestIsTold(_ output: String, _ name: String) throws {
    try directory.mustRun(Self.source)
    let run = try directory.pipeline("rawaudio convert a.wav --limit -1 \(output)")
    run.expectMessages(
      "the codec of '\(name)' may raise peaks beyond -1.0 dBTP; only a single file is decoded and written again"
    )
  }

  /// A codec without losses, and one that only rounds, are written once.
  @Test(arguments: ["wav", "flac", "mka"]) func losslessFilesAreWrittenOnce(_ type: String) throws {
    try directory.mustRun(Self.source)
    let kept = try levels("rawaudio convert a.wav --limit -1 -o b.\(type)", of: "b.\(type)")
    #expect(kept.truePeak <= -1 && kept.truePeak > -1.3)
    #expect(kept.run.standardError == "")
  }
}
