// SPDX-License-Identifier: Apache-2.0
import TestProcess
import Testing

/// `--samples-per-call` and a pipe: the reader gets its pieces, one write each. Packets keep the writes apart.
@Suite struct PieceTests {
  private let directory = TemporaryDirectory()
  /// Stereo.
  private let samples = (0..<50_000).map { Int16(truncatingIfNeeded: $0 &* 31) }

  init() throws { try directory.write(WaveBytes.file(samples, channelCount: 2), "a.wav") }

  private func run(_ line: String, to output: TestProcess.Output) throws -> ProcessRun {
    try directory.start(line.split(separator: " ").map(String.init), output: output).wait()
  }

  /// Returns the lengths of `total` in pieces of `piece`.
  private func lengths(_ total: Int, in piece: Int) -> [Int] {
    let rest = total % piece
    return Array(repeating: piece, count: total / piece) + (rest > 0 ? [rest] : [])
  }

  @Test(arguments: [
    (TestProcess.Output.packets, 960), (.packets, 2_048), (.socket, 960), (.socket, 6_002),
    (.socket, 30_000), (.socket, 50_000), (.socket, 60_000),
  ])
  func eachWriteIsAPiece(_ output: TestProcess.Output, _ count: Int) throws {
    let run = try run("convert a.wav -t raw --samples-per-call \(count)", to: output)
    #expect(run.standardError == "")
    #expect(run.readLengths == lengths(100_000, in: 2 * count))
    #expect(WaveBytes.int16s(run.standardOutput) == samples)
  }

  /// In the encoding and the channels of the output, after its header.
  @Test(arguments: [
    ("convert a.wav -f s24 -c 1 --samples-per-call 960", 3 * 960, 75_000),
    ("mix a.wav a.wav --gain -7 --samples-per-call 960", 2 * 960, 100_000),
    ("concat a.wav a.wav --samples-per-call 1000", 2 * 1_000, 200_000),
    ("session --remote a.wav --playback - --samples-per-call 960", 2 * 960, 100_000),
    ("session --local a.wav --publish - --samples-per-call 960", 2 * 960, 100_000),
  ])
  func theHeaderIsAWriteOfItsOwn(_ line: String, _ piece: Int, _ total: Int) throws {
    let run = try run(line, to: .packets)
    #expect(run.standardError == "")
    let header = try #require(run.readLengths.first)
    #expect(Array(run.standardOutput[(header - 8)..<(header - 4)]) == Array("data".utf8))
    #expect(Array(run.readLengths.dropFirst()) == lengths(total, in: piece))
  }

  /// A piece larger than one write without the option.
  @Test func aLargePieceIsOneWrite() throws {
    let line = "convert silence: -d 600000S -r 48000 -c 1 -f u8 -t raw --samples-per-call"
    #expect(try run("\(line) 150000", to: .socket).readLengths == lengths(600_000, in: 150_000))
    let whole = try directory.pipeline("rawaudio \(line) 600000 | tail -c 600001 | wc -c")
    #expect(whole.outputText == "600000\n")
  }

  @Test func aNamedPipeGetsPieces() throws {
    let line =
      "mkfifo f && { rawaudio convert a.wav -v -t raw --samples-per-call 2400 -o f & cat f | wc -c; wait; }"
    let run = try directory.pipeline(line)
    #expect(run.outputText == "100000\n")
    #expect(
      run.standardError.contains(
        "rawaudio: publish: 'f', 48000 Hz, 2 channels, raw, s16, in writes of 2400 samples: 25 ms at 48000 Hz stereo\n"
      ))
  }

  @Test(arguments: [
    ("--samples-per-call 4410", "samples per call: 4410, 45.94 ms at 48000 Hz stereo"),
    ("--samples-per-call 960", "samples per call: 960, 10 ms at 48000 Hz stereo"),
    ("", "samples per call: 960, 10 ms at 48000 Hz stereo"),
  ])
  func verboseSaysHowLongACallIs(_ option: String, _ expected: String) throws {
    let run = try run("convert a.wav -v -o null: \(option)", to: .pipe)
    #expect(run.standardError.hasPrefix("rawaudio: \(expected)\n"))
  }

  /// The option does not change the writes to a file.
  @Test func aFileHasNoPieces() throws {
    let run = try run("convert a.wav -v -t raw --samples-per-call 960 -o o.raw", to: .pipe)
    #expect(!run.standardError.contains("in writes of"))
    #expect(WaveBytes.int16s(try directory.bytes("o.raw")) == samples)
  }

  /// A part of a sample frame is useless to a reader.
  @Test func aPieceIsWhole() throws {
    let line = "convert a.wav -c 4 -t raw --samples-per-call 962"
    let run = try run(line, to: .pipe)
    #expect(run.ending == .exit(64))
    #expect(run.standardOutput.isEmpty)
    #expect(
      run.standardError.hasPrefix(
        "Error: The value '962' is invalid for '--samples-per-call <samples>': it does not divide by"
          + " the 4 channels of the output\n"))
    #expect(try self.run(line + " -o o.raw", to: .pipe).ending == .exit(0))
  }
}
