// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioFiles
@testable import rawaudio

/// The beginning and the end of alarms, each reported once.
struct StreamAlarmsTests {
  /// Tenths of a second at 1 kHz, in a row.
  private struct Tape {
    var alarms: StreamAlarms
    /// Whether a second channel is silent.
    var dead = false
    var position: Int64 = 0
    var changes: [AlarmChange] = []

    init(_ request: AlarmRequest) { alarms = StreamAlarms(request) }

    mutating func play(_ tenths: Int, peak: Double, rms: Double? = nil, clipping: Int = 0) {
      for _ in 0..<tenths {
        let rms = rms ?? peak
        var channel = MonitoredLevel.Channel()
        (channel.peak, channel.soundPeak, channel.longestClipping) = (1, peak, clipping)
        channel.levels = Array(
          repeating: .init(samplesPerChannel: 10, meanSquare: rms * rms), count: 10)
        changes += alarms.take(
          MonitoredLevel(
            position: position, samplesPerChannel: 100, sampleRate: 1_000,
            channels: dead ? [channel, .init()] : [channel]))
        position += 100
      }
    }

    mutating func takeChanges() -> [AlarmChange] {
      defer { changes = [] }
      return changes
    }
  }

  @Test func silenceBeginsAfterItsTimeAndEndsWithSound() {
    var request = AlarmRequest()
    request.silence = 2
    request.silenceLevel = -40
    var tape = Tape(request)
    tape.play(10, peak: 0.5)
    tape.play(19, peak: 0.009)
    tape.play(1, peak: 0.01)
    #expect(tape.takeChanges().isEmpty)
    tape.play(19, peak: 0.009_9)
    #expect(tape.takeChanges().isEmpty)
    tape.play(50, peak: 0)
    #expect(
      tape.takeChanges() == [AlarmChange(kind: .silence, begins: true, position: 3_000)])
    tape.play(10, peak: 1)
    #expect(
      tape.takeChanges() == [
        AlarmChange(kind: .silence, begins: false, position: 9_900, value: 0, lasted: 6.9)
      ])
  }

  /// A dead microphone beside a live one.
  @Test func eachChannelHasItsAlarms() {
    var request = AlarmRequest()
    request.silence = 1
    var tape = Tape(request)
    tape.dead = true
    tape.play(30, peak: 0.5)
    #expect(
      tape.takeChanges() == [
        AlarmChange(kind: .silence, begins: true, position: 0, channel: 2)
      ])
  }

  /// A recording that is silent from its beginning, for example from a switched-off microphone.
  @Test func theBeginningMayBeSilent() {
    var request = AlarmRequest()
    request.silence = 1
    var tape = Tape(request)
    tape.play(9, peak: 0)
    #expect(tape.takeChanges().isEmpty)
    tape.play(5, peak: 0)
    #expect(tape.takeChanges() == [AlarmChange(kind: .silence, begins: true, position: 0)])
  }

  @Test func levelsLieWithinTheirLimitsByADecibelBeforeItIsOver() throws {
    var request = AlarmRequest()
    request.level = LevelLimits(lowest: -40, highest: -6)
    var tape = Tape(request)
    func level(_ decibels: Double) -> Double { Decibels.factor(decibels) }
    tape.play(100, peak: 1, rms: level(-6.1))
    tape.play(100, peak: 1, rms: level(-39.9))
    #expect(tape.takeChanges().isEmpty)
    tape.play(100, peak: 1, rms: level(-5.9))
    tape.play(100, peak: 1, rms: level(-6.5))
    tape.play(80, peak: 1, rms: level(-7.1))
    #expect(tape.changes.map(\.begins) == [true])
    tape.play(20, peak: 1, rms: level(-7.1))
    let loud = tape.takeChanges()
    try #require(loud.count == 2)
    #expect(loud.map(\.position) == [20_000, 40_000])
    // The value at the moment it passed the limit.
    #expect((-6...(-5.99)).contains(loud[0].value ?? 0))
    #expect((-7.01...(-7)).contains(loud[1].value ?? 0))
    #expect(loud[1].lasted == 20)
    tape.play(100, peak: 1, rms: level(-45))
    tape.play(100, peak: 1, rms: level(-39.5))
    tape.play(100, peak: 1, rms: level(-38.9))
    #expect(tape.takeChanges().map(\.begins) == [true, false])
  }

  /// A quiet stretch of ten seconds is found at every start and reported with its length.
  @Test(arguments: [(0, 100), (1, 100), (57, 100), (99, 170), (143, 170), (37, 240), (200, 2_000)])
  func everyQuietStretchIsFound(before: Int, tenths: Int) throws {
    var request = AlarmRequest()
    request.level = LevelLimits(lowest: -50, highest: nil)
    var tape = Tape(request)
    tape.play(before, peak: 0.1)
    tape.play(tenths, peak: 0.000_1)
    tape.play(150, peak: 0.1)
    let told = tape.takeChanges()
    try #require(told.map(\.begins) == [true, false])
    #expect(told.map(\.position) == [Int64(before) * 100, Int64(before + tenths) * 100])
    #expect(told[1].lasted == Double(tenths) / 10)
    #expect((told[0].value ?? 0) < -50)
  }

  @Test func whatIsShorterIsNot() {
    var request = AlarmRequest()
    request.level = LevelLimits(lowest: -50, highest: -6)
    var tape = Tape(request)
    for _ in 0..<10 {
      tape.play(98, peak: 0.000_1)
      tape.play(2, peak: 0.1)
    }
    #expect(tape.takeChanges() == [])
  }

  /// The report covers the loud stretch alone, without the ten seconds around it.
  @Test func aLoudStretchIsToldAsLongAsItIs() throws {
    var request = AlarmRequest()
    request.level = LevelLimits(lowest: nil, highest: -6)
    var tape = Tape(request)
    tape.play(173, peak: 0.1)
    tape.play(50, peak: 1)
    tape.play(200, peak: 0.1)
    let told = tape.takeChanges()
    try #require(told.map(\.begins) == [true, false])
    #expect(told.map(\.position) == [17_300, 22_300])
    #expect(told[1].lasted == 5)
  }

  @Test func clippingIsOverAfterTenSecondsWithout() {
    var request = AlarmRequest()
    request.clipping = true
    var tape = Tape(request)
    tape.play(10, peak: 1, clipping: 2)
    #expect(tape.takeChanges().isEmpty)
    tape.play(1, peak: 1, clipping: 3)
    tape.play(99, peak: 1)
    tape.play(1, peak: 1, clipping: 70)
    #expect(
      tape.takeChanges() == [
        AlarmChange(kind: .clipping, begins: true, position: 1_000, value: 3)
      ])
    tape.play(99, peak: 1)
    #expect(tape.takeChanges().isEmpty)
    tape.play(1, peak: 1)
    #expect(
      tape.takeChanges() == [
        AlarmChange(kind: .clipping, begins: false, position: 11_100, lasted: 10.1)
      ])
  }

  @Test func xrunsOfTheLastMinuteCount() {
    var alarm = XrunAlarm(XrunRate(limit: 4, span: 60, text: "4/min"))
    var changes: [AlarmChange?] = []
    // One every ten seconds is six a minute; then one every 30 seconds.
    for second in 0..<100 { changes.append(alarm.take(second / 10, at: Int64(second) * 1_000)) }
    for second in 100..<300 {
      changes.append(alarm.take(9 + (second - 100) / 30, at: Int64(second) * 1_000))
    }
    let told = changes.enumerated().compactMap { index, change in change.map { (index, $0) } }
    #expect(told.map(\.0) == [50, 141])
    #expect(told.map(\.1.begins) == [true, false])
    #expect(told.map(\.1.value) == [5, 2])
  }

  @Test func oneXrunMayBeTooMany() {
    var alarm = XrunAlarm(XrunRate(limit: 0, span: 3_600, text: "0/h"))
    #expect(alarm.take(0, at: 0) == nil)
    #expect(alarm.take(1, at: 1_000)?.begins == true)
    #expect(alarm.take(1, at: 3_601_000) == nil)
    #expect(alarm.take(1, at: 3_601_001)?.begins == false)
  }

  @Test func roomIsThereAgainWithATenthMore() {
    var alarm = SpaceAlarm(1_000)
    let rooms: [Double] = [2_000, 1_000, 999, 500, 1_099, 1_100, 1_000, 900]
    let told = rooms.enumerated().map { index, room in
      alarm.take(room, at: Int64(index) * 1_000)?.begins
    }
    #expect(told == [nil, nil, true, nil, nil, false, nil, true])
  }
}
