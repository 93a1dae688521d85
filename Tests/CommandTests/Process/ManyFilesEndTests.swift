// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Foundation
import Testing

/// The ways in which `rawaudio convert` of many files ends: killed, interrupted, given up, or with one long file.
@Suite struct ManyFilesEndTests: ManyFiles {
  let directory = TemporaryDirectory()

  /// A killed run leaves only complete files under their names, and the command can go on.
  @Test func aKilledRunGoesOn() throws {
    let inputs = try makeInputs(8)
    let gate = directory.file("gate")
    #expect(unsafe mkfifo(gate.path, 0o600) == 0)
    try directory.write(Array((inputs + ["in/stuck.wav"]).joined(separator: "\n").utf8), "list")
    // If the source is long, the observing program waits at the gate while the gate exists.
    let program =
      #"head -c 60000 >"p$$"; cat "p$$"; test "$(wc -c <"p$$")" -lt 60000 || test ! -p gate || cat gate; rm "p$$"; cat"#
    let words = [
      "convert", "--list", "list", "-j", "2", "-o", "out/{stem}.wav", "--existing", "skip",
      "--results", "r", "--observe", "record,timeout=1000:exec=\(program)",
    ]
    let whole = WaveBytes.file(
      [UInt8](repeating: 7, count: 400_000), channelCount: 1, sampleRate: 44_100)
    try directory.write(whole, "in/stuck.wav")
    let process = try directory.start(words)
    func outputs() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: directory.file("out").path).sorted()
    }
    for _ in 0..<3_000 {
      if let names = try? outputs(), names.count == 9, (try? lines("r").count) == 8 { break }
      usleep(10_000)
    }
    #expect(process.wait(sending: SIGKILL).ending == .signal(SIGKILL))
    try FileHandle(forUpdating: gate).close()
    try FileManager.default.removeItem(at: gate)
    let names = inputs.map { String($0.dropFirst(3)) }
    #expect(try outputs() == [".stuck.wav.rawaudio-partial"] + names)
    for name in names {
      #expect(try samples("out/\(name)") == samples("in/\(name)"))
    }
    try directory.run(words).expectExit(0, "1 done, 8 skipped")
    #expect(try outputs() == names + ["stuck.wav"])
    #expect(try samples("out/stuck.wav") == WaveBytes.samples(whole))
    #expect(try lines("r").count == 17)
  }

  /// Ctrl-C leaves nothing unfinished, even before the end of the list.
  @Test func interrupted() throws {
    let inputs = try makeInputs(3)
    let list = directory.file("list")
    #expect(unsafe mkfifo(list.path, 0o600) == 0)
    let process = try directory.start([
      "convert", "--list", "list", "-o", "out/{stem}.wav", "--results", "r",
    ])
    let writer = try FileHandle(forUpdating: list)
    try writer.write(contentsOf: Array((inputs.joined(separator: "\n") + "\n").utf8))
    // A list may grow during the work on it. A file is done once its line is there, not once it has its name.
    for _ in 0..<3_000 where (try? lines("r").count) != 3 { usleep(10_000) }
    let run = process.wait(sending: SIGINT)
    try writer.close()
    run.expectExit(130, "3 done")
  }

  /// The last file takes over an idle worker's processor, even if it began before, and its output is unchanged.
  @Test(.enabled(if: Processors.available > 1, "there is one processor"))
  func theLastFileGetsTheOtherProcessor() throws {
    for name in ["a", "b"] {
      #expect(unsafe mkfifo(directory.file("\(name).wav").path, 0o600) == 0)
    }
    try directory.write(Array("a.wav\nb.wav\n".utf8), "list")
    let process = try directory.start([
      "convert", "--list", "list", "-j", "2", "-r", "48000", "-o", "{stem}.flac", "--results", "r",
    ])
    var noise = Noise(3)
    func sound() -> [UInt8] { WaveBytes.bytes(noise.samples(20_000, peak: 10_000)) }
    // The length is unknown.
    var bytes = WaveBytes.file(
      sound(), sampleRate: 44_100, claimed: Int(UInt32.max))
    let (short, long) = (
      try FileHandle(forUpdating: directory.file("a.wav")),
      try FileHandle(forUpdating: directory.file("b.wav"))
    )
    try short.write(contentsOf: bytes)
    try long.write(contentsOf: bytes)
    func wait(until isSo: () throws -> Bool) rethrows {
      for _ in 0..<3_000 { if try isSo() { break } else { usleep(10_000) } }
    }
    wait { Set(directory.names).isSuperset(of: ["a", "b"].map { ".\($0).flac.rawaudio-partial" }) }
    #expect(!process.threadNames.contains("worker"))
    try short.close()
    wait { (try? lines("r").count) == 1 }
    try wait {
      let more = sound()
      bytes += more
      try long.write(contentsOf: more)
      return process.threadNames.contains("worker")
    }
    #expect(process.threadNames.contains("worker"))
    try long.close()
    let run = process.wait()
    run.expectExit(0)
    try directory.write(bytes, "whole.wav")
    #expect(try self.run("whole.wav", "-r", "48000", "-o", "whole.flac").ending == .exit(0))
    #expect(
      firstDifference(try directory.bytes("b.flac"), try directory.bytes("whole.flac")) == nil)
  }

  @Test func givingUp() throws {
    let inputs = try makeInputs(4)
    let run = try directory.run(
      ["convert", "x1", "x2"] + inputs + ["-j", "1", "--max-failures", "2", "-o", "out/{stem}.wav"])
    #expect(run.ending == .exit(1))
    #expect(
      run.standardError == """
        rawaudio: cannot open 'x1': no such file
        rawaudio: cannot open 'x2': no such file
        rawaudio: cannot go on: 2 files have failed

        """)
  }

  /// The list ends before the first file fails; files that failed meanwhile are reported too.
  @Test func givingUpBehindTheEndOfTheList() throws {
    let run = try directory.run([
      "convert", "x1", "x2", "x3", "-j", "1", "--max-failures", "1", "-o", "out/{stem}.wav",
    ])
    #expect(run.ending == .exit(1))
    let lines = run.standardError.split(separator: "\n")
    #expect(lines.first == "rawaudio: cannot open 'x1': no such file")
    #expect(lines.last == "rawaudio: cannot go on: 1 file has failed")
  }
}
