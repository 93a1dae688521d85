// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `--start @04:00`: parts of recordings by the clock on the wall, in UTC.
@Suite struct ClockPartTests: ManyFiles {
  let directory = TemporaryDirectory()

  private static let rate = 8_000

  /// Writes a recording that began at a time of 2 May 2026, in seconds since midnight.
  private func makePart(
    _ name: String, at seconds: Double, lasting length: Double, seed: UInt64
  ) throws -> [Int16] {
    var noise = Noise(seed)
    let samples = noise.samples(Int(length * Double(Self.rate)), peak: 9_000)
    var content = [UInt8](repeating: 0, count: 602)
    let whole = Int(seconds)
    func text(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let time = [whole / 3_600, whole / 60 % 60, whole % 60].map(text).joined(separator: ":")
    content.replaceSubrange(320..<338, with: Array("2026-05-02\(time)".utf8))
    let reference = UInt64(seconds * Double(Self.rate))
    content.replaceSubrange(
      338..<346, with: (0..<8).map { UInt8(truncatingIfNeeded: reference >> (8 * $0)) })
    content[346] = 1
    try directory.write(file(samples, "bext", content), name)
    return samples
  }

  /// A WAV file with a chunk in front of its samples.
  private func file(_ samples: [Int16], _ identifier: String, _ content: [UInt8]) -> [UInt8] {
    WaveBytes.file(
      WaveBytes.file(samples, sampleRate: Self.rate), with: identifier, content)
  }

  private func run(_ line: String) throws -> ProcessRun {
    try directory.pipeline("TZ=UTC rawaudio \(line)")
  }

  @Test func acrossPartsWithAGap() throws {
    let first = try makePart("a.wav", at: 10_800, lasting: 60, seed: 1)
    let second = try makePart("b.wav", at: 10_860, lasting: 60, seed: 2)
    let third = try makePart("c.wav", at: 10_922.25, lasting: 30, seed: 3)
    let run = try run(
      "concat c.wav a.wav b.wav --start @03:00:59.5 --end @2026-05-02T03:02:05Z -o d.wav")
    #expect(run.ending == .exit(0))
    run.expectMessages(
      "between 'b.wav' and 'c.wav' nothing was recorded; silence of 18000 samples per channel (2.250 s) stands there"
    )
    let expected = Array(first[476_000...]) + second
    #expect(
      try samples("d.wav") == expected + [Int16](repeating: 0, count: 18_000) + third[..<22_000])
  }

  @Test func aPartOfOneFile() throws {
    let sound = try makePart("a.wav", at: 86_390, lasting: 20, seed: 4)
    // The end is the first one behind the start, on the next day.
    try run("convert a.wav --start @23:59:59.5 --end @00:00:05 -o x.wav").requireSuccess()
    #expect(try samples("x.wav") == Array(sound[76_000..<120_000]))
  }

  @Test(arguments: ["guan", "iXML", "name"])
  func otherClocks(kind: String) throws {
    var noise = Noise(5)
    let sound = noise.samples(40_000, peak: 900)
    let (name, chunk, text) =
      switch kind {
      case "guan": ("a.wav", "guan", "GUANO|Version: 1.0\nTimestamp: 2026-05-02T04:00:00\n")
      case "iXML":
        (
          "a.wav", "iXML",
          "<BWFXML><BEXT><BWF_ORIGINATION_DATE>2026-05-02</BWF_ORIGINATION_DATE>"
            + "<BWF_ORIGINATION_TIME>04:00:00</BWF_ORIGINATION_TIME></BEXT></BWFXML>"
        )
      default: ("site-3_20260502_040000.wav", "junk", "x")
      }
    try directory.write(file(sound, chunk, Array(text.utf8)), name)
    try run("convert \(name) --start @04:00:02 --end @04:00:03 -o x.wav").requireSuccess()
    #expect(try samples("x.wav") == Array(sound[16_000..<24_000]))
  }

  /// Names state whole seconds, so parts that follow within two seconds meet directly.
  @Test func namesAreNotExact() throws {
    var noise = Noise(6)
    let sounds = [noise.samples(80_000, peak: 900), noise.samples(80_000, peak: 900)]
    for (name, sound) in zip(["m_20260502_040000.wav", "m_2026-05-02T04-00-11.wav"], sounds) {
      try directory.write(WaveBytes.file(sound, sampleRate: Self.rate), name)
    }
    try run("concat m_*.wav --start @04:00:05 -o x.wav").requireSuccess()
    #expect(try samples("x.wav") == Array(sounds[0][40_000...]) + sounds[1])
  }

  @Test(arguments: [
    (
      "convert n.wav --start @04:00 -o x.wav", 1, "neither the file nor its name says when it began"
    ),
    (
      "convert a.wav --start @25:00 -o x.wav", 64,
      "a time of day is @13:37, @04:00:05.25, @2026-05-02T04:00:05 or @2026-05-02T04:00:05Z"
    ),
    ("convert a.wav --start @04:00 --end 5 -o x.wav", 64, "by the clock are one time each"),
    (
      "convert tone:440 --start @04:00 -o x.wav", 64,
      "A time of day is for files, which say when they began"
    ),
    (
      "concat a.wav b.wav --start @03:00 --gap 1 -o x.wav", 64,
      "'--gap <time>' does not go with times of day"
    ),
    ("concat a.wav b.wav --start @03:00 -o x.wav", 1, "it begins 5.000 s before 'a.wav' ends"),
    ("concat a.wav --start @05:00 -o x.wav", 1, "no part lies between these times"),
    (
      "concat a.wav --start @03:00:05 --end @2026-05-02T03:00:01 -o x.wav", 1,
      "its end on the clock is not behind its start"
    ),
  ])
  func mistakes(line: String, code: Int32, message: String) throws {
    _ = try makePart("a.wav", at: 10_800, lasting: 10, seed: 1)
    _ = try makePart("b.wav", at: 10_805, lasting: 10, seed: 2)
    try directory.write(WaveBytes.file([1, 2, 3], sampleRate: Self.rate), "n.wav")
    let run = try run(line)
    #expect(run.ending == .exit(code), "\(run.standardError)")
    #expect(run.standardError.contains(message), "\(run.standardError)")
    #expect(directory.names == ["a.wav", "b.wav", "n.wav"])
  }
}
