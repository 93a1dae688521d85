// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioFiles

/// Parts ended by the wall clock.
@Suite struct ClockedPartsTests {
  let scratch = ScratchDirectory()
  private let quarter: ClockInterval
  private let halfMinute: ClockInterval

  init() throws {
    quarter = try ClockInterval(seconds: 900)
    halfMinute = try ClockInterval(seconds: 30)
  }

  private func record(
    _ pattern: String, _ interval: ClockInterval, at time: Int, rate: Int = 8_000,
    clock: FakeWallClock? = nil, overwrite: Bool = false
  ) throws -> ClockedRecording {
    try ClockedRecording(
      scratch.file(pattern), [.clock(interval)], at: time, rate: rate, clock: clock,
      overwrite: overwrite)
  }

  private func name(_ part: SplittingSink.Part) -> String {
    String(part.path.dropFirst(scratch.path.count + 1))
  }

  /// Expects all samples, once.
  private func expectWhole(_ recording: ClockedRecording) throws {
    #expect(try recording.areWhole())
    #expect(recording.isComplete)
  }

  @Test func partsBeginWithTheQuarterOfAnHour() throws {
    let recording = try record(
      "%Y/%m-%d/%H%M%S.raw", quarter, at: CivilTime.utc2026(7, 1, 10, 40, 3), rate: 1_000)
    try recording.begin()
    // An uneven block, so that cuts lie within blocks.
    try recording.take(seconds: 2_000, block: 333)
    try recording.end()
    #expect(
      recording.parts.map(name) == [
        "2026/07-01/124003.raw", "2026/07-01/124500.raw", "2026/07-01/130000.raw",
      ])
    #expect(recording.parts.map(\.samplesPerChannel) == [297_000, 900_000, 803_000])
    #expect(
      recording.parts.map { CivilTime.berlin.description(of: $0.time ?? 0) } == [
        "2026-07-01T12:40:03.000+02:00", "2026-07-01T12:45:00.000+02:00",
        "2026-07-01T13:00:00.000+02:00",
      ])
    #expect(recording.steps == [])
    try expectWhole(recording)
  }

  /// A part is named after the second of its first sample, not after the file's creation; the seconds count from the
  /// fraction at the start of the recording.
  @Test func namesAreOfTheFirstSample() throws {
    let clock = FakeWallClock(at: CivilTime.utc2026(7, 1, 10, 40, 3))
    clock.pass(nanoseconds: 950_000_000)
    let recording = try ClockedRecording(
      scratch.file("%Y/%H%M%S.raw"), [.duration(.time(.milliseconds(1_500)))], at: 0, rate: 1_000,
      clock: clock)
    try recording.begin()
    // The device starts late.
    clock.pass(nanoseconds: 433_000_000)
    try recording.take(seconds: 4, block: 100)
    try recording.end()
    #expect(
      recording.parts.map { CivilTime.berlin.description(of: $0.time ?? 0) } == [
        "2026-07-01T12:40:04.383+02:00", "2026-07-01T12:40:05.883+02:00",
        "2026-07-01T12:40:07.383+02:00",
      ])
    #expect(recording.parts.map(name) == ["2026/124004.raw", "2026/124005.raw", "2026/124007.raw"])
    let files = try FileManager.default.contentsOfDirectory(atPath: scratch.file("2026"))
    #expect(files.sorted() == ["124004.raw", "124005.raw", "124007.raw"])
    try expectWhole(recording)
  }

  /// A device 200 ppm fast gives more samples to each stretch of the clock, a slow one fewer.
  @Test(arguments: [200.0, -200.0])
  func theDriftOfTheDeviceIsFollowed(partsPerMillion: Double) throws {
    let recording = try record(
      "%H%M%S.raw", halfMinute, at: CivilTime.utc2026(7, 1, 10, 0, 15), rate: 8_000)
    recording.partsPerMillion = partsPerMillion
    try recording.begin()
    try recording.take(seconds: 1_000, block: 801)
    try recording.end()
    let rate = 8_000 * (1 + partsPerMillion * 1e-6)
    // For a slow device a block up to ten seconds old counts, which is 2 ms early.
    let early = partsPerMillion < 0 ? 11 * 8_000 * 200e-6 : 0
    for (index, part) in recording.parts.dropFirst().enumerated() {
      let exact = (15 + 30 * Double(index)) * rate
      #expect(abs(Double(part.position) - exact) <= early + 2)
      #expect(
        name(part)
          == CivilTime.berlin.text(
            "%H%M%S.raw", at: CivilTime.utc2026(7, 1, 10, 0, 30) + 30 * index))
    }
    #expect(recording.parts.count == 34)
    try expectWhole(recording)
  }

  /// A sample that lies exactly on a boundary is rare, and the estimate of a device that drifts moves all the time.
  @Test(arguments: [44_100, 48_000, 96_000, 22_050], [0.0, 37, -37, 150])
  func aCutIsStampedWithItsBoundary(rate: Int, partsPerMillion: Double) throws {
    let clock = FakeWallClock(at: CivilTime.utc2026(7, 1, 10, 0, 15))
    clock.pass(nanoseconds: 123_456_789)
    let recording = try record("%H%M%S.raw", halfMinute, at: 0, rate: rate, clock: clock)
    recording.partsPerMillion = partsPerMillion
    try recording.begin()
    try recording.take(seconds: 200, block: rate / 10 + 7)
    try recording.end()
    #expect(recording.parts.count == 8)
    for (index, part) in recording.parts.dropFirst().enumerated() {
      let boundary = CivilTime.utc2026(7, 1, 10, 0, 30) + 30 * index
      #expect(part.time == Int64(boundary) * 1_000_000_000)
      let stated = Metadata(recordedAt: part.time ?? 0, by: "test", in: .berlin)
        .converted(to: rate)
      let sinceMidnight = 12 * 3_600 + 30 + 30 * index
      #expect(stated.broadcast?.timeReference == UInt64(sinceMidnight * rate))
    }
    try expectWhole(recording)
  }

  /// A block may be longer than a part.
  @Test func manyPartsOfABlock() throws {
    let recording = try record(
      "%H%M%S.raw", halfMinute, at: CivilTime.utc2026(7, 1, 10, 0, 15), rate: 1_000)
    recording.sink.clock = .stated(Int64(CivilTime.utc2026(7, 1, 10, 0, 15)) * 1_000_000_000)
    try recording.begin()
    try recording.take(100_000)
    try recording.end()
    #expect(recording.parts.map(\.samplesPerChannel) == [15_000, 30_000, 30_000, 25_000])
    #expect(
      recording.parts.map(name) == ["120015.raw", "120030.raw", "120100.raw", "120130.raw"])
    try expectWhole(recording)
  }

  /// A disk stalls for longer than any estimate reaches back: the waiting samples tell how long.
  @Test(arguments: [11, 40, 70]) func aLongWaitMovesNoCut(seconds: Int) throws {
    let recording = try record("%H%M%S.raw", halfMinute, at: CivilTime.utc2026(7, 1, 10, 0))
    try recording.begin()
    try recording.take(seconds: 20)
    for block in 0..<10 * seconds {
      try recording.take(
        800, late: Int64(10 * seconds - block) * 100_000_000, isTold: true)
    }
    try recording.sink.receive(.waited(.zero))
    try recording.take(seconds: 100 - seconds)
    try recording.end()
    #expect(recording.parts.map(name) == ["120000.raw", "120030.raw", "120100.raw", "120130.raw"])
    #expect(recording.parts.map(\.samplesPerChannel) == [240_000, 240_000, 240_000, 240_000])
    #expect(recording.steps == [])
    try expectWhole(recording)
  }

  /// Samples delayed by a stuck disk were recorded on time.
  @Test func latenessMovesNoCut() throws {
    let recording = try record(
      "%H%M%S.raw", halfMinute, at: CivilTime.utc2026(7, 1, 10, 0, 15), rate: 8_000)
    try recording.begin()
    for block in 0..<1_000 {
      try recording.take(800, late: block % 7 == 3 ? 0 : Int64(block * 7_919 % 4_000) * 1_000_000)
    }
    try recording.end()
    #expect(
      recording.parts.map(\.samplesPerChannel) == [120_000, 240_000, 240_000, 200_000])
    try expectWhole(recording)
  }

  @Test func anHourThatComesTwice() throws {
    for pattern in ["%H%M%S.raw", "%H.raw", "%H%z.raw", "%03d.raw"] {
      let recording = try record(
        pattern, .hour, at: CivilTime.utc2026(10, 24, 23, 59, 50), rate: 1_000)
      try recording.begin()
      for _ in 0..<3 {
        try recording.take(seconds: 20)
        try recording.leaveOut(3_580_000)
      }
      try recording.end()
      let expected = [
        "%H%M%S.raw": ["015950.raw", "020000.raw", "020001.raw", "030000.raw"],
        "%H.raw": ["01.raw", "02.raw", "02_x2.raw", "03.raw"],
        "%H%z.raw": ["01+0200.raw", "02+0200.raw", "02+0100.raw", "03+0100.raw"],
        "%03d.raw": ["000.raw", "001.raw", "002.raw", "003.raw"],
      ]
      #expect(recording.parts.map(name) == expected[pattern])
      #expect(
        recording.parts.map(\.samplesPerChannel) == [10_000, 20_000, 20_000, 10_000])
      try expectWhole(recording)
      for part in recording.parts { try FileManager.default.removeItem(atPath: part.path) }
    }
  }

  @Test func aClockThatIsSetForward() throws {
    let recording = try record(
      "%H%M%S.raw", quarter, at: CivilTime.utc2026(7, 1, 10), rate: 1_000)
    try recording.begin()
    try recording.take(seconds: 100)
    recording.clock.set(by: 3_600_000_000_000)
    try recording.take(seconds: 1_000)
    // The stretch is not cut, but it ends sooner.
    recording.clock.set(by: 300_000_000_000)
    try recording.take(seconds: 1_000)
    try recording.end()
    #expect(
      recording.parts.map(name) == ["120000.raw", "130140.raw", "131500.raw", "133000.raw"])
    #expect(
      recording.parts.map { [$0.position, $0.samplesPerChannel] } == [
        [0, 100_000], [100_000, 800_000], [900_000, 600_000], [1_500_000, 600_000],
      ])
    #expect(
      recording.steps == [
        ClockStep(
          position: 100_000, sampleRate: 1_000, nanoseconds: 3_600_000_000_000,
          time: Int64(CivilTime.utc2026(7, 1, 11, 1, 40)) * 1_000_000_000 + 800_000_000),
        ClockStep(
          position: 1_100_000, sampleRate: 1_000, nanoseconds: 300_000_000_000,
          time: Int64(CivilTime.utc2026(7, 1, 11, 23, 20)) * 1_000_000_000 + 800_000_000),
      ])
    try expectWhole(recording)
  }

  @Test func aClockThatIsSetBack() throws {
    let recording = try record("%H%M%S.raw", .hour, at: CivilTime.utc2026(7, 1, 9, 50), rate: 1_000)
    try recording.begin()
    try recording.take(seconds: 900)
    recording.clock.set(by: -3_600_000_000_000)
    try recording.take(seconds: 4_000)
    try recording.end()
    #expect(
      recording.parts.map(name) == [
        "115000.raw", "120000.raw", "110500.raw", "120001.raw",
      ])
    #expect(
      recording.parts.map(\.samplesPerChannel) == [600_000, 300_000, 3_300_000, 700_000])
    #expect(recording.steps.map(\.nanoseconds) == [-3_600_000_000_000])
    try expectWhole(recording)
  }

  /// A small correction of the clock just after a boundary does not begin a part of a second.
  @Test func aClockThatIsCorrected() throws {
    let recording = try record("%H%M%S.raw", .hour, at: CivilTime.utc2026(7, 1, 9, 59), rate: 1_000)
    try recording.begin()
    try recording.take(seconds: 61)
    recording.clock.set(by: -1_900_000_000)
    try recording.take(seconds: 60)
    // Time servers make smaller corrections all the time.
    recording.clock.set(by: 99_000_000)
    try recording.take(seconds: 60)
    try recording.end()
    #expect(recording.parts.map(name) == ["115900.raw", "120000.raw"])
    #expect(recording.steps.map(\.nanoseconds) == [-1_900_000_000])
    try expectWhole(recording)
  }

  @Test func aRestartGoesOn() throws {
    let clock = FakeWallClock(at: CivilTime.utc2026(7, 1, 10, 59, 30))
    for pattern in ["%H%M%S.raw", "%F/%04d.raw", "%H.raw"] {
      for _ in 0..<2 {
        let recording = try record(pattern, .hour, at: 0, rate: 1_000, clock: clock)
        try recording.begin()
        try recording.take(seconds: 31)
        clock.pass(nanoseconds: -31_000_000_000)
        try recording.end()
        try expectWhole(recording)
      }
    }
    #expect(
      scratch.names == [
        "12.raw", "125930.raw", "125931.raw", "12_x2.raw", "13.raw", "130000.raw",
        "130001.raw", "13_x2.raw", "2026-07-01",
      ])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.file("2026-07-01")).sorted()
        == ["0000.raw", "0001.raw", "0002.raw", "0003.raw"])
    // With `overwrite` the numbers restart.
    let anew = try record("%F/%04d.raw", .hour, at: 0, rate: 1_000, clock: clock, overwrite: true)
    try anew.begin()
    try anew.take(seconds: 1)
    try anew.end()
    #expect(anew.parts.map(name) == ["2026-07-01/0000.raw"])
  }

  /// A part without samples leaves no folder.
  @Test func nothingLeavesNothing() throws {
    let recording = try record("%Y/%m/%d.raw", .day, at: CivilTime.utc2026(7, 1, 10))
    try recording.begin()
    #expect(scratch.names == ["2026"])
    recording.sink.dispose()
    #expect(scratch.names == [])
  }

  /// A file states the time of its recording, and its samples are its clock.
  @Test func aStreamThatWasRecordedBefore() throws {
    let recording = try record("%H%M%S.raw", .hour, at: 0, rate: 1_000)
    recording.sink.clock = .stated(Int64(CivilTime.utc2026(7, 1, 9, 59, 58)) * 1_000_000_000)
    try recording.begin()
    try recording.take(seconds: 5)
    try recording.end()
    #expect(recording.parts.map(name) == ["115958.raw", "120000.raw"])
    #expect(recording.parts.map(\.samplesPerChannel) == [2_000, 3_000])
    try expectWhole(recording)
  }

  @Test func withoutAClockThereIsNoHour() throws {
    let recording = try record("%H%M%S.raw", .hour, at: 0)
    recording.sink.clock = nil
    do {
      try recording.begin()
      Issue.record("it began")
    } catch let error as AudioError {
      #expect(
        error.description == "cannot split by the clock '\(scratch.file("%H%M%S.raw"))': "
          + "nothing says when the stream began")
    }
    #expect(scratch.names == [])
  }
}
