// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// Unrepeatable input for the file commands: a FIFO, by name or as standard input.
///
/// The test holds the writing end, so it decides when the input ends. The process is stopped (SIGSTOP) while the test
/// prepares a signal and unread samples at once.
@Suite struct LiveInputTests {
  private let directory = TemporaryDirectory()
  /// 50,000 bytes of samples come before the signal, and 10,000 with it: all fit in the pipe.
  private let sound: WaveFile
  private static let before = 50_044

  init() throws {
    var noise = Noise(45)
    sound = WaveFile(WaveBytes.bytes(noise.samples(30_000, peak: 9_000)), channelCount: 1)
    #expect(unsafe mkfifo(directory.file("pipe").path, 0o600) == 0)
  }

  /// The header claims more than the test ever writes.
  private var stream: [UInt8] { sound.bytes(claiming: 1_000_000) }

  /// Starts a command that reads the pipe, and writes the first samples.
  private func start(
    _ line: String, _ samples: [UInt8]
  ) throws -> (process: RunningProcess, pipe: FileHandle) {
    let pipe = try FileHandle(forUpdating: directory.file("pipe"))
    let process = try directory.start(
      line.split(separator: " ").map(String.init), input: .file(directory.file("pipe")))
    try pipe.write(contentsOf: samples)
    awaitEmpty(pipe)
    return (process, pipe)
  }

  /// Waits until the process has emptied the pipe.
  private func awaitEmpty(_ pipe: FileHandle) {
    var count: Int32 = 1
    for _ in 0..<6_000 where count > 0 {
      _ = unsafe ioctl(pipe.fileDescriptor, UInt(FIONREAD), &count)
      usleep(10_000)
    }
    #expect(count == 0)
  }

  /// Sends a signal and writes the rest; with `closing` it closes the pipe too.
  private func end(
    _ process: RunningProcess, _ pipe: FileHandle, _ rest: [UInt8], by signal: Int32,
    closing: Bool = true
  ) throws -> ProcessRun {
    #expect(process.awaitHandler(of: signal))
    process.send(signal: SIGSTOP)
    #expect(process.awaitStop())
    try pipe.write(contentsOf: rest)
    process.send(signal: signal)
    if closing { try pipe.close() }
    let run = process.wait(sending: SIGCONT)
    if !closing { try pipe.close() }
    return run
  }

  private func samples(of name: String) throws -> [UInt8] {
    if name.hasSuffix(".wav") {
      return try #require(WaveFile(parsing: directory.bytes(name))).samples
    }
    return try directory.run(["convert", name, "-t", "raw"]).standardOutput
  }

  @Test(arguments: [
    "convert - -o take.wav", "convert pipe -o take.wav", "convert - -o take.flac",
    "concat pipe -o take.wav", "mix - -o take.wav", "session --local - --publish take.wav",
    "convert - --gain 0 -o take.wav --observe record:meter",
  ])
  func theFirstSignalEndsTheInput(_ line: String) throws {
    let name = line.contains(".flac") ? "take.flac" : "take.wav"
    let (process, pipe) = try start(line, Array(stream[..<Self.before]))
    let run = try end(process, pipe, Array(stream[Self.before...]), by: SIGINT)
    #expect(run.ending == .exit(0))
    #expect(
      run.standardError.contains(
        "SIGINT ended the input; '\(name)' is complete, with 30000 samples per channel (0.680 s)\n"
      ))
    #expect(try samples(of: name) == sound.samples)
    #expect(directory.names == ["pipe", name])
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func aWriterThatGoesOnIsNotWaitedFor(_ signal: Int32) throws {
    let (process, pipe) = try start("convert - -o take.wav", Array(stream[..<Self.before]))
    let run = try end(
      process, pipe, Array(stream[Self.before...]), by: signal, closing: false)
    #expect(run.ending == .exit(0))
    #expect(try samples(of: "take.wav") == sound.samples)
  }

  /// The command reads all input before its first write: the gain needs the peak, and libsndfile has to seek in AIFF.
  @Test(arguments: ["convert - --normalize -6 -o take.wav", "convert - -r 22050 -o take.wav"])
  func tailsAndSecondPassesAreComplete(_ line: String) throws {
    let (process, pipe) = try start(line, Array(stream[..<Self.before]))
    let run = try end(process, pipe, Array(stream[Self.before...]), by: SIGINT)
    #expect(run.ending == .exit(0))
    try directory.write(sound.bytes, "whole.wav")
    let whole = line.replacing("convert -", with: "convert whole.wav")
      .replacing("take.wav", with: "same.wav").split(separator: " ").map(String.init)
    #expect(try directory.run(whole).ending == .exit(0))
    #expect(try samples(of: "take.wav") == samples(of: "same.wav"))
  }

  @Test func aContainerThatIsSpooled() throws {
    try directory.write(sound.bytes, "in.wav")
    #expect(try directory.run(["convert", "in.wav", "-o", "in.caf"]).ending == .exit(0))
    let file = try directory.bytes("in.caf")
    let (process, pipe) = try start("convert - -o take.wav", Array(file[..<Self.before]))
    let run = try end(process, pipe, Array(file[Self.before...]), by: SIGINT)
    #expect(run.ending == .exit(0))
    #expect(try samples(of: "take.wav") == sound.samples)
  }

  @Test func aListOfRegularFilesAroundIt() throws {
    try directory.write(sound.bytes, "in.wav")
    let (process, pipe) = try start(
      "concat in.wav - in.wav -o take.wav", Array(stream[..<Self.before]))
    let run = try end(process, pipe, Array(stream[Self.before...]), by: SIGINT)
    #expect(run.ending == .exit(0))
    #expect(try samples(of: "take.wav") == sound.samples + sound.samples + sound.samples)
  }

  @Test func aTapIsKept() throws {
    let (process, pipe) = try start(
      "convert - -o null: --observe record:tap=tap.wav", Array(stream[..<Self.before]))
    let run = try end(process, pipe, Array(stream[Self.before...]), by: SIGINT)
    #expect(run.ending == .exit(0))
    #expect(try samples(of: "tap.wav") == sound.samples)
  }

  @Test func whatCameIsMeasured() throws {
    let (process, pipe) = try start("measure --json -", Array(stream[..<Self.before]))
    let run = try end(process, pipe, Array(stream[Self.before...]), by: SIGINT)
    #expect(run.ending == .exit(0))
    #expect(run.outputText.contains("\"samplesPerChannel\": 30000"))
    // The signal ends it, or the pipe, whose end the reading thread may see first on a busy machine.
    #expect(run.standardError.contains("after 30000 samples per channel\n"))
  }

  @Test func whatCameIsDrawn() throws {
    let (process, pipe) = try start("plot pipe -o take.png", Array(stream[..<Self.before]))
    let run = try end(process, pipe, Array(stream[Self.before...]), by: SIGINT)
    run.expectExit(
      0, "SIGINT ended the input after 30000 samples per channel (0.680 s)",
      "'pipe' is truncated: it holds 30000 of the 500000 samples per channel that its header "
        + "claims")
    #expect(directory.names == ["pipe", "take.png"])
  }

  /// A pipe without samples leaves no file.
  @Test func nothingCame() throws {
    let (process, pipe) = try start("convert - -o take.wav", [])
    #expect(process.awaitHandler(of: SIGINT))
    let run = process.wait(sending: SIGINT)
    try pipe.close()
    #expect(run.ending == .exit(130))
    #expect(directory.names == ["pipe"])
  }

  /// The samples read so far outlive the program, and the next run keeps them.
  @Test(arguments: ["wav", "flac"])
  func aKilledRunLeavesWhatCame(_ type: String) throws {
    let name = "take.\(type)"
    let (process, pipe) = try start("convert - -o \(name)", Array(stream[..<Self.before]))
    // The header is updated while no samples come.
    var kept: [UInt8] = []
    for _ in 0..<3_000 where kept.isEmpty {
      kept = (try? samples(of: name)) ?? []
      usleep(10_000)
    }
    #expect(process.wait(sending: SIGKILL).ending == .signal(SIGKILL))
    try pipe.close()
    kept = try samples(of: name)
    #expect(!kept.isEmpty)
    #expect(kept == Array(sound.samples.prefix(kept.count)))
    let again = try directory.run(["convert", "tone:440", "-d", "1", "-o", name])
    #expect(again.ending == .exit(1))
    #expect(try samples(of: name) == kept)
    #expect(directory.names == ["pipe", name])
  }

  /// 64 blocks of 1,024 bytes.
  @Test func aLimitOfFileSizes() throws {
    var noise = Noise(46)
    try directory.write(
      WaveFile(noise.bytes(400_000), channelCount: 1).bytes, "long.wav")
    let run = try directory.pipeline(
      "ulimit -f 64; cat long.wav 2>/dev/null | rawaudio convert - -o take.wav")
    #expect(run.ending == .exit(1))
    let kept = try samples(of: "take.wav")
    #expect(kept.count > 60_000)
    run.expectMessages(
      "cannot write to 'take.wav': file too large; the first \(kept.count / 2) samples per "
        + "channel are kept")
    let whole = try #require(WaveFile(parsing: directory.bytes("long.wav")))
    #expect(kept == Array(whole.samples.prefix(kept.count)))
  }

  /// Work on a regular file is complete or absent, also as standard input.
  @Test func aRegularFileIsRepeatable() throws {
    let run = try directory.pipeline(
      """
      rawaudio convert noise:white -d 60 -o long.wav
      mkfifo told; rawaudio convert - -o new.mp3 -v <long.wav 2>told & process=$!
      exec 3<told; rm told; grep -m 1 -q precision <&3
      kill -INT $process; wait $process; echo $?
      """)
    #expect(run.outputText == "130\n")
    #expect(directory.names == ["long.wav", "pipe"])
  }

  /// A stream beyond the spool limit is kept up to the limit.
  @Test func whatWasSpooledIsKept() throws {
    try directory.write(sound.bytes, "in.wav")
    _ = try directory.run(["convert", "in.wav", "-o", "in.caf"])
    let error =
      "rawaudio: cannot spool to a temporary file the data of 'standard input': it is more than 16384 bytes,"
      + " the spool limit; raise it with --spool-limit <size>\n"
    let run = try directory.pipeline(
      "cat in.caf | rawaudio convert - -o take.wav --spool-limit 16KiB")
    #expect(run.ending == .exit(1))
    #expect(run.standardError == error)
    let kept = try samples(of: "take.wav")
    #expect(!kept.isEmpty)
    #expect(kept == Array(sound.samples.prefix(kept.count)))
    // The peak is the peak of the stored samples, which are 32-bit floats.
    let twice = try directory.pipeline(
      "cat in.wav | rawaudio convert - --trim-silence -90 -o whole.wav --spool-limit 100KiB")
    #expect(twice.ending == .exit(1))
    #expect(
      twice.standardError.contains("the samples before are kept; raise it with --spool-limit"))
    #expect(try samples(of: "whole.wav").count > 10_000)
  }
}
