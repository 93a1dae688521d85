// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The notes of a run besides errors, and their stream.
@Suite struct NoteTests {
  private static let note =
    "rawaudio: 'cut.wav' is truncated: it holds 100 of the 250 samples per channel that its header"
    + " claims\n"

  private func directory() throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    var noise = Noise(8)
    let data = noise.bytes(400)
    try directory.write(WaveBytes.file(data, channelCount: 2, claimed: 1_000), "cut.wav")
    return directory
  }

  @Test(arguments: [
    ("", note, 0), ("--fail-on truncated", note, 2), ("--fail-on clip,xrun", note, 0),
    ("--fail-on clip --fail-on truncated", note, 2), ("-q --fail-on truncated", note, 2),
    ("-q --fail-on clip", "", 0), ("-q", "", 0),
  ])
  func truncatedInputs(_ options: String, _ note: String, _ code: Int32) throws {
    for command in ["convert", "mix"] {
      let directory = try directory()
      let file = try directory.pipeline("rawaudio \(command) cut.wav \(options)")
      #expect(file.standardError == note)
      #expect(file.ending == .exit(code))
      #expect(WaveBytes.samples(file.standardOutput).count == 200)
      let pipe = try directory.pipeline("cat cut.wav | rawaudio \(command) - \(options)")
      #expect(
        pipe.standardError == note.replacingOccurrences(of: "cut.wav", with: "standard input"))
      #expect(pipe.ending == .exit(code))
      #expect(pipe.standardOutput == file.standardOutput)
    }
  }

  /// Each reason for the exit code 2 is told, also with -q; other notes are not.
  @Test(arguments: [
    (
      "convert loud.wav cut.wav --gain 20 -f s16 -o '{stem}-2.wav' --jobs 1 --fail-on clip",
      "4410 samples clipped in 'loud-2.wav'; lower the gain\nrawaudio: 183 samples clipped in 'cut-2.wav'; lower the gain"
    ),
    (
      "convert loud.wav cut.wav -o '{stem}-2.wav' --fail-on truncated",
      "'cut.wav' is truncated: it holds 100 of the 250 samples per channel that its header claims"
    ),
    (
      "convert loud.wav -d 1 -o l.wav --fail-on short",
      "'loud.wav' is short: it ends 39690 samples per channel before the part that was asked for"
    ),
    (
      "convert tagged.wav -o l.nist --fail-on metadata",
      "'l.nist' does not carry tag TITLE (nist has no place for it)"
    ),
    (
      "convert tone:1k -d 1 --loudness -1 -o l.wav --fail-on loudness",
      "'tone' stops 3.0 LU short of -1.0 LUFS: the true peak would be beyond -1.0 dBTP; --limit -1 goes on"
    ),
    (
      "plot cut.wav -o l.png --fail-on truncated",
      "'cut.wav' is truncated: it holds 100 of the 250 samples per channel that its header claims"
    ),
    (
      "measure loud.wav --expect 'sample-peak<=-20'",
      "'loud.wav': sample-peak is 0.00 dBFS, expected sample-peak<=-20"
    ),
  ])
  func quietTellsTheReasonOfTheExitCode(_ line: String, _ reason: String) throws {
    let directory = try directory()
    let square = (0..<4_410).map { Int16($0 % 100 < 50 ? 32_767 : -32_767) }
    try directory.write(WaveBytes.file(square, sampleRate: 44_100), "loud.wav")
    try directory.run("convert", "loud.wav", "--tag", "TITLE=Dawn", "-o", "tagged.wav").expectExit(
      0)
    let run = try directory.pipeline("rawaudio \(line) -q >out")
    #expect(run.standardError == "rawaudio: \(reason)\n")
    #expect(run.ending == .exit(2))
  }

  /// NaN is not reported as clipping: silence replaces it, or floating point keeps it.
  @Test(arguments: [
    ("s16", "silence stands there"), ("f32", "it is kept"),
  ])
  func whatIsNotANumber(_ encoding: String, _ fate: String) throws {
    let directory = TemporaryDirectory()
    // 0.5, NaN, -0.25
    try directory.write([0, 0, 0, 0x3F, 0, 0, 0xC0, 0x7F, 0, 0, 0x80, 0xBE], "a.raw")
    let shape = "--input-type raw --input-rate 8000 --input-channels 1 --input-format f32"
    for (options, code) in [("", 0 as Int32), ("--fail-on clip", 2)] {
      let run = try directory.pipeline(
        "rawaudio convert a.raw \(shape) -f \(encoding) -t raw -o out \(options) --force")
      run.expectExit(code, "1 sample is not a number (NaN) in 'out'; \(fate)")
    }
    let bytes = try directory.bytes("out")
    let expected: [UInt8] =
      encoding == "s16"
      ? [0, 0x40, 0, 0, 0, 0xE0] : [0, 0, 0, 0x3F, 0, 0, 0xC0, 0x7F, 0, 0, 0x80, 0xBE]
    #expect(bytes == expected)
  }

  /// A value beyond the range of a float output becomes the largest float and counts as clipped.
  @Test func valuesBeyondTheRangeOfFloat() throws {
    let directory = TemporaryDirectory()
    // 1e300 and -1e300
    let large: [UInt8] = [0x9C, 0x75, 0x00, 0x88, 0x3C, 0xE4, 0x37, 0x7E]
    try directory.write(large + large.dropLast() + [0xFE], "a.raw")
    let shape = "--input-type raw --input-rate 8000 --input-channels 1 --input-format f64"
    let run = try directory.pipeline("rawaudio convert a.raw \(shape) -f f32 -t raw -o out")
    #expect(run.standardError == "rawaudio: 2 samples clipped in 'out'; lower the gain\n")
    #expect(try directory.bytes("out") == [0xFF, 0xFF, 0x7F, 0x7F, 0xFF, 0xFF, 0x7F, 0xFF])
  }

  /// A meter and an event log do not report NaN as silence.
  @Test func levelsOfWhatIsNotANumber() throws {
    let directory = TemporaryDirectory()
    let half: [UInt8] = [0, 0, 0, 0x3F]
    try directory.write(
      [UInt8](repeatElement(half, count: 99).joined()) + [0, 0, 0xC0, 0x7F], "a.raw")
    let shape = "--input-type raw --input-rate 1000 --input-channels 1 --input-format f32"
    let run = try directory.pipeline(
      "rawaudio convert a.raw \(shape) -f f32 -o null: --observe record:meter"
        + " --observe record,samples-per-call=100:events=e.json")
    #expect(
      run.standardError.contains("rawaudio: record: peak nan dBFS, RMS nan dBFS, 1 not a number\n"))
    let read = try JSONSerialization.jsonObject(with: Data(directory.bytes("e.json")))
    let line = try #require(read as? [String: Any])
    #expect(line["notANumber"] as? Int == 1)
    #expect(line["clipped"] as? Int == 0)
    #expect((line["peak"] as? [Any])?.first is NSNull)
  }

  /// HTK states the time between samples in units of 100 ns: 208 of them at 48 kHz.
  @Test func aHeaderThatCannotStateTheRate() throws {
    let directory = TemporaryDirectory()
    try directory.write(WaveBytes.file([1, -2, 3, -4]), "a.wav")
    let run = try directory.run("convert", "a.wav", "-o", "a.htk")
    run.expectExit(0, "'a.htk' holds 48000 Hz; its header can only say 48076 Hz")
    let exact = try directory.run("convert", "a.wav", "-r", "16000", "-o", "b.htk")
    #expect(exact.standardError == "")
  }

  /// A wrong channel count or encoding may cause this.
  @Test(arguments: [(7, "3 bytes are"), (5, "byte is"), (8, "")])
  func headerlessSamplesThatAreNotWhole(size: Int, count: String) throws {
    let directory = TemporaryDirectory()
    try directory.write(Array(repeating: 1, count: size), "a.raw")
    let shape = "--input-type raw --input-rate 8000 --input-channels 2 --input-format s16"
    // A reader that takes nothing would break the pipe of `cat`.
    let lines = [
      ("rawaudio convert a.raw", "a.raw"), ("cat a.raw | rawaudio convert -", "standard input"),
    ]
    for (line, name) in lines {
      let run = try directory.pipeline("\(line) \(shape) -t raw")
      let note = "'\(name)' ends within a sample of its channels; the last \(count) left out"
      #expect(run.standardError == (count.isEmpty ? "" : "rawaudio: \(note)\n"))
      #expect(run.standardOutput.count == size / 4 * 4)
      #expect(run.ending == .exit(0))
    }
  }

  @Test func quietSilencesNoError() throws {
    let run = try runCommand("convert", "-q", "none.wav", "-o", "-")
    run.expectExit(1, "cannot open 'none.wav': no such file")
  }

  @Test func verboseWritesToStandardErrorOnly() throws {
    let directory = TemporaryDirectory()
    try directory.write(WaveBytes.file([1, -2, 3, -4], channelCount: 2), "a.wav")
    let plain = try directory.run("convert", "a.wav")
    let verbose = try directory.run("convert", "a.wav", "-v")
    #expect(plain.standardError == "")
    #expect(verbose.standardOutput == plain.standardOutput)
    #expect(
      verbose.standardError == """
        rawaudio: samples per call: 960, 10 ms at 48000 Hz stereo
        rawaudio: local: 'a.wav', 48000 Hz, 2 channels, s16
        rawaudio: publish: 'standard output', 48000 Hz, 2 channels, wav, s16
        rawaudio: precision: 32-bit float
        rawaudio: publish: 2 samples per channel at 48000 Hz

        """)
  }

  /// Work on a slow input, longer than a second.
  @Test func progressIsForTerminals() throws {
    let directory = TemporaryDirectory()
    let shape = "--input-type raw --input-rate 8000 --input-channels 1 --input-format s16"
    let feed = "{ head -c 32000 /dev/zero; sleep 1.2; head -c 32000 /dev/zero; } >in &"
    let convert = "rawaudio convert in \(shape) -o null:"
    func run(_ line: String) throws -> ProcessRun {
      try directory.pipeline("rm -f in; mkfifo in; \(feed) \(line); wait")
    }
    let shown = try run("script -qec '\(convert)' /dev/null").outputText
    #expect(shown.contains("\rconverting 0:00:0"))
    #expect(shown.hasSuffix("\r\u{1B}[K"))
    #expect(try run("script -qec '\(convert) -q' /dev/null").outputText == "")
    let hidden = try run(convert)
    #expect(hidden.standardError == "")
    #expect(hidden.outputText == "")
  }

  /// The items of a list file in this shard are counted before the work; the count of a pipe is unknown.
  @Test func theStatusOfAListSaysOfHowMany() throws {
    let directory = TemporaryDirectory()
    let shape = "--input-type raw --input-rate 8000 --input-channels 1 --input-format s16"
    let feed = "{ head -c 32000 /dev/zero; sleep 1.2; head -c 32000 /dev/zero; } >in &"
    let convert = "rawaudio convert --list list --shard 1/2 \(shape) -o null:"
    let items = #"printf 'none\nother\n\nin\n\n\nother\n\n'"#
    func status(_ list: String) throws -> String {
      try directory.pipeline(
        "rm -f in list; mkfifo in; \(list)\n\(feed) script -qec '\(convert)' /dev/null; wait"
      ).outputText
    }
    let file = try status("\(items) >list")
    #expect(file.contains("\rconverting 1 of 2 files, 1 failed, 0:00:0"), "\(file)")
    #expect(file.contains(" left\u{1B}[K"), "\(file)")
    let pipe = try status("mkfifo list; \(items) >list &")
    #expect(pipe.contains("\rconverting 1 files, 1 failed\u{1B}[K"), "\(pipe)")
  }
}
