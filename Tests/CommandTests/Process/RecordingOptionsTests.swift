// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `--split`, `--threshold` and `--sync` with files of known samples.
@Suite struct RecordingOptionsTests {
  private let directory = TemporaryDirectory()

  private func run(_ arguments: String...) throws -> ProcessRun {
    try directory.run(arguments)
  }

  /// Writes a WAV file of 16 bits, mono, at 8 kHz.
  private func write(_ samples: [Int16], to name: String) throws {
    try directory.write(WaveBytes.file(samples, sampleRate: 8_000), name)
  }

  private func samples(of name: String) throws -> [UInt8] {
    try #require(WaveFile(parsing: directory.bytes(name))).samples
  }

  private var names: [String] { directory.names }

  /// Of two times the later counts, and beside it limits of other kinds.
  @Test(
    arguments: [
      ["--split", "0.7", "--split", "1"], ["--split", "hour", "--split", "1"],
      ["--split", "0.7", "--split", "1GB", "--split", "signal", "--split", "1"],
    ])
  func theLaterTimeCounts(_ splits: [String]) throws {
    try write([Int16](repeating: 1, count: 20_000), to: "in.wav")
    let run = try directory.run(["convert", "in.wav"] + splits + ["-o", "part-%02d.wav"])
    run.expectExit(0)
    let lengths = try (0...2).map { try samples(of: "part-0\($0).wav").count / 2 }
    #expect(lengths == [8_000, 8_000, 4_000])
  }

  @Test func partsOfASecond() throws {
    let sent = (0..<20_000).map { Int16(truncatingIfNeeded: $0 &* 7) }
    try write(sent, to: "in.wav")
    let run = try run("convert", "-v", "in.wav", "--split", "1", "-o", "part-%02d.wav")
    #expect(
      run.standardError == """
        rawaudio: samples per call: 80, 10 ms at 8000 Hz mono
        rawaudio: local: 'in.wav', 8000 Hz, 1 channel, s16
        rawaudio: publish: 'part-%02d.wav', 8000 Hz, 1 channel, wav, s16
        rawaudio: precision: 32-bit float
        rawaudio: part 'part-00.wav': samples 0 to 8000
        rawaudio: part 'part-01.wav': samples 8000 to 16000
        rawaudio: part 'part-02.wav': samples 16000 to 20000
        rawaudio: publish: 20000 samples per channel at 8000 Hz

        """)
    #expect(run.ending == .exit(0))
    #expect(names == ["in.wav", "part-00.wav", "part-01.wav", "part-02.wav"])
    let joined = try names.dropFirst().flatMap { try samples(of: $0) }
    #expect(firstDifference(joined, sent.flatMap { DeviceBytes.littleEndian($0) }) == nil)
  }

  @Test func partsOfASizeHaveNoMore() throws {
    try write([Int16](repeating: 1, count: 20_000), to: "in.wav")
    let run = try run("convert", "in.wav", "--split", "10KiB", "-o", "%01d.wav")
    #expect(run.standardError == "")
    // 80 bytes of header and 5,080 samples make 10,240 bytes.
    #expect(
      try names.dropLast().map { try samples(of: $0).count / 2 } == [5_080, 5_080, 5_080, 4_760])
  }

  @Test func eventsInTheirOwnFiles() throws {
    var sent = [Int16](repeating: 327, count: 20_000)
    // 0.01 of full scale is 327.68.
    for index in [5_000, 5_100, 15_000] { sent[index] = 328 }
    try write(sent, to: "in.wav")
    let run = try run(
      "convert", "-v", "in.wav", "--threshold", "-40dB", "--pre-roll", "100S", "--hold", "0.1",
      "--split", "event", "-o", "event-%02d.wav")
    #expect(
      run.standardError == """
        rawaudio: samples per call: 80, 10 ms at 8000 Hz mono
        rawaudio: local: 'in.wav', 8000 Hz, 1 channel, s16
        rawaudio: publish: 'event-%02d.wav', 8000 Hz, 1 channel, wav, s16
        rawaudio: precision: 32-bit float
        rawaudio: part 'event-00.wav': samples 4900 to 5901
        rawaudio: event 1: samples 4900 to 5901, 0.613 to 0.738 s
        rawaudio: part 'event-01.wav': samples 14900 to 15801
        rawaudio: event 2: samples 14900 to 15801, 1.863 to 1.975 s
        rawaudio: publish: 20000 samples per channel at 8000 Hz
        rawaudio: 'event-%02d.wav': 2 events, 1902 samples per channel kept

        """)
    let expected = sent[4_900..<5_901].flatMap { DeviceBytes.littleEndian($0) }
    #expect(try firstDifference(samples(of: "event-00.wav"), expected) == nil)
  }

  /// A run may write only the positions of the events.
  @Test func eventsOnly() throws {
    var sent = [Int16](repeating: 0, count: 1_000)
    sent[500] = 16_384
    try write(sent, to: "in.wav")
    let run = try run(
      "convert", "-v", "in.wav", "--threshold", "-10", "--pre-roll", "0", "--hold", "10S", "-o",
      "null:")
    #expect(
      run.standardError.contains("\nrawaudio: event 1: samples 500 to 511, 0.063 to 0.064 s\n"))
    #expect(names == ["in.wav"])
  }

  @Test func silenceIsTold() throws {
    try write([Int16](repeating: 327, count: 1_000), to: "in.wav")
    let whole = try run("convert", "in.wav", "--threshold", "-40", "-o", "out.wav")
    whole.expectMessages("'out.wav' holds no sample: nothing reached the threshold of -40.0 dB")
    #expect(try samples(of: "out.wav") == [])
    let parts = try run(
      "convert", "in.wav", "--threshold", "-40", "--split", "event", "-o", "out-%01d.wav")
    parts.expectExit(0, "no part was written: nothing reached the threshold of -40.0 dB")
    #expect(names == ["in.wav", "out.wav"])
  }

  @Test func aFileInTheWay() throws {
    try write([Int16](repeating: 1, count: 20_000), to: "in.wav")
    try Data([1]).write(to: directory.file("1.wav"))
    let run = try run("convert", "in.wav", "--split", "1", "-o", "%01d.wav")
    run.expectExit(
      1, "cannot write to '1.wav': it exists already; 8000 samples per channel are kept in 1 part")
    #expect(try samples(of: "0.wav").count == 16_000)
    #expect(try Data(contentsOf: directory.file("1.wav")) == Data([1]))
    let forced = try self.run("convert", "in.wav", "--split", "1", "--force", "-o", "%01d.wav")
    #expect(forced.ending == .exit(0))
    #expect(try samples(of: "1.wav").count == 16_000)
  }

  /// The signal comes after the first part has begun and before it is complete.
  @Test func aSignalBeginsAPart() throws {
    let sent = DeviceBytes.noise(2 * 1_000_000)
    let fifo = directory.file("fifo").path
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    let process = try directory.start([
      "convert", "fifo", "--input-type", "raw", "--input-rate", "48000", "--input-channels", "1",
      "--input-format", "s16", "--split", "signal", "-t", "raw", "-o", "part-%01d",
    ])
    let input = try #require(FileHandle(forWritingAtPath: fifo))
    try input.write(contentsOf: Data(sent[..<1_000_000]))
    let first = directory.file("part-0").path
    var size = 0
    for _ in 0..<3_000 where size == 0 {
      size = (try? FileManager.default.attributesOfItem(atPath: first)[.size] as? Int) ?? 0
      usleep(10_000)
    }
    #expect(size > 0)
    process.send(signal: SIGUSR1)
    try input.write(contentsOf: Data(sent[1_000_000...]))
    try input.close()
    process.wait().expectExit(0)
    #expect(names == ["fifo", "part-0", "part-1"])
    let parts = try ["part-0", "part-1"].map { try Data(contentsOf: directory.file($0)) }
    #expect(firstDifference(Array(parts[0] + parts[1]), sent) == nil)
  }

  @Test(
    arguments: [
      ["--split", "60", "-o", "x.wav"]:
        "The value 'x.wav' is invalid for '--output <sink>': all parts would have the same name; put %03d"
        + " into it for their number, or %H%M%S for the time",
      ["--split", "60", "-o", "x-%q.wav"]:
        "The value 'x-%q.wav' is invalid for '--output <sink>': '%q' means nothing; write %03d for the"
        + " part's number, %F or %H%M%S for the time, %% for a percent sign",
      ["--split", "60", "-o", "-"]:
        "'--split <point>' needs files: name them with '--output <sink>', for example take-%03d.wav",
      ["--split", "3", "--results", "r", "-o", "s%02d.wav"]:
        "Only files can be converted together; standard input, a device and a generated signal go alone",
      ["--threshold", "-30", "--existing", "skip", "-o", "s.wav"]:
        "Only files can be converted together; standard input, a device and a generated signal go alone",
      ["--split", "60S", "-o", "%F.wav"]:
        "The value '60S' is invalid for '--split <point>': a part lasts 1000 samples at least, and this is 60",
      ["--split", "2G", "-o", "%F.wav"]:
        "The value '2G' is invalid for '--split <point>': it is a length (60, 1:30:00), a"
        + " stretch of the clock (15min, hour, day), a size (2GiB, 700MB), 'event', 'channels' or 'signal'",
      ["--split", "0MB", "-o", "%F.wav"]:
        "The value '0MB' is invalid for '--split <point>': a size is a number above 0 and a unit, for"
        + " example 2GiB, 700MB or 64KiB",
      ["--split", "event", "-o", "%F.wav"]: "'--split event' needs '--threshold <db>'",
      ["--threshold", "-40", "-o", "alsa:default"]:
        "'--threshold <db>' needs a file: a device plays all it is given",
      ["--hold", "1", "-o", "x.wav"]: "'--hold <time>' needs '--threshold <db>'",
      ["--pre-roll", "1", "-o", "x.wav"]: "'--pre-roll <time>' needs '--threshold <db>'",
      ["--threshold", "3", "-o", "x.wav"]:
        "The value '3' is invalid for '--threshold <db>': a level is a number of decibels from -300 to 0,"
        + " for example -40",
      ["--sync", "sometimes", "-o", "x.wav"]:
        "The value 'sometimes' is invalid for '--sync <when>': it must be never, end or always",
    ] as [[String]: String])
  func mistakes(arguments: [String], message: String) throws {
    let run = try directory.run(["convert", "tone:440", "-d", "1"] + arguments)
    run.expectUsageError(message, of: "convert")
    #expect(names == [])
  }
}
