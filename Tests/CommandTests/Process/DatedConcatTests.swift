// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// What is made of dated parts is dated: by its first sample.
@Suite struct DatedConcatTests: ManyFiles {
  let directory = TemporaryDirectory()
  private static let rate = 8_000

  private func make(_ name: String, at time: String, zone: String = "+02:00") throws {
    var noise = Noise(7)
    let text = "GUANO|Version: 1.0\nTimestamp: 2026-05-02T\(time)\(zone)\nLength: 77\nNote: marsh\n"
    try directory.write(
      WaveBytes.file(
        WaveBytes.file(noise.samples(10 * Self.rate, peak: 900), sampleRate: Self.rate),
        with: "guan", Array(text.utf8)),
      name)
  }

  /// The lines of a file's `guan` chunk, whose sizes are checked on the way.
  private func guano(_ name: String) throws -> [String] {
    let file = try directory.bytes(name)
    var place = 12
    while place + 8 <= file.count {
      let size = littleEndian(file, at: place + 4, 4)
      if file[place..<place + 4].elementsEqual("guan".utf8) {
        #expect(size.isMultiple(of: 2))
        return String(decoding: file[place + 8..<place + 8 + size], as: UTF8.self)
          .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
          .filter { !$0.isEmpty }
      }
      place += 8 + size + size % 2
    }
    return []
  }

  private func run(_ line: String) throws {
    let run = try directory.pipeline("TZ=UTC rawaudio \(line)")
    #expect(run.ending == .exit(0), "\(line): \(run.standardError)")
    let notes = run.standardError.split(separator: "\n").filter {
      !$0.contains("is decoded by ffmpeg")
    }
    #expect(notes == [], "\(line)")
  }

  @Test(arguments: [
    ("concat a.wav b.wav -o x.wav", "04:00:00", 20.0),
    ("concat b.wav a.wav --start @02:00:02.5 -o x.wav", "04:00:02.500000", 17.5),
    ("concat a.wav b.wav --start 1.25 --end 10 -o x.wav", "04:00:01.250000", 17.5),
    (
      "concat a.wav b.wav --start @02:00:02 | rawaudio convert - --start 3 -o x.wav",
      "04:00:05", 15.0
    ),
    ("convert a.wav --start 2.5 --end 4 -o x.wav", "04:00:02.500000", 1.5),
    ("convert a.wav --pad 2,0 -o x.wav", "03:59:58", 12.0),
    (
      "convert a.wav --start 2 -o x.flac && rawaudio convert x.flac --start 1 -o x.wav",
      "04:00:03", 7.0
    ),
    ("convert a.wav -r 16000 --start 2 -o x.wav", "04:00:02", 8.0),
    (
      "convert a.wav -o m.mka && rawaudio convert m.mka --start 2 --end 5 -o x.wav", "04:00:02",
      3.0
    ),
    (
      """
      convert a.wav -o m.mka && rawaudio convert m.mka --start 2 -o n.mka &&
        rawaudio concat n.mka b.wav --start @02:00:03 -o x.wav
      """, "04:00:03", 17.0
    ),
  ])
  func theDateOfTheFirstSample(line: String, time: String, length: Double) throws {
    try make("a.wav", at: "04:00:00")
    try make("b.wav", at: "04:00:10")
    try run(line)
    let lines = try guano("x.wav")
    #expect(lines.prefix(2) == ["GUANO|Version: 1.0", "Timestamp: 2026-05-02T\(time)+02:00"])
    #expect(lines.contains("Note: marsh"))
    let stated = lines.compactMap { line in
      line.hasPrefix("Length: ") ? Double(line.dropFirst(8)) : nil
    }
    #expect(stated == [length])
  }

  /// Parts that are dated by their names alone give a file that states its date.
  @Test func partsThatAreNamed() throws {
    var noise = Noise(8)
    for name in ["m_20260502_040000.wav", "m_20260502_040010.wav"] {
      try directory.write(
        WaveBytes.file(noise.samples(10 * Self.rate, peak: 900), sampleRate: Self.rate), name)
    }
    try run("concat m_*.wav --start @04:00:05 -o x.wav")
    let lines = try guano("x.wav")
    #expect(
      lines == [
        "GUANO|Version: 1.0", "Timestamp: 2026-05-02T04:00:05.000000+00:00",
        "Samplerate: 8000", "Length: 15.000000",
      ])
    try run("convert m_20260502_040000.wav --start @04:00:03 -o w.wav")
    #expect(try guano("w.wav")[1] == "Timestamp: 2026-05-02T04:00:03.000000+00:00")
    try run("concat m_*.wav --start @04:00:05 | rawaudio convert - -o y.flac")
    try run("convert y.flac --start @2026-05-02T04:00:07Z --end @04:00:09 -o z.wav")
    #expect(try samples("z.wav").count == 2 * Self.rate)
  }

  /// A drift of the device moves no time of day: each part counts from its own time.
  @Test func partsOfADeviceThatDrifts() throws {
    for (name, time) in [
      ("a.wav", "04:00:00"), ("b.wav", "04:00:10.002"), ("c.wav", "04:00:20.004"),
      ("d.wav", "04:00:30.006"),
    ] { try make(name, at: time) }
    try run("concat a.wav b.wav c.wav d.wav --start @02:00:30.006 --end @02:00:31 -o x.wav")
    #expect(try samples("x.wav").count == 7_952)
    #expect(try guano("x.wav")[1] == "Timestamp: 2026-05-02T04:00:30.006+02:00")
  }

  /// A row of a table, and a line of JSON, state the time of day if the file does.
  @Test func tablesAndLinesOfDatedFiles() throws {
    try make("a.wav", at: "04:00:00")
    try run(
      "convert a.wav --start 1 --split 4 -o p%03d.wav --labels t.jsonl --observe record:events=e.jsonl"
    )
    #expect(
      try lines("t.jsonl").map { $0["time"] as? String } == [
        "2026-05-02T02:00:01.000+00:00", "2026-05-02T02:00:05.000+00:00",
        "2026-05-02T02:00:09.000+00:00",
      ])
    let first = try #require(try lines("e.jsonl").first)
    #expect(first["time"] as? String == "2026-05-02T02:00:01.000+00:00")
    #expect(try guano("p001.wav")[1] == "Timestamp: 2026-05-02T04:00:05+02:00")
    try run("convert a.wav --split 4 -o q%03d.wav --labels t.csv")
    let rows = String(decoding: try directory.bytes("t.csv"), as: UTF8.self).split(separator: "\n")
    #expect(rows.first == "source,start,end,overlap,label,file,time")
    #expect(
      rows.last
        == "a.wav,8.000000000,10.000000000,0.000000000,q002,q002.wav,2026-05-02T02:00:08.000+00:00")
  }
}
