import Foundation
import Testing

/// What a run prints besides errors, and where.
@Suite struct NoteTests {
  private static let note =
    "rawaudio: 'cut.wav' is truncated: it holds 100 of the 250 samples per channel that its header"
    + " claims\n"

  private func directory() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    var noise = Noise(8)
    let data = noise.bytes(400)
    try directory.write(WaveBytes.file(data, channelCount: 2, claimed: 1_000), "cut.wav")
    return directory
  }

  @Test(arguments: [
    ("", note, 0), ("--fail-on truncated", note, 2), ("--fail-on clip,xrun", note, 0),
    ("--fail-on clip --fail-on truncated", note, 2), ("-q --fail-on truncated", "", 2),
    ("-q", "", 0),
  ])
  func truncatedInputs(_ options: String, _ note: String, _ code: Int32) throws {
    for command in ["convert", "mix"] {
      let directory = try directory()
      let file = try runPipeline("rawaudio \(command) cut.wav \(options)", in: directory.url)
      #expect(file.standardError == note)
      #expect(file.ending == .exit(code))
      #expect(WaveBytes.samples(file.standardOutput).count == 200)
      let pipe = try runPipeline(
        "cat cut.wav | rawaudio \(command) - \(options)", in: directory.url)
      #expect(
        pipe.standardError == note.replacingOccurrences(of: "cut.wav", with: "standard input"))
      #expect(pipe.ending == .exit(code))
      #expect(pipe.standardOutput == file.standardOutput)
    }
  }

  /// HTK states the time between samples in units of 100 ns: 208 of them at 48 kHz.
  @Test func aHeaderThatCannotStateTheRate() throws {
    let directory = try TemporaryDirectory()
    try directory.write(WaveBytes.file([1, -2, 3, -4]), "a.wav")
    let run = try runCommand("convert", "a.wav", "-o", "a.htk", in: directory.url)
    #expect(
      run.standardError == "rawaudio: 'a.htk' holds 48000 Hz; its header can only say 48076 Hz\n")
    #expect(run.ending == .exit(0))
    let exact = try runCommand(
      "convert", "a.wav", "-r", "16000", "-o", "b.htk", in: directory.url)
    #expect(exact.standardError == "")
  }

  /// For example because the channel count or the encoding that was named is wrong.
  @Test(arguments: [(7, "3 bytes are"), (5, "byte is"), (8, "")])
  func headerlessSamplesThatAreNotWhole(size: Int, count: String) throws {
    let directory = try TemporaryDirectory()
    try directory.write(Array(repeating: 1, count: size), "a.raw")
    let shape = "--input-type raw --input-rate 8000 --input-channels 2 --input-format s16"
    // A reader that takes nothing would break the pipe of `cat`.
    let lines = [
      ("rawaudio convert a.raw", "a.raw"), ("cat a.raw | rawaudio convert -", "standard input"),
    ]
    for (line, name) in lines {
      let run = try runPipeline("\(line) \(shape) -t raw", in: directory.url)
      let note = "'\(name)' ends within a sample of its channels; the last \(count) left out"
      #expect(run.standardError == (count.isEmpty ? "" : "rawaudio: \(note)\n"))
      #expect(run.standardOutput.count == size / 4 * 4)
      #expect(run.ending == .exit(0))
    }
  }

  @Test func quietSilencesNoError() throws {
    let run = try runCommand("convert", "-q", "none.wav", "-o", "-")
    #expect(run.standardError == "rawaudio: cannot open 'none.wav': no such file\n")
    #expect(run.ending == .exit(1))
  }

  @Test func verboseWritesToStandardErrorOnly() throws {
    let directory = try TemporaryDirectory()
    try directory.write(WaveBytes.file([1, -2, 3, -4], channelCount: 2), "a.wav")
    let plain = try runCommand("convert", "a.wav", in: directory.url)
    let verbose = try runCommand("convert", "a.wav", "-v", in: directory.url)
    #expect(plain.standardError == "")
    #expect(verbose.standardOutput == plain.standardOutput)
    #expect(
      verbose.standardError == """
        rawaudio: samples per call: 960 (100.0 calls a second)
        rawaudio: local: 'a.wav', 48000 Hz, 2 channels, s16
        rawaudio: publish: 'standard output', 48000 Hz, 2 channels, wav, s16
        rawaudio: precision: 32-bit float
        rawaudio: publish: 2 samples per channel at 48000 Hz

        """)
  }

  /// Work whose slow input makes it last longer than a second.
  @Test func progressIsForTerminals() throws {
    let directory = try TemporaryDirectory()
    let shape = "--input-type raw --input-rate 8000 --input-channels 1 --input-format s16"
    let feed = "{ head -c 32000 /dev/zero; sleep 1.2; head -c 32000 /dev/zero; } >in &"
    let convert = "rawaudio convert in \(shape) -o null:"
    func run(_ line: String) throws -> ProcessRun {
      try runPipeline("rm -f in; mkfifo in; \(feed) \(line); wait", in: directory.url)
    }
    let shown = try run("script -qec '\(convert)' /dev/null").outputText
    #expect(shown.contains("\rconverting 0:00:0"))
    #expect(shown.hasSuffix("\r\u{1B}[K"))
    #expect(try run("script -qec '\(convert) -q' /dev/null").outputText == "")
    let hidden = try run(convert)
    #expect(hidden.standardError == "")
    #expect(hidden.outputText == "")
  }
}
