// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// Parts of a recording across the nights in which clocks are set. The zones are given by their rules, so that no
/// database of the machine counts.
@Suite struct SummerNightTests: ManyFiles {
  let directory = TemporaryDirectory()

  private static let rate = 1_000
  private static let partLength = 900

  struct Night: Sendable, CustomTestStringConvertible {
    let name: String
    /// The zone as `TZ` gives it.
    let zone: String
    /// The second of the change, since 1970, and the offsets from UTC before and after it.
    let (change, before, after): (Int, Int, Int)
    var testDescription: String { name }

    init(_ name: String, _ zone: String, at change: Int, from before: Int, to after: Int) {
      (self.name, self.zone) = (name, zone)
      (self.change, self.before, self.after) = (change, before, after)
    }

    func offset(at second: Int) -> Int { second < change ? before : after }
  }

  private static let berlin = "CET-1CEST,M3.5.0,M10.5.0/3"
  private static let newYork = "EST5EDT,M3.2.0,M11.1.0"
  private static let lordHowe = "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"
  static let nights = [
    Night("Berlin, spring", berlin, at: 1_806_195_600, from: 3_600, to: 7_200),
    Night("Berlin, autumn", berlin, at: 1_824_944_400, from: 7_200, to: 3_600),
    Night("New York, spring", newYork, at: 1_805_007_600, from: -18_000, to: -14_400),
    Night("New York, autumn", newYork, at: 1_825_567_200, from: -14_400, to: -18_000),
    Night("Lord Howe, spring", lordHowe, at: 1_822_491_000, from: 37_800, to: 39_600),
    Night("Lord Howe, autumn", lordHowe, at: 1_806_764_400, from: 39_600, to: 37_800),
  ]

  /// Where the parts state their times.
  enum Place: String, CaseIterable, Sendable {
    case name, nameWithZone, nameInUTC, broadcast, broadcastWithZone, guano, guanoWithoutZone, flac
  }

  /// A time on the clock on the wall, by the calendar of the proleptic Gregorian rules.
  private func wall(_ second: Int, _ offset: Int) -> (date: String, time: String) {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    let date = Date(timeIntervalSince1970: Double(second + offset))
    formatter.dateFormat = "yyyy-MM-dd"
    let day = formatter.string(from: date)
    formatter.dateFormat = "HH:mm:ss"
    return (day, formatter.string(from: date))
  }

  private func zone(_ offset: Int) -> String {
    let minutes = abs(offset) / 60
    let text = "\(minutes / 60 < 10 ? "0" : "")\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")"
    return "\(offset < 0 ? "-" : "+")\(text)\(minutes % 60)"
  }

  private func iso(_ second: Int, _ offset: Int, zone: Bool = true) -> String {
    let (date, time) = wall(second, offset)
    return "\(date)T\(time)" + (zone ? self.zone(offset) : "")
  }

  /// A stretch of the whole recording, whose seconds each begin with a sample that tells their number.
  private func sound(_ range: Range<Int>) -> [Int16] {
    var samples = [Int16](repeating: 0, count: range.count)
    for index in stride(from: range.lowerBound, to: range.upperBound, by: Self.rate) {
      let second = (index + Self.rate - 1) / Self.rate
      samples[second * Self.rate - range.lowerBound] = Int16(second + 1)
    }
    return samples
  }

  /// The bytes of a part, made fast.
  private func bytes(_ part: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 2 * Self.partLength * Self.rate)
    for second in 0..<Self.partLength {
      let number = part * Self.partLength + second + 1
      bytes[2 * second * Self.rate] = UInt8(truncatingIfNeeded: number)
      bytes[2 * second * Self.rate + 1] = UInt8(truncatingIfNeeded: number >> 8)
    }
    return WaveBytes.file(bytes, sampleRate: Self.rate)
  }

  /// Nine gapless parts of a quarter of an hour, of which the fifth begins with the change.
  private func record(_ night: Night, _ place: Place) throws {
    var names: [String: Int] = [:]
    for part in 0..<9 {
      let second = night.change + (part - 4) * Self.partLength
      let offset = night.offset(at: second)
      let (date, time) = wall(second, offset)
      let plain = (date + "_" + time).filter { $0 != "-" && $0 != ":" }
      var name = "x\(9 - part)"
      var chunk = ("junk", [UInt8]())
      switch place {
      case .name:
        let count = names[plain, default: 0] + 1
        names[plain] = count
        name = count == 1 ? plain : "\(plain)_x\(count)"
      case .nameWithZone: name = plain + zone(offset).filter { $0 != ":" }
      case .nameInUTC:
        let (date, time) = wall(second, 0)
        name = (date + "_" + time).filter { $0 != "-" && $0 != ":" } + "Z"
      case .broadcast, .broadcastWithZone:
        // Of two parts that show one time, the later one has the longer name.
        if place == .broadcast { name = "x\(part)" }
        chunk = ("bext", broadcast(date, time, place == .broadcast ? nil : offset))
      case .guano, .flac: chunk = ("guan", guano(iso(second, offset)))
      case .guanoWithoutZone:
        name = "x\(part)"
        chunk = ("guan", guano(iso(second, offset, zone: false)))
      }
      try directory.write(WaveBytes.file(bytes(part), with: chunk.0, chunk.1), name + ".wav")
      if place == .flac {
        try directory.pipeline("rawaudio convert \(name).wav -o \(name).flac && rm \(name).wav")
          .requireSuccess()
      }
    }
  }

  private func guano(_ time: String) -> [UInt8] {
    Array("GUANO|Version: 1.0\nTimestamp: \(time)\n".utf8)
  }

  private func broadcast(_ date: String, _ time: String, _ offset: Int?) -> [UInt8] {
    var content = [UInt8](repeating: 0, count: 602)
    content.replaceSubrange(320..<338, with: Array((date + time).utf8))
    if let offset {
      let text = Array("Times are UTC\(zone(offset))".utf8)
      content.replaceSubrange(0..<text.count, with: text)
    }
    let numbers = time.split(separator: ":").compactMap { Int($0) }
    let reference = (numbers[0] * 3_600 + numbers[1] * 60 + numbers[2]) * Self.rate
    content.replaceSubrange(
      338..<346, with: (0..<8).map { UInt8(truncatingIfNeeded: reference >> (8 * $0)) })
    content[346] = 1
    return content
  }

  private func expect(
    _ night: Night, from start: String, to end: String, _ seconds: Range<Int>
  ) throws {
    let parts = directory.names.filter { $0 != "cut.wv" }.joined(separator: " ")
    let run = try directory.pipeline(
      "TZ='\(night.zone)' rawaudio concat \(parts) --start @\(start) --end @\(end) -o cut.wv"
        + " --force -t wav")
    #expect(run.ending == .exit(0), "\(start) \(end)")
    #expect(run.standardError == "", "\(start) \(end)")
    let first = 4 * Self.partLength
    #expect(
      try samples("cut.wv")
        == sound(
          (first + seconds.lowerBound) * Self.rate..<(first + seconds.upperBound) * Self.rate),
      "\(start) \(end)")
  }

  @Test(
    arguments: nights.prefix(2).flatMap { night in Place.allCases.map { (night, $0) } }
      + nights.dropFirst(2).flatMap { night in [.name, .broadcast, .guano].map { (night, $0) } })
  func fourSecondsAcrossTheChange(night: Night, place: Place) throws {
    try record(night, place)
    let (start, end) = (night.change - 2, night.change + 2)
    try expect(night, from: iso(start, 0), to: iso(end, night.after), -2..<2)
    let inUTC = iso(start, 0, zone: false) + "Z"
    try expect(night, from: inUTC, to: iso(end, 0, zone: false) + "Z", -2..<2)
    let wall = iso(start, night.before, zone: false)
    if night.after > night.before {
      return try expect(night, from: wall, to: iso(end, night.after, zone: false), -2..<2)
    }
    // The start comes twice: the first counts, and so does the first end behind it.
    let repeated = night.before - night.after
    let next = iso(start + 1, night.before, zone: false)
    try expect(night, from: wall, to: next, -2..<(-1))
    let second = iso(start + repeated, night.after)
    try expect(night, from: second, to: next, repeated - 2..<repeated - 1)
  }

  /// No neighbour decides which of two moments is meant: the first is taken, and told.
  @Test func aPartAlone() throws {
    let night = Self.nights[1]
    let (date, time) = wall(night.change - 1_800, night.before)
    let name = (date + "_" + time).filter { $0 != "-" && $0 != ":" } + ".wav"
    try directory.write(WaveBytes.file(sound(0..<5_000), sampleRate: Self.rate), name)
    for command in ["convert", "concat"] {
      let run = try directory.pipeline(
        "TZ='\(night.zone)' rawaudio \(command) \(name) --start @02:30:02 -o cut.wv -t wav --force")
      #expect(run.ending == .exit(0))
      run.expectMessages(
        "'\(name)' does not say whether it began at 2027-10-31T02:30:00.000+02:00 or at"
          + " 2027-10-31T02:30:00.000+01:00; the first is taken")
      #expect(try samples("cut.wv") == sound(2_000..<5_000))
    }
  }

  @Test func aTimeThatDoesNotExist() throws {
    let night = Self.nights[0]
    try directory.write(
      WaveBytes.file(sound(0..<5_000), sampleRate: Self.rate), "20270328_013000.wav")
    let run = try directory.pipeline(
      "TZ='\(night.zone)' rawaudio concat 20270328_013000.wav --start @2027-03-28T02:30 -o cut.wav")
    #expect(run.ending == .exit(1))
    run.expectMessages(
      "cannot take this part of '20270328_013000.wav': clocks never show that time: they are put forward over it;"
        + " name one before or behind, or one with a zone such as +01:00")
    #expect(directory.names == ["20270328_013000.wav"])
  }

  /// `--utc` counts for files and for times that state no zone, and for those only.
  @Test func inUTC() throws {
    let night = Self.nights[0]
    for name in ["20270328_013000.wav", "20270328_023000+0200.wav"] {
      try directory.write(WaveBytes.file(sound(0..<5_000), sampleRate: Self.rate), name)
    }
    for (line, start) in [
      ("convert 20270328_013000.wav --start @01:30:02", 2_000),
      ("convert 20270328_013000.wav --start @03:30:03+02:00", 3_000),
      ("concat 20270328_013000.wav --start @2027-03-28T01:30:01", 1_000),
      ("concat 20270328_023000+0200.wav --start @00:30:04", 4_000),
    ] {
      let run = try directory.pipeline(
        "TZ='\(night.zone)' rawaudio \(line) --utc -o cut.wv -t wav --force")
      #expect(run.ending == .exit(0), "\(line): \(run.standardError)")
      #expect(try samples("cut.wv") == sound(start..<5_000), "\(line)")
    }
  }
}
