// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import Testing

@testable import rawaudio

@Suite struct NumberSyntaxTests {
  @Test func ratesAndChannels() throws {
    #expect(try ValueSyntax<Int>.sampleRate.parse("1000") == 1_000)
    #expect(try ValueSyntax<Int>.sampleRate.parse("768000") == 768_000)
    for (text, rate) in [
      ("16k", 16_000), ("44.1k", 44_100), ("44.1kHz", 44_100), ("48K", 48_000), ("11.025k", 11_025),
      ("22050Hz", 22_050), ("0.0k", nil), ("768k", 768_000), ("768.001k", nil), ("44.1001k", nil),
      ("k", nil), (".k", nil), ("44.k", nil), ("-16k", nil), ("1e3k", nil), ("4 k", nil),
      ("hz", nil),
    ] {
      #expect((try? ValueSyntax<Int>.sampleRate.parse(text)) == rate, "\(text)")
    }
    for text in ["999", "768001", "-1", "0", "44.1", "44m", ""] {
      #expect(
        rejection(of: text, by: ValueSyntax<Int>.sampleRate)
          == "a rate is a whole number of hertz from 1000 to 768000, or kilohertz as in 44.1k")
    }
    #expect(try ValueSyntax<Int>.channelCount.parse("64") == 64)
    #expect(try ValueSyntax<Int>.channelCount.parse("mono") == 1)
    #expect(try ValueSyntax<Int>.channelCount.parse("Stereo") == 2)
    #expect(
      rejection(of: "surround", by: ValueSyntax<Int>.channelCount)
        == "a channel count is mono, stereo or a whole number from 1 to 64")
    #expect(rejection(of: "0", by: ValueSyntax<Int>.channelCount) != nil)
    #expect(rejection(of: "65", by: ValueSyntax<Int>.channelCount) != nil)
    #expect(rejection(of: "0", by: ValueSyntax<Int>.samplesPerCall) != nil)
    #expect(rejection(of: "-960", by: ValueSyntax<Int>.samplesPerCall) != nil)
  }

  @Test(arguments: [
    ("-6", -6.0), ("+3.5", 3.5), ("0", 0), ("-6dB", -6), ("6DB", 6), ("-.5", -0.5), ("6.", 6),
  ])
  func decibels(_ text: String, _ expected: Double) throws {
    #expect(try ValueSyntax<Double>.decibels.parse(text) == expected)
  }

  @Test(arguments: [
    "", "dB", "inf", "-inf", "nan", "1e3", "0x10", "+-6", "301", "6 dB", "--6", ".",
  ])
  func noDecibels(_ text: String) {
    #expect(rejection(of: text, by: ValueSyntax<Double>.decibels) != nil)
  }

  /// A number may have the unit of its option, in upper or lower case, and no other one.
  @Test(arguments: [
    ("-1", -1.0, true, true, true), ("-1dB", -1, true, true, false),
    ("-1DBTP", -1, true, false, false), ("-1dBFS", -1, false, true, false),
    ("-1LUFS", -1, false, false, true), ("-1lkfs", -1, false, false, true),
    ("-1dBA", -1, false, false, false), ("dB", 0, false, false, false),
  ])
  func units(
    _ text: String, _ value: Double, _ isTruePeak: Bool, _ isLevel: Bool, _ isLoudness: Bool
  ) {
    let found = [ValueSyntax<Double>.truePeak, .level, .loudness].map { try? $0.parse(text) }
    #expect(found == [isTruePeak, isLevel, isLoudness].map { $0 ? value : nil })
    #expect((try? ValueSyntax<Double>.peak.parse(text)) == (isLevel ? value : nil))
    #expect((try? ValueSyntax<LimitRequest>.limit.parse(text).limit) == (isTruePeak ? value : nil))
  }

  @Test func pan() throws {
    #expect(try ValueSyntax<Double>.pan.parse("-1") == -1)
    #expect(try ValueSyntax<Double>.pan.parse("0.25") == 0.25)
    #expect(rejection(of: "1.01", by: ValueSyntax<Double>.pan) != nil)
    #expect(rejection(of: "-1.01", by: ValueSyntax<Double>.pan) != nil)
  }

  @Test func bufferLengths() throws {
    #expect(try ValueSyntax<DeviceLength>.bufferLength.parse("480") == .samplesPerChannel(480))
    #expect(try ValueSyntax<DeviceLength>.bufferLength.parse("10ms") == .time(.milliseconds(10)))
    #expect(try ValueSyntax<DeviceLength>.bufferLength.parse("480S") == .samplesPerChannel(480))
    #expect(try ValueSyntax<DeviceLength>.bufferLength.parse("2s") == .time(.seconds(2)))
    #expect(
      try ValueSyntax<DeviceLength>.bufferLength.parse("1.5ms") == .time(.microseconds(1_500)))
    for text in ["0", "-1", "0ms", "ms", "1.5", "0:10", "61s", "", "60001ms", "1073741825"] {
      #expect(rejection(of: text, by: .bufferLength) != nil, "\(text)")
    }
  }

  @Test func choices() throws {
    let quality = ValueSyntax<ResamplerQuality>.choice(name: "quality")
    #expect(try quality.parse("BEST") == .best)
    #expect(rejection(of: "low", by: quality) == "it must be fast, high or best")
    #expect(
      rejection(of: "x", by: ValueSyntax<DitherKind>.choice(name: "kind"))
        == "it must be none or tpdf")
  }

  @Test func failureConditions() throws {
    let syntax = ValueSyntax<Set<FailureCondition>>.failureConditions
    #expect(try syntax.parse("clip") == [.clip])
    #expect(try syntax.parse("clip,XRUN,truncated") == [.clip, .xrun, .truncated])
    #expect(try syntax.parse("metadata") == [.metadata])
    for text in ["", "clip,", "clip, xrun", "none"] {
      #expect(rejection(of: text, by: syntax) != nil, "\(text)")
    }
  }
}
