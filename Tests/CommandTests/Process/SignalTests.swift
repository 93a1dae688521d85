// SPDX-License-Identifier: Apache-2.0
import Testing

/// Signals to a command that works on files.
///
/// Each is sent after `-v` has reported that the work has begun.
@Suite struct SignalTests {
  /// Runs `command` in the background, sends it `signal` while it works, and prints its exit code.
  private func interrupted(_ command: String, _ signal: String, in directory: TemporaryDirectory)
    throws -> String
  {
    let run = try directory.pipeline(
      """
      mkfifo told; rawaudio \(command) -v 2>told & process=$!
      exec 3<told; rm told; grep -m 1 -q precision <&3
      kill -\(signal) $process; wait $process; echo $?
      """)
    return run.outputText
  }

  @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
  func nothingIsLeftBehind(_ signal: String, _ code: Int) throws {
    let directory = TemporaryDirectory()
    let commands = [
      "convert noise:white -d 100:00:00 -o new.wav",
      "mix tone:440 silence: -d 100:00:00 -o new.flac",
      "convert silence: -d 100:00:00 -o -", "convert silence: -d 100:00:00 -o null:",
    ]
    for command in commands {
      #expect(try interrupted("\(command) >/dev/null", signal, in: directory) == "\(code)\n")
      #expect(directory.names.isEmpty, "\(command)")
    }
  }

  @Test func forceLeavesTheOldFile() throws {
    let directory = TemporaryDirectory()
    try directory.write([1, 2, 3], "old.wav")
    let command = "convert noise:white -d 100:00:00 --force -o old.wav"
    #expect(try interrupted(command, "INT", in: directory) == "130\n")
    #expect(directory.names == ["old.wav"])
    #expect(try directory.bytes("old.wav") == [1, 2, 3])
  }

  @Test func aKilledRunLeavesARemainderAndTheNextOneRemovesIt() throws {
    let directory = TemporaryDirectory()
    let command = "convert noise:white -d 100:00:00 -o new.wav"
    #expect(try interrupted(command, "KILL", in: directory) == "137\n")
    #expect(directory.names == [".new.wav.rawaudio-partial"])
    let again = try directory.pipeline(
      "rawaudio convert tone:440 -d 100S --force -o new.wav && rawaudio convert new.wav -t raw | wc -c"
    )
    #expect(again.outputText == "400\n")
    #expect(directory.names == ["new.wav"])
  }

  /// A pipe without a reader must not delay the end.
  @Test func standingPipes() throws {
    let directory = TemporaryDirectory()
    let shape = "--input-type raw --input-rate 8000 --input-channels 1 --input-format s16"
    // The shell holds both ends of the pipe, and neither reads nor writes.
    let pipe = "mkfifo pipe; exec 4<>pipe; rm pipe"
    let fed = try directory.pipeline(
      """
      \(pipe); mkfifo told; rawaudio convert - \(shape) -v -o new.wav <&4 2>told & process=$!
      exec 3<told; grep -m 1 -q precision <&3; kill -INT $process; wait $process; echo $?
      rm told; ls -A
      """)
    #expect(fed.outputText == "130\n")
    let taken = try directory.pipeline(
      """
      \(pipe); mkfifo told; rawaudio convert silence: -d 1000 -v -o - >&4 2>told & process=$!
      exec 3<told; grep -m 1 -q precision <&3
      head -c 70000 <&4 >/dev/null; kill -TERM $process; wait $process; echo $?
      rm told
      """)
    #expect(taken.outputText == "143\n")
  }
}
