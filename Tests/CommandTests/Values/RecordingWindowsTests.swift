// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioFiles
@testable import rawaudio

/// The windows of `--record`.
@Suite struct RecordingWindowsTests {
  private let syntax = ValueSyntax<RecordingWindows>.recordingWindows

  @Test func windowsHaveTwoBounds() throws {
    #expect(
      try syntax.parse("04:00-09:00,22:15:30..24:00").windows == [
        .init(.clock(14_400), .clock(32_400)), .init(.clock(80_130), .clock(86_400)),
      ])
    #expect(
      try syntax.parse("sunset-30m..sunrise+1h15m").windows == [
        .init(.sun(.sunset, offset: -1_800), .sun(.sunrise, offset: 4_500))
      ])
    #expect(
      try syntax.parse("dusk..dawn,05:30..sunrise-90s").windows == [
        .init(.sun(.dusk, offset: 0), .sun(.dawn, offset: 0)),
        .init(.clock(19_800), .sun(.sunrise, offset: -90)),
      ])
    // The hours around one moment.
    #expect(
      try syntax.parse("sunrise-1h..sunrise+2h").windows == [
        .init(.sun(.sunrise, offset: -3_600), .sun(.sunrise, offset: 7_200))
      ])
  }

  @Test(arguments: [
    "", "04:00", "4:00-09:00", "04:00-09:00,", "24:01-25:00", "04:60-05:00", "noon..sunset",
    "sunrise-sunset", "..sunset", "04:00-", "Sunset..sunrise", "04:00-05:00-06:00",
  ])
  func theRestIsNone(_ text: String) {
    #expect(
      rejection(of: text, by: syntax)
        == "a window is 04:00-09:00, or from one bound to another, as in sunset-30m..sunrise+1h15m or 22:00..dawn"
    )
  }

  @Test func someWindowsAreNever() {
    for text in ["04:00-04:00", "sunrise+1h..sunrise", "dusk..dusk"] {
      #expect(
        rejection(of: text, by: syntax) == "'\(text)' is never; the whole day is 00:00-24:00")
    }
    #expect(
      rejection(of: "sunset-7h..sunrise", by: syntax)
        == "'-7h' is not a whole number of seconds up to 6h")
    #expect(rejection(of: "sunset-..sunrise", by: syntax) != nil)
    #expect(rejection(of: "sunset+500ms..sunrise", by: syntax) != nil)
  }

  private func refusal(_ words: String...) -> String? { CaptureCommand.refusal(of: words) }

  @Test func whatItNeeds() throws {
    #expect(
      refusal("--record", "sunset..sunrise", "-o", "%H.wav")
        == "'--record <windows>' needs '--location <latitude,longitude>'")
    #expect(
      refusal("--record", "04:00-05:00", "-o", "a.wav")
        == "'--record <windows>' needs files: name them with '--output <sink>', for example take-%03d.wav"
    )
    #expect(refusal("--record", "04:00-05:00", "-o", "-") != nil)
    #expect(
      refusal("--between", "keep", "-o", "%H.wav")
        == "'--between <what>' needs '--record <windows>'")
    #expect(
      refusal("--record", "04:00-05:00", "--last", "1m", "-o", "%H.wav")
        == "'--record <windows>' does not go with '--last'")
    #expect(
      refusal("--record", "04:00-05:00", "-D", "jack:", "--between", "close", "-o", "%H.wav")
        == "'--between close' is for ALSA devices; others keep running")
    #expect(refusal("--record", "04:00-05:00", "-D", "jack:", "-o", "%H.wav") == nil)
    #expect(
      refusal("--location", "91,0", "-o", "a.wav")
        == "The value '91,0' is invalid for '--location <latitude,longitude>': a location is its latitude and longitude in degrees, as in 52.5,13.4 or -36.85,174.76"
    )
    let capture = try CaptureCommand.parsed(
      "--record", "04:00-05:00", "--record", "sunset..dusk", "--location", "-36.85,174.76", "--utc",
      "-o", "%H.wav")
    #expect(
      capture.output.recording.schedule
        == RecordingSchedule(
          [
            .init(.clock(14_400), .clock(18_000)),
            .init(.sun(.sunset, offset: 0), .sun(.dusk, offset: 0)),
          ], sun: SunTimes(latitude: -36.85, longitude: 174.76), in: .utc))
    #expect(capture.output.recording.names != nil)
  }
}
