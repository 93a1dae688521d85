// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `--split 30,quiet=5,overlap=2`, `--labels`, and splits of many sources.
@Suite struct QuietSplitTests: ManyFiles {
  let directory = TemporaryDirectory()

  private static let rate = 8_000

  /// Bursts of noise with quieter noise between them.
  private func makeTalk(_ name: String, seed: UInt64, channelCount: Int = 1) throws -> [Int16] {
    var noise = Noise(seed)
    var samples: [Int16] = []
    for _ in 0..<30 {
      samples += noise.samples((1_500 + Int(noise.next() % 9_000)) * channelCount, peak: 9_000)
      samples += noise.samples((700 + Int(noise.next() % 3_000)) * channelCount, peak: 40)
    }
    try directory.write(
      WaveBytes.file(samples, channelCount: channelCount, sampleRate: Self.rate), name)
    return samples
  }

  private func run(_ line: String) throws -> ProcessRun {
    try directory.run(line.split(separator: " ").map(String.init))
  }

  /// Returns the ends of the parts, by the definition.
  private func ends(
    _ samples: [Int16], channelCount: Int, length: Int, quiet: Int, overlap: Int
  ) -> [Int] {
    let (count, window, step) = (samples.count / channelCount, Self.rate / 20, Self.rate / 200)
    var (ends, start): ([Int], Int) = ([], 0)
    while start + length < count {
      let search = start + length - quiet
      var (best, end) = (Int.max, start + length)
      for first in stride(from: search, through: start + length - window, by: step) where quiet > 0
      {
        let range = first * channelCount..<(first + window) * channelCount
        let energy = samples[range].reduce(0) { $0 + Int($1) * Int($1) }
        if energy <= best { (best, end) = (energy, first + window / 2) }
      }
      ends.append(end)
      start = end - overlap
    }
    return ends + [count]
  }

  private func rows(_ name: String) throws -> [(start: Int, end: Int, overlap: Int, file: String)] {
    let lines = String(decoding: try directory.bytes(name), as: UTF8.self).split(separator: "\n")
    #expect(lines.first == "source,start,end,overlap,label,file,time")
    return try lines.dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      func samples(_ place: Int) throws -> Int {
        Int((try #require(Double(cells[place])) * Double(Self.rate)).rounded())
      }
      return (try samples(1), try samples(2), try samples(3), cells[5])
    }
  }

  @Test(
    arguments: [
      ("3,quiet=1", 3, 1, 0), ("3,overlap=0.5", 3, 0, 0.5), ("3,quiet=1,overlap=0.5", 3, 1, 0.5),
      ("3,quiet=2,overlap=0.9", 3, 2, 0.9), ("1000S,overlap=999S", 0.125, 0, 0.124875),
    ], [1, 2])
  func partsAreTheSource(
    split: (String, length: Double, quiet: Double, overlap: Double), channelCount: Int
  ) throws {
    let sound = try makeTalk("a.wav", seed: 4, channelCount: channelCount)
    func samples(_ seconds: Double) -> Int { Int((seconds * Double(Self.rate)).rounded()) }
    let isShort = split.length < 1
    let samplesIn = isShort ? Array(sound[..<(3_000 * channelCount)]) : sound
    if isShort {
      try directory.write(
        WaveBytes.file(samplesIn, channelCount: channelCount, sampleRate: Self.rate), "a.wav")
    }
    try run("convert a.wav --split \(split.0) -o p-%03d.wav --labels l.csv -v").requireSuccess()
    let expected = ends(
      samplesIn, channelCount: channelCount, length: samples(split.length),
      quiet: samples(split.quiet),
      overlap: samples(split.overlap))
    let rows = try rows("l.csv")
    #expect(rows.map(\.end) == expected)
    var whole: [Int16] = []
    for (index, row) in rows.enumerated() {
      let part = try self.samples(row.file)
      #expect(row.overlap == (index == 0 ? 0 : samples(split.overlap)))
      #expect(row.start == (index == 0 ? 0 : expected[index - 1] - row.overlap))
      #expect(part == Array(samplesIn[row.start * channelCount..<row.end * channelCount]))
      #expect(part.count <= samples(split.length) * channelCount)
      whole += part[(row.overlap * channelCount)...]
    }
    #expect(whole == samplesIn)
  }

  /// A pipe is cut as the file is, whatever the sizes of its blocks.
  @Test func aPipeIsCutAlike() throws {
    _ = try makeTalk("a.wav", seed: 5)
    try run("convert a.wav --split 3,quiet=1,overlap=0.5 -o p-%03d.wav --labels l.csv")
      .requireSuccess()
    let line =
      "cat a.wav | rawaudio convert - --split 3,quiet=1,overlap=0.5 -o q-%03d.wav --labels m.tsv"
    #expect(try directory.pipeline(line).ending == .exit(0))
    for row in try rows("l.csv") {
      #expect(try directory.bytes(row.file) == directory.bytes("q" + row.file.dropFirst()))
    }
  }

  /// The definition: loud samples with at most `--join` between them are one sound.
  @Test(arguments: [(0.0, 0.0), (0.2, 0.0), (0.0, 0.5), (0.3, 0.6)])
  func soundsOfManySources(join: Double, least: Double) throws {
    let sounds = [try makeTalk("a.wav", seed: 6), try makeTalk("b%d.wav", seed: 7)]
    let line =
      "convert a.wav b%d.wav --threshold -30 --split event --hold 0.02 --pre-roll 0 --join \(join)"
      + " --min-length \(least)"
    try run("\(line) -o o/{stem}-%03d.wav --labels l.jsonl --results r").requireSuccess()
    try run("\(line) -o null: --labels n.jsonl").requireSuccess()
    let (found, alone, results) = (try lines("l.jsonl"), try lines("n.jsonl"), try lines("r"))
    for (name, sound) in zip(["a", "b%d"], sounds) {
      let events = self.events(sound, join: max(join, 0.02), least: least)
      let rows = found.filter { $0["source"] as? String == "\(name).wav" }
      #expect(rows.count == events.count && !events.isEmpty)
      #expect(alone.filter { $0["source"] as? String == "\(name).wav" }.count == events.count)
      for (row, event) in zip(rows, events) {
        let file = try #require(row["file"] as? String)
        #expect(try samples(file) == Array(sound[event]))
        #expect(row["start"] as? Double == Double(event.lowerBound) / 8_000)
        #expect(row["end"] as? Double == Double(event.upperBound) / 8_000)
        let result = try #require(results.first { $0["output"] as? String == file })
        #expect(result["sourceStart"] as? Int == event.lowerBound)
        #expect(result["sourceEnd"] as? Int == event.upperBound)
        let sum = try directory.pipeline("rawaudio convert '\(file)' -t raw | md5sum")
        #expect(result["md5"] as? String == String(sum.outputText.prefix(32)))
      }
    }
  }

  private func events(_ sound: [Int16], join: Double, least: Double) -> [Range<Int>] {
    let level = pow(10, -30.0 / 20) * 32_768
    let loud = sound.indices.filter { abs(Double(sound[$0])) >= level }
    var events: [(first: Int, last: Int)] = []
    for place in loud {
      if let last = events.last, Double(place - last.last - 1) < join * 8_000 {
        events[events.count - 1].last = place
      } else {
        events.append((place, place))
      }
    }
    return events.filter { Double($0.last + 1 - $0.first) >= least * 8_000 }
      .map { $0.first..<min($0.last + 1 + 160, sound.count) }
  }

  /// The table of the sounds that stay maps a time back.
  @Test func shortenedPauses() throws {
    let sound = try makeTalk("a.wav", seed: 8)
    try run("convert a.wav --threshold -30 --hold 0.05 -o s.wav --labels k.txt").requireSuccess()
    let rows = String(decoding: try directory.bytes("k.txt"), as: UTF8.self).split(separator: "\n")
    var kept: [Int16] = []
    for row in rows {
      let times = row.split(separator: "\t").prefix(2).compactMap { Double($0) }
      #expect(times.count == 2)
      kept += sound[Int((times[0] * 8_000).rounded())..<Int((times[1] * 8_000).rounded())]
    }
    #expect(try samples("s.wav") == kept)
  }

  @Test(arguments: [
    (
      "convert a.wav --labels l.csv -o x.wav",
      "'--labels <file>' needs '--split <point>' or '--threshold <db>'"
    ),
    (
      "convert a.wav --split 5 --labels l.xml -o %03d.wav",
      "its name ends in .csv, .tsv, .jsonl, or .txt"
    ),
    (
      "convert a.wav --split 5,loud=1 -o %03d.wav",
      "behind a length stands quiet=TIME or overlap=TIME"
    ),
    (
      "convert a.wav --split 5,quiet -o %03d.wav",
      "behind a length stands quiet=TIME or overlap=TIME"
    ),
    ("convert a.wav b.wav --split 5 -o {stem}.wav", "all parts would have the same name"),
    (
      "convert a.wav b.wav --split 5 -o {stem}%02d.wav --existing skip",
      "is for sources that become one file each"
    ),
    ("convert a.wav --split marks --split 5 -o {n}.wav", "marks"),
    (
      "convert a.wav --at 1 --segments t.csv -o {n}.wav", "both say where pieces are; one is enough"
    ),
    (
      "capture --split marks -o x%03d.wav",
      "'--split marks' is for 'convert' of files, whose marks are known"
    ),
  ])
  func mistakes(line: String, message: String) throws {
    _ = try makeTalk("a.wav", seed: 1)
    _ = try makeTalk("b.wav", seed: 2)
    let run = try self.run(line)
    #expect(run.ending == .exit(64), "\(run.standardError)")
    #expect(run.standardError.contains(message), "\(run.standardError)")
    #expect(directory.names == ["a.wav", "b.wav"])
  }

  @Test func anOverlapThatFillsAPart() throws {
    _ = try makeTalk("a.wav", seed: 1)
    let run = try self.run("convert a.wav --split 3,quiet=2,overlap=1 -o %03d.wav --labels l.csv")
    run.expectExit(
      1,
      "cannot cut the stream: the overlap and the search for a quiet place take a whole part; make the parts longer"
    )
    #expect(directory.names == ["a.wav"])
  }

  @Test func aTableThatIsThere() throws {
    _ = try makeTalk("a.wav", seed: 1)
    try directory.write([1], "l.csv")
    let run = try self.run("convert a.wav --split 3 -o %03d.wav --labels l.csv")
    run.expectExit(
      1, "cannot write to 'l.csv': it already exists; use --force or --existing replace")
    #expect(directory.names == ["a.wav", "l.csv"])
    try self.run("convert a.wav --split 3 -o %03d.wav --labels l.csv --force").requireSuccess()
    #expect(try rows("l.csv").count > 1)
  }

  /// `--segments` cuts the parts that `--labels` listed, in every format.
  @Test(arguments: ["csv", "tsv", "jsonl", "txt"]) func tablesAreReadBack(format: String) throws {
    let samples = try makeTalk("talk.wav", seed: 5)
    let split = try run(
      "convert talk.wav --split 3,quiet=1 -o part-%02d.wav --labels parts.\(format)")
    split.expectExit(0)
    let cut = try run("convert talk.wav --segments parts.\(format) -o cut/{label}.wav")
    cut.expectExit(0)
    var whole: [Int16] = []
    let names = directory.names.filter { $0.hasPrefix("part-") }.sorted()
    #expect(names.count > 3)
    for name in names {
      let part = WaveBytes.samples(try directory.bytes(name))
      #expect(WaveBytes.samples(try directory.bytes("cut/\(name)")) == part)
      whole += part
    }
    #expect(whole == samples)
  }
}
