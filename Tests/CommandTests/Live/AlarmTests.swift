// SPDX-License-Identifier: Apache-2.0
import Testing

/// Alarms report a fault of a recording once at its beginning and once at its end.
@Suite(.needsVirtualCard) struct AlarmTests {
  /// Returns square waves at 44.1 kHz, 16 bits, with these magnitudes and lengths in seconds.
  ///
  /// - Parameter second: the constant of a second channel; nil if there is one channel.
  private func tape(
    _ pieces: [(seconds: Int, magnitude: Int16)], second: Int16? = nil
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    for (seconds, magnitude) in pieces {
      for index in 0..<44_100 * seconds {
        let sample = index / 50 % 2 == 0 ? magnitude : -magnitude
        bytes += DeviceBytes.littleEndian(sample)
        if let second { bytes += DeviceBytes.littleEndian(second) }
      }
    }
    return bytes
  }

  private func capture(
    _ tape: [UInt8], seconds: Int, _ settings: [String: String] = [:], channels: Int = 1,
    _ options: String...
  ) throws -> (alarms: [String], notes: [String], log: [String]) {
    let bench = try CardBench(settings, input: tape)
    let run = try bench.start(
      [
        "capture", "-D", "card", "-r", "44100", "-c", "\(channels)", "-d", "\(seconds)", "--json",
        "--observe",
        "record,samples-per-call=\(88_200 * channels):events=log", "-o", "take.wav",
      ] + options
    ).wait()
    #expect(run.ending == .exit(0))
    let lines = run.standardError.split(separator: "\n").map(String.init)
    let log = String(decoding: try bench.bytes(of: "log"), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    return (
      try lines.filter { $0.contains(#""event":"alarm""#) }.map { try $0.withoutTime() },
      lines.filter { $0.contains("alarm: ") || $0.contains("alarm over: ") },
      try log.filter { $0.contains(#""event":"alarm""#) }.map { try $0.withoutTime() }
    )
  }

  @Test func silenceIsTold() throws {
    let (alarms, notes, log) = try capture(
      tape([(2, 16_384), (5, 16), (2, 16_384)]), seconds: 9, [:], "--alarm-silence", "3")
    #expect(
      alarms == [
        #"{"schema":1,"event":"alarm","alarm":"silence","state":"begin","output":"take.wav","#
          + #""samplePosition":88200,"sampleRate":44100}"#,
        #"{"schema":1,"event":"alarm","alarm":"silence","state":"end","output":"take.wav","#
          + #""samplePosition":308700,"sampleRate":44100,"value":-6.021,"seconds":5.0}"#,
      ])
    #expect(
      notes == [
        "rawaudio: alarm: 'take.wav' is silent since 0:00:02.000: nothing has reached -60 dBFS",
        "rawaudio: alarm over: 'take.wav' is not silent any more, after 5.0 s",
      ])
    #expect(log == alarms)
    let (none, _, _) = try capture(
      tape([(2, 16_384), (5, 16), (2, 16_384)]), seconds: 9, [:], "--alarm-silence", "3",
      "--silence-level", "-70")
    #expect(none == [])
  }

  /// A dead microphone gives 0.2 % of a constant, beside one that is heard.
  @Test func aDeadChannelIsTold() throws {
    let (alarms, notes, _) = try capture(
      tape([(4, 16_384)], second: 66), seconds: 4, channels: 2, "--alarm-silence", "3")
    #expect(
      alarms == [
        #"{"schema":1,"event":"alarm","alarm":"silence","state":"begin","output":"take.wav","#
          + #""channel":2,"samplePosition":0,"sampleRate":44100}"#
      ])
    #expect(
      notes == [
        "rawaudio: alarm: 'take.wav', channel 2, is silent since 0:00:00.000: nothing has reached -60 dBFS"
      ])
  }

  @Test func levelsAreTold() throws {
    let (alarms, notes, _) = try capture(
      tape([(7, 16_384), (17, 328), (7, 16_384)]), seconds: 31, [:], "--alarm-level", "-30..-3")
    #expect(
      alarms == [
        #"{"schema":1,"event":"alarm","alarm":"level","state":"begin","output":"take.wav","#
          + #""samplePosition":308700,"sampleRate":44100,"value":-30.703}"#,
        #"{"schema":1,"event":"alarm","alarm":"level","state":"end","output":"take.wav","#
          + #""samplePosition":1058400,"sampleRate":44100,"value":-28.694,"seconds":17.0}"#,
      ])
    #expect(
      notes == [
        "rawaudio: alarm: 'take.wav' is too quiet at 0:00:07.000: -30.7 dBFS RMS",
        "rawaudio: alarm over: the level of 'take.wav' is -28.7 dBFS RMS again, after 17.0 s",
      ])
  }

  @Test func clippingIsTold() throws {
    let (alarms, notes, _) = try capture(
      tape([(1, 16_384), (1, 32_767), (11, 16_384)]), seconds: 13, [:], "--alarm-clipping")
    #expect(
      alarms == [
        #"{"schema":1,"event":"alarm","alarm":"clipping","state":"begin","output":"take.wav","#
          + #""samplePosition":44100,"sampleRate":44100,"value":4410.0}"#,
        #"{"schema":1,"event":"alarm","alarm":"clipping","state":"end","output":"take.wav","#
          + #""samplePosition":88200,"sampleRate":44100,"seconds":1.0}"#,
      ])
    #expect(notes.count == 2)
  }

  /// The card has no clock, so everything happens within a minute.
  @Test func xrunsAreTold() throws {
    let events = (1...6).map { "\($0 * 44_100):xrun" }.joined(separator: " ")
    let (alarms, _, _) = try capture(
      tape([(9, 16_384)]), seconds: 8, ["EVENTS": events, "SPEED": "4"], "--alarm-xruns", "2/min")
    try #require(alarms.count == 1)
    #expect(
      alarms[0].hasPrefix(#"{"schema":1,"event":"alarm","alarm":"xruns","state":"begin","value":"#))
  }

  @Test func aDiskWithLittleRoomIsTold() throws {
    let (alarms, notes, _) = try capture(
      tape([(1, 16_384)]), seconds: 1, [:], "--alarm-space", "500TB")
    try #require(alarms.count == 1)
    #expect(
      alarms[0].hasPrefix(#"{"schema":1,"event":"alarm","alarm":"space","state":"begin","value":"#))
    #expect(notes.count == 1)
    let (none, _, _) = try capture(
      tape([(1, 16_384)]), seconds: 1, [:], "--alarm-space", "1KiB")
    #expect(none == [])
  }

  @Test(arguments: [
    ["--silence-level", "-50"], ["--alarm-level", "-6..-40"], ["--alarm-level", "-6"],
    ["--alarm-level", ".."], ["--alarm-xruns", "5/week"], ["--alarm-space", "12"],
    ["--alarm-space", "12000S"], ["--alarm-silence", "0"], ["--alarm-silence", "100S"],
  ])
  func whatMakesNoSenseIsRefused(_ options: [String]) throws {
    let bench = try CardBench()
    // A number without a unit is a time in seconds.
    let isTime = options == ["--alarm-space", "12"]
    let run = try bench.start(["capture", "-D", "card", "-d", "1", "-o", "take.wav"] + options)
      .wait()
    #expect(run.ending == .exit(isTime ? 0 : 64))
  }
}
