// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The date and time that a recording states.
@Suite(.needsVirtualCard) struct RecordingOriginTests {
  private struct Origin {
    var time: Date
    var history: String
  }

  /// Returns the time of the first sample, from date and time reference, read byte by byte.
  private func origin(_ file: [UInt8], rate: Double = 48_000) throws -> Origin? {
    guard let start = Data(file).range(of: Data("bext".utf8))?.lowerBound else { return nil }
    let body = Array(file[(start + 8)...])
    let reference = (0..<8).reduce(UInt64(0)) { $0 | UInt64(body[338 + $1]) << (8 * $1) }
    let formatter = DateFormatter()
    formatter.dateFormat = "yyyy-MM-dd"
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    let day = try #require(formatter.date(from: String(decoding: body[320..<330], as: UTF8.self)))
    let size = (0..<4).reduce(0) { $0 | Int(file[start + 4 + $1]) << (8 * $1) }
    return Origin(
      time: day.addingTimeInterval(Double(reference) / rate),
      history: String(decoding: body[602..<size], as: UTF8.self))
  }

  @Test func aRecordingSaysWhenItWasMade() throws {
    let bench = try CardBench()
    let before = Date()
    let run = try bench.run("capture", "-D", "card", "-d", "0.1", "-o", "take.wav")
    #expect(run.standardError == "")
    let origin = try #require(try origin(bench.bytes(of: "take.wav")))
    #expect(origin.time > before.addingTimeInterval(-1) && origin.time < Date())
    #expect(origin.history == "A=PCM,F=48000,W=16,M=stereo,T=rawaudio\r\n")
    _ = try bench.wave("take.wav")
    let bare = try bench.run("capture", "-D", "card", "-d", "0.1", "-o", "bare.wav", "--no-bext")
    #expect(bare.standardError == "")
    #expect(try self.origin(bench.bytes(of: "bare.wav")) == nil)
    // A container without that field is not an error.
    let raw = try bench.run(
      "capture", "-D", "card", "-d", "0.1", "-o", "take.raw", "--fail-on", "metadata")
    raw.expectExit(0)
  }

  // MARK: GUANO

  /// The lines of GUANO in a WAV or FLAC file, without the room for a length.
  private func guano(_ file: [UInt8]) throws -> [String] {
    let content = Data(file)
    if file.starts(with: Array("RIFF".utf8)) {
      let start = try #require(content.range(of: Data("guan".utf8))).upperBound
      let size = littleEndian(file, at: start, 4)
      #expect(size.isMultiple(of: 2))
      return lines(file[start + 4..<start + 4 + size])
    }
    let start = try #require(content.range(of: Data("GUANO=".utf8)))
    let size = littleEndian(file, at: start.lowerBound - 4, 4)
    return lines(file[start.upperBound..<start.lowerBound + size])
  }

  private func lines(_ bytes: ArraySlice<UInt8>) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  @Test(arguments: ["wav", "flac"], ["capture -D card", "session --local alsa:card --publish"])
  func aRecordingStatesItsZoneAndPlace(ending: String, command: String) throws {
    let bench = try CardBench()
    try bench.write(
      Array("Make: Dodotronic\r\n\nTemperature Ext:  12.5\nLength: 1\nNote: a: b\n".utf8),
      to: "site.txt")
    let before = Date().timeIntervalSince1970
    let output = command.hasPrefix("capture") ? "-o take.\(ending)" : "take.\(ending)"
    let run = try bench.pipeline(
      "TZ=CET-1 rawaudio \(command) \(output) -r 48000 -d 1 --location 52.5,-013.40 --guano site.txt"
    )
    #expect(run.ending == .exit(0))
    #expect(run.standardError == "")
    var lines = try guano(bench.bytes(of: "take.\(ending)"))
    let timestamp = try #require(lines.count > 1 ? lines.remove(at: 1) : nil)
    #expect(
      lines == [
        "GUANO|Version: 1.0", "Samplerate: 48000", "Loc Position: 52.5 -013.40",
        "Make: Dodotronic", "Temperature Ext: 12.5", "Note: a: b", "Length: 1.000000",
      ])
    let match = try #require(
      timestamp.wholeMatch(of: /Timestamp: (\S+T\S+)\.(\d{6})\+01:00/), "\(timestamp)")
    let time = try #require(ISO8601DateFormatter().date(from: "\(match.1)+01:00"))
    #expect((before - 1...Date().timeIntervalSince1970).contains(time.timeIntervalSince1970))
  }

  /// Both statements of a file are one moment.
  @Test func theChunksAgree() throws {
    let bench = try CardBench()
    let run = try bench.pipeline(
      "TZ=CET-1 rawaudio capture -D card -d 1.5 --split 0.5 -o part-%01d.wav")
    #expect(run.ending == .exit(0))
    for number in 0...2 {
      let file = try bench.bytes(of: "part-\(number).wav")
      let lines = try guano(file)
      let match = try #require(lines[1].wholeMatch(of: /Timestamp: (\S+T\S+)\.(\d{6})\+01:00/))
      let whole = try #require(ISO8601DateFormatter().date(from: "\(match.1)Z"))
      let stated = whole.timeIntervalSince1970 + (Double(match.2) ?? 0) / 1e6
      let origin = try #require(try origin(file)).time.timeIntervalSince1970
      #expect(abs(origin - stated) < 1.5e-5)
      #expect(lines.last == "Length: 0.500000")
      #expect(Data(file).range(of: Data("Times are UTC+01:00".utf8)) != nil)
    }
  }

  /// The file is read for each part. What it lacks is told once.
  @Test func aFileThatIsMissing() throws {
    let bench = try CardBench()
    let run = try bench.run(
      "capture", "-D", "card", "-d", "1.5", "--split", "0.5", "-o", "part-%01d.wav", "--guano",
      "site.txt")
    #expect(run.ending == .exit(0))
    run.expectMessages(
      "cannot open 'site.txt': no such file; the files state the other fields, and the recording goes on"
    )
    #expect(try guano(bench.bytes(of: "part-2.wav")).count == 4)
  }

  @Test(arguments: [
    ("no colon\n", "'no colon' is no field; write lines such as 'Make: Dodotronic'"),
    (": 3\n", "': 3' is no field; write lines such as 'Make: Dodotronic'"),
    (
      String(repeating: "x", count: 40_000),
      "it is larger than 32 KiB; write a few lines such as 'Make: Dodotronic'"
    ),
  ])
  func aFileThatIsWrong(text: String, reason: String) throws {
    let bench = try CardBench()
    try bench.write(Array(text.utf8), to: "site.txt")
    let run = try bench.run(
      "capture", "-D", "card", "-d", "0.1", "-o", "take.wav", "--guano", "site.txt")
    #expect(run.ending == .exit(0))
    run.expectMessages(
      "cannot read the fields of 'site.txt': \(reason); the files state the other fields, and the recording goes on"
    )
  }

  @Test(arguments: [
    (["--location", "91,0"], "a location is its latitude and longitude in degrees"),
    (["--location", "52.5"], "a location is its latitude and longitude in degrees"),
    (
      ["--location", "1,2", "--no-bext"],
      "'--location <latitude,longitude>' does not go with '--no-bext'"
    ),
  ])
  func mistakes(options: [String], message: String) throws {
    let bench = try CardBench()
    let run = try bench.start(["capture", "-D", "card", "-d", "0.1", "-o", "a.wav"] + options)
      .wait()
    #expect(run.ending == .exit(64))
    #expect(run.standardError.contains(message), "\(run.standardError)")
  }

  /// A killed program leaves a file that states no length, rather than a wrong one.
  @Test(arguments: ["wav", "flac"]) func aKilledRecordingStatesNoLength(ending: String) throws {
    let bench = try CardBench(["SPEED": "1"])
    let name = "take.\(ending)"
    let process = try bench.start(["capture", "-D", "card", "-o", name, "-c", "1", "-r", "8000"])
    #expect(bench.awaitSize(ending == "wav" ? 8_000 : 1_000, of: name))
    #expect(process.wait(sending: SIGKILL).ending == .signal(SIGKILL))
    let lines = try guano(bench.bytes(of: name))
    #expect(lines.count == 3)
    #expect(!lines.contains { $0.hasPrefix("Length") })
  }
}
