// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `convert --loudness` and `--replaygain`: one gain, limited by the true peak, and the tags about it.
@Suite struct LevellingTests {
  private let directory = TemporaryDirectory()

  private func writeTone(_ level: Double, _ name: String, seconds: Double = 4) throws {
    var signal = LoudnessSignal()
    signal.add(level, seconds: seconds, frequency: 997)
    try directory.write(signal.file, name)
  }

  private func convert(_ words: String...) throws -> ProcessRun {
    try directory.run(["convert"] + words)
  }

  private func loudness(_ name: String) throws -> Double {
    try #require(try MeasuredLoudness(of: name, in: directory)["loudness"])
  }

  /// Returns the texts of a file, by name.
  private func tags(_ name: String) throws -> [String: String] {
    let run = try directory.run("info", "--json", name)
    let read = try JSONSerialization.jsonObject(with: Data(run.standardOutput))
    let object = try #require((read as? [[String: Any]])?.first)
    guard let carried = object["carried"] as? [String: Any] else { return [:] }
    return try #require(carried["tags"] as? [String: Any]).compactMapValues {
      ($0 as? [String])?.first ?? $0 as? String
    }
  }

  @Test func toALoudness() throws {
    try writeTone(-30, "a.wav")
    try convert("a.wav", "--loudness", "-16", "--true-peak", "-1", "-o", "b.wav").expectExit(0)
    #expect(abs(try loudness("b.wav") + 16) < 0.01)
  }

  /// Every sample has an equal factor: no compressor.
  @Test func itIsLinear() throws {
    var signal = LoudnessSignal()
    for level in [-40.0, -30, -25, -50] { signal.add(level, seconds: 2, frequency: 997) }
    try directory.write(signal.file, "a.wav")
    _ = try convert("a.wav", "--loudness", "-20", "-o", "b.wav")
    func floats(_ name: String) throws -> [Float] {
      let file = try #require(WaveFile(parsing: try directory.bytes(name)))
      return stride(from: 0, to: file.samples.count, by: 4).map { place in
        Float(bitPattern: UInt32(littleEndian(file.samples, at: place, 4)))
      }
    }
    let (before, after) = (try floats("a.wav"), try floats("b.wav"))
    try #require(before.count == after.count)
    let peak = try #require(before.indices.max { abs(before[$0]) < abs(before[$1]) })
    let factor = Double(after[peak]) / Double(before[peak])
    let off = before.indices.first {
      abs(Double(after[$0]) - factor * Double(before[$0])) > 3e-7 * abs(Double(after[$0])) + 1e-30
    }
    #expect(off == nil)
  }

  @Test func itStopsShortWhereThePeakForbidsIt() throws {
    var signal = LoudnessSignal()
    signal.add(-30, seconds: 4, frequency: 997)
    signal.add(-6, seconds: 0.02, frequency: 997)
    signal.add(-30, seconds: 4, frequency: 997)
    try directory.write(signal.file, "a.wav")
    let run = try convert(
      "a.wav", "--loudness", "-16", "--true-peak", "-1", "--fail-on", "loudness", "-o", "b.wav")
    #expect(run.ending == .exit(2))
    #expect(run.standardError.hasPrefix("rawaudio: 'a.wav' stops "))
    #expect(
      run.standardError.hasSuffix(
        " LU short of -16.0 LUFS: the true peak would be beyond -1.0 dBTP; --limit -1 goes on\n"))
    let measured = try MeasuredLoudness(of: "b.wav", in: directory)
    #expect(abs(try #require(measured["truePeak"]) + 1) < 0.01)
    let before = try MeasuredLoudness(of: "a.wav", in: directory)
    let gain = -1 - (try #require(before["truePeak"]))
    let short = -16 - (try #require(before["loudness"])) - gain
    #expect(run.standardError.contains("stops \((short * 10).rounded() / 10) LU"))
    let without = try convert("a.wav", "--loudness", "-16", "-o", "c.wav")
    #expect(without.ending == .exit(0))
    let limited = try convert(
      "a.wav", "--loudness", "-16", "--limit", "-1", "--fail-on", "loudness", "-o", "d.wav")
    #expect(limited.ending == .exit(0))
    #expect(abs(try loudness("d.wav") + 16) <= 0.05)
  }

  @Test func whatHasNoLoudnessStaysAsItIs() throws {
    try directory.write(WaveBytes.file([Int16](repeating: 0, count: 48_000)), "a.wav")
    let run = try convert("a.wav", "--loudness", "-16", "-o", "b.wav")
    run.expectExit(
      0, "'a.wav' has no loudness, being silent or too short; its level stays as it is")
    #expect(try WaveBytes.samples(directory.bytes("b.wav")) == [Int16](repeating: 0, count: 48_000))
  }

  @Test func aPipeGoesThroughATemporaryFile() throws {
    try writeTone(-30, "a.wav")
    try directory.mustRun("cat a.wav | rawaudio convert - --loudness -23 -o b.wav")
    #expect(abs(try loudness("b.wav") + 23) < 0.01)
  }

  /// One gain for all files keeps their difference of 10 LU.
  @Test func anAlbum() throws {
    try writeTone(-20, "a.wav")
    try writeTone(-30, "b.wav")
    let run = try convert(
      "a.wav", "b.wav", "--loudness", "-18", "--album", "--replaygain", "-o", "out/{stem}.flac",
      "-f", "s24")
    #expect(run.ending == .exit(0))
    let (a, b) = (try loudness("out/a.flac"), try loudness("out/b.flac"))
    #expect(abs(a - b - 10) < 0.02)
    // The mean is 2.6 LU below the louder file; the album's gate, 10 LU below that, drops nothing.
    #expect(abs(10 * log10((pow(10, a / 10) + pow(10, b / 10)) / 2) + 18) < 0.02)
    let tags = try tags("out/b.flac")
    #expect(tags["REPLAYGAIN_ALBUM_GAIN"] == "0.00 dB")
    let track = try #require(tags["REPLAYGAIN_TRACK_GAIN"]).split(separator: " ")
    #expect(abs(try #require(Double(track[0])) - (-18 - b)) < 0.02)
  }

  /// The gain of an album is found behind the limiters of all its files.
  @Test func anAlbumBehindALimiter() throws {
    try writeTone(-20, "a.wav")
    var signal = LoudnessSignal()
    for _ in 0..<8 {
      signal.add(-30, seconds: 0.45, frequency: 997)
      signal.add(-6, seconds: 0.05, frequency: 997)
    }
    try directory.write(signal.file, "b.wav")
    let words = ["--limit", "-3", "--album", "--fail-on", "loudness", "-f", "f32", "--force"]
    func album(_ loudness: String) throws -> ProcessRun {
      try directory.run(
        ["convert", "a.wav", "b.wav", "--loudness", loudness, "-o", "out/{stem}.wav"] + words)
    }
    #expect(try album("-12").ending == .exit(0))
    // Both files are four seconds long, and all of their blocks are above the gates.
    let powers = try ["a", "b"].map { pow(10, try loudness("out/\($0).wav") / 10) }
    #expect(abs(10 * log10((powers[0] + powers[1]) / 2) + 12) <= 0.05)
    for name in ["out/a.wav", "out/b.wav"] {
      let peak = try #require(try MeasuredLoudness(of: name, in: directory)["truePeak"])
      #expect(peak <= -3)
    }
    let short = try album("0")
    #expect(short.ending == .exit(2))
    #expect(short.standardError.hasPrefix("rawaudio: the album reaches -"))
    #expect(
      short.standardError.contains(
        " LUFS, not 0.0: behind the limit of -3.0 dBTP more gain changes nothing\n"))
  }

  @Test func replayGainTags() throws {
    try writeTone(-20, "a.wav")
    _ = try convert("a.wav", "--replaygain", "-o", "b.flac", "-f", "s24")
    let tags = try tags("b.flac")
    let gain = try #require(tags["REPLAYGAIN_TRACK_GAIN"])
    #expect(gain.hasSuffix(" dB"))
    let decibels = try #require(Double(gain.dropLast(3)))
    let wanted = -18 - (try loudness("a.wav"))
    #expect(abs(decibels - wanted) < 0.011)
    let peak = try #require(tags["REPLAYGAIN_TRACK_PEAK"].flatMap { Double($0) })
    #expect(abs(peak - 0.1) < 0.001)
    #expect(tags["REPLAYGAIN_REFERENCE_LOUDNESS"] == "-18.00 LUFS")
    #expect(tags["REPLAYGAIN_ALBUM_GAIN"] == nil)
    // The tags include an additional gain.
    _ = try convert("a.wav", "--replaygain", "--gain", "-6", "-o", "c.flac", "-f", "s24")
    let softer = try #require(try self.tags("c.flac")["REPLAYGAIN_TRACK_GAIN"]?.dropLast(3))
    let difference = try #require(Double(softer)) - decibels
    #expect(abs(difference - 6) < 0.011)
  }

  /// To Opus, through other rates, and back: the gain of each file is that of its own kind.
  @Test func gainsOfOtherKindsOfFiles() throws {
    try directory.mustRun(
      """
      rawaudio convert tone:440 -d 1 -r 44100 -f s16 --tag 'REPLAYGAIN_TRACK_GAIN=-3.21 dB' \
        --tag REPLAYGAIN_TRACK_PEAK=0.9 --tag MP3GAIN_UNDO=+004,+004,N --tag MP3GAIN_MINMAX=100,200 -o a.flac
      """)
    let run = try convert("a.flac", "-r", "48000", "-o", "b.opus")
    run.expectExit(0)
    #expect(try tags("b.opus") == ["R128_TRACK_GAIN": "-2102"])
    try convert("a.flac", "-o", "a48.flac", "-r", "48000").expectExit(0)
    #expect(try tags("a48.flac") == ["REPLAYGAIN_TRACK_GAIN": "-3.21 dB"])
    try directory.mustRun("rawaudio convert b.opus --tag REPLAYGAIN_TRACK_PEAK=0.9 -o p.flac")
    try convert("p.flac", "-o", "p.opus").expectExit(
      0, "'p.opus' does not carry tag REPLAYGAIN_TRACK_PEAK (opus has no place for it)")
    for kind in ["flac", "mp3", "ogg", "wav", "aiff", "caf"] {
      try convert("b.opus", "-o", "c.\(kind)", "--force").expectExit(0)
      #expect(try tags("c.\(kind)") == ["REPLAYGAIN_TRACK_GAIN": "-3.21 dB"])
    }
    try convert("b.opus", "-o", "c.opus").expectExit(0)
    #expect(try tags("c.opus") == ["R128_TRACK_GAIN": "-2102"])
    // What mp3gain said of the old level goes with the other measurements.
    try convert("a.flac", "--gain", "-1", "-o", "d.mp3").expectExit(0)
    #expect(try tags("d.mp3").isEmpty)
  }

  /// In steps of 1/256 dB to -23 LUFS; the gain in the header stays 0.
  @Test func opusTags() throws {
    try writeTone(-20, "a.wav")
    let run = try convert("a.wav", "--replaygain", "-o", "b.opus")
    #expect(run.ending == .exit(0))
    let tags = try tags("b.opus")
    let steps = try #require(tags["R128_TRACK_GAIN"].flatMap { Int($0) })
    #expect(abs(Double(steps) - 256 * (-23 - (try loudness("a.wav")))) <= 1)
    #expect(tags["REPLAYGAIN_TRACK_GAIN"] == nil)
    let bytes = try directory.bytes("b.opus")
    let head = Array("OpusHead".utf8)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: head) })
    #expect(Array(bytes[start + 16..<start + 18]) == [0, 0])
  }

  @Test(arguments: [
    ["--true-peak", "-1"]: "'--true-peak <dbtp>' needs '--loudness <lufs>'",
    ["--album"]: "'--album' needs '--loudness <lufs>' or '--replaygain'",
    ["--loudness", "-16", "--normalize", "-1"]:
      "'--loudness <lufs>' and '--normalize <db>' both set the level; one is enough",
  ])
  func mistakes(_ words: [String], _ reason: String) throws {
    let run = try directory.run(["convert", "a.wav", "-o", "b.wav"] + words)
    #expect(run.ending == .exit(64))
    #expect(run.standardError.contains(reason), "\(run.standardError)")
  }

  /// The message of `--tag`, before any write.
  @Test(arguments: [
    ["--replaygain"], ["--loudness", "-20", "--replaygain"], ["--tag", "TITLE=a"],
  ])
  func aFileWithoutAHeaderHasNoTags(_ words: [String]) throws {
    try writeTone(-20, "a.wav", seconds: 1)
    let run = try directory.run(["convert", "a.wav", "-o", "b.raw"] + words)
    run.expectExit(1, "cannot write tags to 'b.raw': a file without a header has none")
    #expect(!FileManager.default.fileExists(atPath: directory.file("b.raw").path))
  }

  /// The tags include the gain of `--normalize`.
  @Test(arguments: [["--normalize", "-1"], ["--normalize", "-3", "--gain", "-2", "--invert"]])
  func tagsAreOfTheLevelThatIsWritten(_ words: [String]) throws {
    try writeTone(-20, "a.wav")
    let run = try directory.run(
      ["convert", "a.wav", "--replaygain", "-o", "b.flac", "-f", "s24"] + words)
    #expect(run.ending == .exit(0))
    let tags = try tags("b.flac")
    let gain = try #require(tags["REPLAYGAIN_TRACK_GAIN"]?.split(separator: " ").first)
    #expect(abs(try #require(Double(gain)) - (-18 - (try loudness("b.flac")))) < 0.02)
    let peak = try #require(tags["REPLAYGAIN_TRACK_PEAK"].flatMap { Double($0) })
    let found = try #require(try MeasuredLoudness(of: "b.flac", in: directory)["truePeak"])
    #expect(abs(20 * log10(peak) - found) < 0.02)
  }

  /// A list read to its end in the first pass would be empty in the second.
  @Test(arguments: [
    ("rawaudio convert --list -", "standard input"),
    ("rawaudio convert --list /dev/stdin", "'/dev/stdin'"),
    ("mkfifo list && rawaudio convert --list list", "'list'"),
  ])
  func theListOfAnAlbumIsReadTwice(_ command: String, _ name: String) throws {
    try writeTone(-20, "a.wav", seconds: 1)
    let run = try directory.pipeline(
      "echo a.wav | { \(command) --loudness -16 --album -o 'out/{stem}.wav'; }")
    #expect(run.ending == .exit(64))
    #expect(
      run.standardError.hasPrefix(
        "Error: '--album' reads the list twice; \(name) can be read once\n"),
      "\(run.standardError)")
  }

  /// The other files do not wait for it.
  @Test func aPartOfAnAlbumIsReadTwice() throws {
    try writeTone(-20, "a.wav")
    let run = try directory.pipeline(
      "mkfifo b.wav && rawaudio convert a.wav b.wav --loudness -16 --album -o 'out/{stem}.wav'")
    #expect(run.ending == .exit(1))
    #expect(
      run.standardError.hasPrefix(
        "rawaudio: cannot read 'b.wav': an album is read twice, and this can be read once"),
      "\(run.standardError)")
    #expect(abs(try loudness("out/a.wav") + 16) < 0.01)
  }

  /// Not a third time: the second pass knows the first pass's results for each file.
  @Test func eachPartOfAnAlbumIsDecodedTwice() throws {
    try writeTone(-20, "a.wav", seconds: 1)
    let run = try directory.pipeline(
      """
      mkdir programs && printf '#!/bin/sh\\necho >> "$RUNS"\\nexec /usr/bin/ffmpeg "$@"\\n' > programs/ffmpeg &&
        chmod +x programs/ffmpeg && export PATH="$PWD/programs:$PATH" &&
        cp a.wav b.wav && : > alone && : > album &&
        RUNS=alone rawaudio convert -q a.wav --decoder ffmpeg --loudness -20 --trim-silence -60 -o c.wav &&
        RUNS=album rawaudio convert -q a.wav b.wav --decoder ffmpeg --loudness -20 --album -o '{stem}2.wav' &&
        wc -l < alone && wc -l < album
      """)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    let runs = run.outputText.split(separator: "\n").compactMap { Int($0) }
    // Alone: the trimming, the loudness, and the conversion. In the album, each of the two: only the last two.
    try #require(runs.count == 2)
    #expect(runs[0] % 3 == 0 && runs[0] > 0)
    #expect(runs[1] == runs[0] / 3 * 4, "\(runs)")
  }
}
