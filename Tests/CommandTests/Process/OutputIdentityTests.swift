// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// No command empties its inputs, and a refused command leaves every file unchanged.
@Suite struct OutputIdentityTests {
  let directory = TemporaryDirectory()
  let input: [UInt8]

  init() throws {
    try directory.run("convert", "tone:440", "-d", "0.5", "-o", "in.wav").requireSuccess()
    input = try directory.bytes("in.wav")
    unsafe mkdir(directory.file("d").path, 0o755)
    unsafe link(directory.file("in.wav").path, directory.file("hard.wav").path)
    unsafe symlink("in.wav", directory.file("soft.wav").path)
  }

  /// Runs with the system's own ALSA devices, independent of other tests.
  private func run(_ line: String) throws -> ProcessRun {
    try directory.pipeline("rawaudio \(line)", environment: ["ALSA_CONFIG_PATH": ""])
  }

  static let harmful = [
    "play in.wav -D null --observe before-mixing:tap=in.wav --force",
    "play in.wav -D null --observe before-mixing:tap=hard.wav --force",
    "play in.wav -D null --observe before-mixing:tap=soft.wav --force",
    "play tone:440 -d 0.2 -D null --observe playback:mix=in.wav --observe playback:tap=hard.wav --force",
    "play - -D null --observe before-mixing:tap=in.wav --force < in.wav",
    "convert in.wav -o o.wav --force --observe record:events=in.wav",
    "convert in.wav -o o.wav --force --observe record:events=d/../in.wav",
    "convert - -o o.wav --force --observe record:events=soft.wav < in.wav",
    "convert in.wav -o - >> in.wav",
    "mix in.wav alsa:null -d 0.2 -o in.wav --force",
    "mix in.wav alsa:null -d 0.2 -o hard.wav --force",
    "session --remote in.wav --local alsa:null --publish in.wav -d 0.2 --force",
    "session --remote in.wav --local alsa:null --mixed soft.wav -d 0.2 --force",
  ]

  @Test(arguments: harmful)
  func anInputIsNotEmptied(_ line: String) throws {
    let run = try run(line)
    #expect(run.ending == .exit(1))
    #expect(run.standardError.hasSuffix("; write to another file\n"), "\(run.standardError)")
    #expect(try directory.bytes("in.wav") == input)
    #expect(try directory.bytes("hard.wav") == input)
    #expect(directory.names == ["d", "hard.wav", "in.wav", "soft.wav"])
  }

  /// A reader of a replaced file keeps the old one.
  @Test(arguments: ["in.wav", "soft.wav", "hard.wav", "d/../in.wav"])
  func anInputIsReplacedByWhatIsMadeOfIt(_ name: String) throws {
    try directory.run("convert", "in.wav", "--gain", "-6", "-o", name, "--force").requireSuccess()
    #expect(try directory.bytes(name).count == input.count)
    #expect(try directory.bytes(name) != input)
  }

  static let clashing = [
    "convert in.wav -o x.wav --observe record:tap=d/../x.wav",
    "convert in.wav -o x.wav --force --observe record:events=d/../x.wav",
    "convert in.wav -o in.wav --force --observe record:tap=hard.wav",
    "convert in.wav -o to-x.wav --force --observe record:tap=x.wav",
    "mix in.wav alsa:null -d 0.2 -o x.wav --observe playback:tap=d/../x.wav --force",
    "session --local in.wav --remote tone:440 -d 0.2 --publish x.wav --playback d/../x.wav",
    "convert in.wav -o - --observe record:tap=x.wav --force > x.wav",
  ]

  @Test(arguments: clashing)
  func twoOutputsAreTwoFiles(_ line: String) throws {
    unsafe symlink("x.wav", directory.file("to-x.wav").path)
    let run = try run(line)
    #expect(run.ending == .exit(1))
    #expect(run.standardError.hasSuffix("; give each output its own\n"), "\(run.standardError)")
    #expect(try directory.bytes("in.wav") == input)
  }

  static let refused: [(line: String, code: Int32)] = [
    ("convert in.wav -o o.wav --observe record,samples-per-call=479:events=e.json --force", 64),
    ("convert in.wav -o o.wav --samples-per-call 479 --observe record:events=e.json --force", 64),
    ("convert none.wav -o o.wav --observe record:events=e.json --force", 1),
    ("convert in.wav -o none/o.wav --observe record:events=e.json --force", 1),
    ("convert in.wav -o o.opus -r 44100 --observe record:events=e.json --force", 1),
    ("mix in.wav alsa:none -d 0.1 -o o.wav --observe playback:events=e.json --force", 1),
    (
      "play in.wav -D null --observe before-mixing:tap=t.wav --observe before-mixing:tap=none/x.wav --force",
      1
    ),
    ("session --local alsa:null -d 0.1 --publish t.wav --observe record:tap=none/x.wav --force", 1),
  ]

  @Test(arguments: refused)
  func whatIsRefusedLeavesOldFiles(_ line: String, _ code: Int32) throws {
    for name in ["e.json", "t.wav"] { try directory.write([1, 2, 3], name) }
    let names = directory.names
    let run = try run(line)
    #expect(run.ending == .exit(code), "\(run.standardError)")
    for name in ["e.json", "t.wav"] { #expect(try directory.bytes(name) == [1, 2, 3]) }
    #expect(directory.names == names)
  }

  @Test(arguments: refused)
  func whatIsRefusedLeavesNoNewFile(_ line: String, _ code: Int32) throws {
    let names = directory.names
    let run = try run(line)
    #expect(run.ending == .exit(code), "\(run.standardError)")
    #expect(directory.names == names)
  }

  @Test func aKilledConversionLeavesNoOutput() throws {
    try directory.write([1, 2, 3], "old.wav")
    for name in ["new.wav", "old.wav"] {
      let names = directory.names
      let process = try directory.start([
        "convert", "silence:", "-d", "1000:00:00", "-o", name, "--force",
      ])
      let partial = directory.file(".\(name).rawaudio-partial")
      // Until the file has content.
      for _ in 0..<3_000 {
        let size = try? FileManager.default.attributesOfItem(atPath: partial.path)[.size] as? Int
        if size ?? 0 > 1_000_000 { break }
        usleep(10_000)
      }
      #expect(process.wait(sending: SIGKILL).ending == .signal(SIGKILL))
      #expect(directory.names == (names + [partial.lastPathComponent]).sorted())
      // The next run replaces the remainder.
      try directory.run("convert", "in.wav", "-o", name, "--force").requireSuccess()
      #expect(try directory.bytes(name) == input)
      #expect(!directory.names.contains(partial.lastPathComponent))
    }
  }
}
