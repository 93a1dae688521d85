// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The status of running work in a terminal of any width.
@Suite(.needsVirtualCard) struct StatusTests {
  /// Runs a command on a terminal, with a card that follows its clock.
  private func see(
    _ arguments: String, columns: Int = 80, steps: String = "",
    environment: String = "LC_ALL=C.UTF-8"
  ) throws -> TerminalReport {
    try run(arguments, columns: columns, steps: steps, environment: environment).seen
  }

  private func run(
    _ arguments: String, columns: Int, steps: String = "",
    environment: String = "LC_ALL=C.UTF-8", fed length: Int = 48_000 * 4
  ) throws -> (seen: TerminalReport, bench: CardBench) {
    // Half of full scale on the left; the right rises from a hundredth, so that every frame differs.
    let samples = (0..<length).flatMap { index in
      let sine = sin(2 * Double.pi * 440 * Double(index) / 48_000)
      return [Int16(16_384 * sine), Int16(328 * pow(10, Double(index) / Double(length)) * sine)]
    }
    var bench = try CardBench(["SPEED": "1"], input: WaveBytes.bytes(samples))
    bench.settings["LOG"] = nil
    try bench.write(WaveBytes.file(samples, channelCount: 2), to: "fed.wav")
    var floats = [Float](repeating: 0.5, count: 3 * 48_000)
    floats[60_000] = .infinity
    let bytes = unsafe floats.withUnsafeBytes { unsafe Array($0) }
    try bench.write(
      WaveBytes.file(bytes, bits: 32, isFloat: true, channelCount: 1, sampleRate: 48_000),
      to: "infinite.wav")
    let plan = "{\"columns\": \(columns), \"steps\": [\(steps)]}"
    let run = try bench.pipeline(
      "env -u NO_COLOR \(environment) /usr/bin/python3 -B '\(TerminalReport.program)' '\(plan)' rawaudio \(arguments)"
    )
    #expect(run.standardError == "")
    return (try JSONDecoder().decode(TerminalReport.self, from: Data(run.standardOutput)), bench)
  }

  /// Returns the frames that show a status.
  private func status(_ seen: TerminalReport, _ activity: String) -> [TerminalReport.Frame] {
    seen.frames.filter { $0.screen.contains { $0.hasPrefix(activity) } }
  }

  private static let capture = "capture -D card -r 48000 -c 2 -f s16 -d 3 -o take.wav"

  @Test(arguments: [80, 160])
  func aRecordingFillsOneLine(columns: Int) throws {
    let seen = try see(Self.capture, columns: columns)
    #expect(seen.exit == 0)
    let frames = status(seen, "recording")
    #expect(frames.count >= 5)
    for frame in frames {
      #expect(frame.screen.count == 1, "\(frame.screen)")
      #expect(frame.screen[0].count < columns)
      #expect(frame.attributes == "")
    }
    let line = try #require(frames.last?.screen[0])
    #expect(line.hasPrefix("recording 0:00:0"), "\(line)")
    #expect(line.contains(" of 0:00:03"), "\(line)")
    // A sine of half of full scale: −6.0 dBFS, and −9 dBFS RMS.
    #expect(line.contains("L █"), "\(line)")
    #expect(line.contains("-6.0") && line.contains(" -2"), "\(line)")
    #expect(line.contains("disk "), "\(line)")
    // A wider line has longer bars and less important figures.
    #expect(line.contains("0 xruns") == (columns == 160), "\(line)")
    #expect(line.count > min(columns, 130) - 25, "\(line)")
    // The status is gone at the end.
    #expect(seen.last == [""])
    #expect(seen.isRestored)
  }

  @Test func aTerminalThatChangesItsWidth() throws {
    let seen = try see(
      "capture -D card -r 48000 -c 2 -f s16 -d 4 -o take.wav", columns: 120,
      steps: "{\"after\": 4, \"columns\": 60}, {\"after\": 7, \"columns\": 100}")
    let frames = status(seen, "recording")
    #expect(Set(frames.map(\.columns)) == [60, 100, 120])
    for columns in [60, 100, 120] {
      // The first frame may have the old width, wrapped by the terminal.
      for frame in frames.filter({ $0.columns == columns }).dropFirst() {
        #expect(frame.screen.count == 1, "\(frame.screen)")
        #expect(frame.screen[0].count < columns)
      }
    }
    #expect(seen.last == [""])
  }

  @Test func aLineAChannel() throws {
    let seen = try see(Self.capture + " --meter full")
    let frames = status(seen, "recording").filter { $0.screen.count > 1 }
    #expect(frames.count >= 4)
    for frame in frames {
      #expect(frame.screen.count == 4, "\(frame.screen)")
      #expect(frame.screen[1].hasSuffix("0 dBFS"), "\(frame.screen)")
      #expect(frame.screen[2].hasPrefix("L █") && frame.screen[3].hasPrefix("R █"))
      for line in frame.screen { #expect(line.count < 80) }
    }
    #expect(seen.last == [""])
    #expect(seen.isRestored)
  }

  @Test(arguments: ["", " --meter full"])
  func theTerminalIsRestoredAfterASignal(meter: String) throws {
    let stopped = try see(
      "capture -D card -c 2 -f s16 -o take.wav\(meter)", steps: "{\"after\": 5, \"signal\": 2}")
    #expect(stopped.exit == 0)
    #expect(stopped.last == [""])
    #expect(stopped.attributes == "" && stopped.isRestored)
    // After a crash the last frame stays complete, and the terminal works as before.
    for signal in [9, 11] {
      let crashed = try see(
        "capture -D card -c 2 -f s16 -o take.wav\(meter)",
        steps: "{\"after\": 5, \"signal\": \(signal)}", environment: "SWIFT_BACKTRACE=enable=no")
      #expect(crashed.exit == -Int32(signal))
      #expect(crashed.attributes == "" && crashed.isRestored)
      #expect(crashed.last.first?.hasPrefix("recording") == true, "\(crashed.last)")
    }
  }

  @Test func coloursAndCharactersAreByTheEnvironment() throws {
    let coloured = try see(Self.capture)
    #expect(coloured.text.contains("\u{1B}[0;32m"))
    let plain = try see(Self.capture, environment: "LC_ALL=C NO_COLOR=1")
    #expect(!plain.text.contains("m█") && !plain.text.contains("\u{1B}[0;"))
    let line = try #require(status(plain, "recording").last?.screen[0])
    #expect(line.contains("L #") && line.allSatisfy(\.isASCII), "\(line)")
    let none = try see(Self.capture + " --meter none")
    let bare = try #require(status(none, "recording").last?.screen[0])
    #expect(!bare.contains("L "), "\(bare)")
    let quiet = try see(Self.capture + " -q")
    #expect(quiet.text == "")
  }

  @Test func playingShowsWhatIsPlayed() throws {
    let seen = try see("play -D card fed.wav -d 3")
    let line = try #require(status(seen, "playing").last?.screen[0])
    #expect(line.contains("-6.0") && line.contains(" -2"), "\(line)")
    #expect(!line.contains("disk"))
    #expect(seen.last == [""])
  }

  /// The growth of a compressed file is unknown until it has grown; until then no room is shown.
  @Test(arguments: ["flac", "opus"])
  func theRoomOfWhatIsCompressed(_ type: String) throws {
    let (seen, bench) = try run(
      "capture -D card -r 48000 -c 2 -d 6 -o take.\(type)", columns: 160, fed: 48_000 * 7)
    let lines = status(seen, "recording").map { $0.screen[0] }
    #expect(lines.first?.contains("disk") == false, "\(lines.first ?? "")")
    let line = try #require(lines.last)
    let words = line.split(separator: " ")
    let place = try #require(words.firstIndex(of: "disk"), "\(line)")
    let told = try #require(Double(words[place + 1]))
    let hours = told * (["min": 1 / 60.0, "h": 1, "d": 24][words[place + 2]] ?? .nan)
    let size = Double(try bench.bytes(of: "take.\(type)").count)
    let free = try #require(
      Double(
        try bench.pipeline("df --output=avail -B1 . | tail -n 1").outputText.filter(\.isNumber)))
    let expected = free / (size / 6) / 3_600
    // The file has a header, and the sine on the right grows.
    #expect(abs(hours / expected - 1) < 0.3, "\(line), expected \(expected) h")
  }

  /// The growth comes from the last complete part.
  @Test func theRoomOfCompressedParts() throws {
    let seen = try see(
      "capture -D card -r 48000 -c 2 -d 4 --split 1.5 -o part-%m.flac", columns: 160)
    let lines = status(seen, "recording").map { $0.screen[0] }
    // The room is read once per second, on a busy machine less often.
    let known = lines.drop { !$0.contains("disk") }
    #expect(!known.isEmpty && known.allSatisfy { $0.contains("disk") }, "\(lines)")
    #expect(known.allSatisfy { !$0.contains(" 0 parts") }, "\(lines)")
    #expect(lines.first?.contains(" 0 parts") == true, "\(lines.first ?? "")")
    // The third part is complete at the end; a busy machine may show it.
    let last = try #require(lines.last)
    #expect(last.contains(" 2 parts") || last.contains(" 3 parts"), "\(last)")
  }

  /// A float stream may hold an infinity, beyond every bar.
  @Test(arguments: ["", " --meter full"])
  func anInfinityInWhatIsPlayed(meter: String) throws {
    let seen = try see("play -D card infinite.wav\(meter)")
    #expect(seen.exit == 0)
    let frames = status(seen, "playing").map { $0.screen.joined(separator: " ") }
    #expect(frames.contains { $0.contains("inf●") }, "\(frames.last ?? "")")
  }

  @Test func noTerminalNoStatus() throws {
    let bench = try CardBench(["SPEED": "1"])
    let run = try bench.run("capture", "-D", "card", "-d", "2", "-o", "take.wav", "--meter", "full")
    run.expectExit(0)
  }

  @Test func aTerminalThatStandsStillHoldsUpNothing() throws {
    // The other end is never read: its buffer is full long before the end.
    let bench = try CardBench(["SPEED": "1"])
    let script = """
      import os, pty, subprocess
      master, slave = pty.openpty()
      import termios
      termios.tcflow(slave, termios.TCOOFF)
      run = subprocess.run(["rawaudio", "capture", "-D", "card", "-r", "8000", "-c", "1", "-f", "s16", "-d", "3",
          "-o", "take.wav", "--fail-on", "xrun"], stderr=slave, timeout=30)
      print(run.returncode)
      """
    try bench.write(Array(script.utf8), to: "still.py")
    let run = try bench.pipeline("/usr/bin/python3 -B still.py")
    #expect(run.outputText == "0\n", "\(run.standardError)")
    #expect(try bench.wave("take.wav").samples.count == 2 * 24_000)
  }
}
