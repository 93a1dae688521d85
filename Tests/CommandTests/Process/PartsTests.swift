// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Parts of files: by the clock, in folders, of sums.
@Suite struct PartsTests {
  private let directory = TemporaryDirectory()

  private func run(_ arguments: String...) throws -> ProcessRun {
    try directory.run(arguments, environment: ["TZ": "CET-1CEST,M3.5.0,M10.5.0/3"])
  }

  private func samples(of name: String) throws -> [UInt8] {
    try #require(WaveFile(parsing: directory.bytes(name))).samples
  }

  /// Returns the samples of a file with other chunks after them.
  private func data(of name: String) throws -> [UInt8] {
    let bytes = try directory.bytes(name)
    let start = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Array("data".utf8)) })
    let size = littleEndian(bytes, at: start + 4, 4)
    return Array(bytes[(start + 8)..<(start + 8 + size)])
  }

  /// The files below a folder, with their paths.
  private var files: [String] {
    (FileManager.default.enumerator(atPath: directory.url.path)?.allObjects as? [String] ?? [])
      .filter { $0.hasSuffix(".wav") }.sorted()
  }

  /// Writes a WAV file with the time of its recording.
  ///
  /// - Parameter reference: the samples since midnight.
  private func write(
    _ samples: [Int16], rate: Int, date: String, time: String, reference: Int, to name: String
  ) throws {
    var file = WaveBytes.file(samples, sampleRate: rate)
    var chunk = [UInt8](repeating: 0, count: 602)
    chunk.replaceSubrange(320..<330, with: Array(date.utf8))
    chunk.replaceSubrange(330..<338, with: Array(time.utf8))
    chunk.replaceSubrange(338..<342, with: DeviceBytes.littleEndian(Int32(reference)))
    file += Array("bext".utf8) + DeviceBytes.littleEndian(Int32(chunk.count)) + chunk
    file.replaceSubrange(4..<8, with: DeviceBytes.littleEndian(Int32(file.count - 8)))
    try directory.write(file, name)
  }

  /// A file is split by the time of its recording.
  @Test func aFileThatSaysWhenItWasRecorded() throws {
    let sent = (0..<20_000).map { Int16(truncatingIfNeeded: $0 &* 7) }
    try write(
      sent, rate: 2_000, date: "2026-10-25", time: "01:59:57", reference: 7_197 * 2_000,
      to: "in.wav")
    let run = try run(
      "convert", "-v", "in.wav", "--split", "hour", "-o", "%Y/%m-%d/%H%M%S.wav")
    #expect(run.ending == .exit(0))
    #expect(
      run.standardError.contains(
        """
        rawaudio: part '2026/10-25/015957.wav': samples 0 to 6000, from 2026-10-25T01:59:57.000+02:00
        rawaudio: part '2026/10-25/020000.wav': samples 6000 to 20000, from 2026-10-25T02:00:00.000+02:00

        """), "\(run.standardError)")
    #expect(files == ["2026/10-25/015957.wav", "2026/10-25/020000.wav", "in.wav"])
    let joined = try files.dropLast().flatMap { try data(of: $0) }
    #expect(firstDifference(joined, sent.flatMap { DeviceBytes.littleEndian($0) }) == nil)
    // Skipped samples count; UTC is another time.
    let later = try self.run(
      "convert", "in.wav", "--start", "2.5", "--split", "hour", "--utc", "-o", "%H%M%S.wav")
    #expect(later.standardError == "")
    #expect(try data(of: "015959.wav").count == 2 * 1_000)
    #expect(try data(of: "020000.wav").count == 2 * 14_000)
  }

  /// Parts are named by the time of their recording, at every kind of split.
  @Test func partsAreCalledByWhenTheyWereRecorded() throws {
    // Silence except for two sounds, 1.25 s and 6.5 s after its beginning at 01:59:57.
    let sent = (0..<20_000).map { Int16((2_500..<3_000).contains($0) || $0 >= 13_000 ? 9_000 : 0) }
    try write(
      sent, rate: 2_000, date: "2026-10-25", time: "01:59:57", reference: 7_197 * 2_000,
      to: "in.wav")
    func parts(_ options: String...) throws -> [String] {
      let run = try directory.run(
        ["convert", "in.wav"] + options, environment: ["TZ": "CET-1CEST,M3.5.0,M10.5.0/3"])
      #expect(run.standardError == "")
      defer {
        for name in files where name != "in.wav" {
          try? FileManager.default.removeItem(at: directory.file(name))
        }
      }
      return files.filter { $0 != "in.wav" }
    }
    #expect(
      try parts("--split", "3", "-o", "%F_%H%M%S.wav") == [
        "2026-10-25_015957.wav", "2026-10-25_020000.wav", "2026-10-25_020003.wav",
        "2026-10-25_020006.wav",
      ])
    #expect(
      try parts(
        "--split", "event", "--threshold", "-20", "--pre-roll", "0", "--hold", "0.1", "-o",
        "%H%M%S.wav") == ["015958.wav", "020003.wav"])
    // The first part begins with the first sound, too.
    #expect(
      try parts(
        "--split", "1MB", "--threshold", "-20", "--pre-roll", "0", "--hold", "0.1", "-o",
        "%H%M%S.wav") == ["015958.wav"])
    #expect(
      try parts("--start", "0.5", "--split", "5", "-o", "%H%M%S.wav") == [
        "015957.wav", "020002.wav",
      ])
  }

  @Test func aFileThatDoesNot() throws {
    try directory.write(WaveBytes.file([1, 2, 3], sampleRate: 8_000), "in.wav")
    let run = try run("convert", "in.wav", "--split", "hour", "-o", "%Y/%H.wav")
    run.expectExit(
      1,
      "cannot split by the clock '%Y/%H.wav': the source does not say when it was recorded; "
        + "split after a length of time, such as --split 1:00:00")
    #expect(directory.names == ["in.wav"])
  }

  @Test func whatIsNotWrittenLeavesNoFolder() throws {
    try directory.write(WaveBytes.file([1, 2, 3], sampleRate: 8_000), "in.wav")
    let missing = try run(
      "convert", "in.wav", "--split", "1", "-o", "in.wav/such/%Y/%m.wav")
    missing.expectExit(
      1, "cannot make the folder 'in.wav/such': a part of the path is not a directory")
    let program = try run(
      "convert", "in.wav", "--split", "1", "-o", "%Y/%m.wav", "--observe",
      "record:exec=exit 3")
    #expect(program.ending == .exit(1))
    #expect(directory.names == ["in.wav"])
  }

  @Test func aMixInParts() throws {
    let run = try run(
      "mix", "tone:440", "silence:", "-d", "2.5", "-r", "8000", "--split", "9", "-o",
      "mix/%02d.raw")
    try run.requireSuccess()
    #expect(try directory.bytes("mix/00.raw").count == 4 * 20_000)
    let whole = try self.run(
      "mix", "tone:440", "silence:", "-d", "2.5", "-r", "8000", "-o", "whole.wav")
    #expect(whole.standardError == "")
    let parts = try self.run(
      "mix", "tone:440", "silence:", "-d", "2.5", "-r", "8000", "--split", "1", "-o", "%02d.wav")
    #expect(parts.standardError == "")
    #expect(files == ["00.wav", "01.wav", "02.wav", "whole.wav"])
    let joined = try files.dropLast().flatMap { try samples(of: $0) }
    #expect(try firstDifference(joined, samples(of: "whole.wav")) == nil)
    // A repeated run does not write the parts again under other names.
    let again = try self.run(
      "mix", "tone:440", "-d", "1", "--split", "1", "-o", "%02d.wav")
    #expect(again.standardError.contains("'00.wav': it exists already"))
    #expect(again.ending == .exit(1))
  }

  @Test func everySinkOfASessionInParts() throws {
    let run = try run(
      "session", "-v", "--local", "tone:440", "--remote", "tone:550", "-d", "1.5", "-r", "8000",
      "--split", "1", "--publish", "me-%02d.wav", "--playback", "null:", "--mixed", "%02d/all.wav")
    #expect(run.ending == .exit(0))
    for part in [
      "part 'me-00.wav': samples 0 to 8000", "part 'me-01.wav': samples 8000 to 12000",
      "part '00/all.wav': samples 0 to 8000", "part '01/all.wav': samples 8000 to 12000",
    ] { #expect(run.standardError.contains("rawaudio: \(part)\n"), "\(run.standardError)") }
    #expect(files == ["00/all.wav", "01/all.wav", "me-00.wav", "me-01.wav"])
  }

  @Test(
    arguments: [
      ["--publish", "null:", "--split", "1"]:
        "'--split <point>' needs files: name them with '--publish <sink>', '--playback <sink>' or"
        + " '--mixed <sink>', for example take-%03d.wav",
      ["--publish", "%02d.wav", "--mixed", "%02d.wav", "--split", "1"]:
        "The value '%02d.wav' is invalid for '--mixed <sink>': another output has the same names",
      ["--publish", "me.wav", "--split", "1"]:
        "The value 'me.wav' is invalid for '--publish <sink>': all parts would have the same name; put"
        + " %03d into it for their number, or %H%M%S for the time",
      ["--publish", "out%d.wav", "--split", "1"]:
        "The value 'out%d.wav' is invalid for '--publish <sink>': '%d' is the day of the month, and all parts of a"
        + " day would have the same name; write %04d for the part's number, or %F for the whole date",
      ["--publish", "%Y//x.wav", "--split", "1"]:
        "The value '%Y//x.wav' is invalid for '--publish <sink>': a folder or file behind the first"
        + " conversion would have no name of its own; write it like %Y/%m/%d/%H%M%S.wav",
    ] as [[String]: String])
  func mistakesOfASession(arguments: [String], message: String) throws {
    let run = try directory.run(["session", "--local", "tone:440", "-d", "1"] + arguments)
    run.expectUsageError(message, of: "session")
    #expect(directory.names == [])
  }
}
