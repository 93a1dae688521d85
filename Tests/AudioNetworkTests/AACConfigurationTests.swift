// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioNetwork

@Suite struct AACConfigurationTests {
  private func read(_ text: String) throws(AudioError) -> AACConfiguration {
    try AACConfiguration(hexadecimal: text)
  }

  /// Fields by ISO/IEC 14496-3, section 1.6.2.1: five bits of the type, four of the rate, four of the channels, then three
  /// of the core; 0x2B7 or 0x548 before an extension.
  @Test(arguments: [
    // LC, 48 kHz, two channels. ffmpeg sends the second one.
    ("1190", 48_000, 2, 1_024, AACConfiguration.Replication.unstated),
    ("119056E500", 48_000, 2, 1_024, .absent),
    ("1210", 44_100, 2, 1_024, .unstated),
    ("118c", 48_000, 1, 960, .unstated),
    // HE-AAC: the type 5 before, or the extension behind the core.
    ("2b098800", 48_000, 1, 2_048, .present),
    ("131056e598", 48_000, 2, 2_048, .present),
    // Two channels of one: type 29, or the second extension.
    ("eb098800", 48_000, 2, 2_048, .present),
    ("130856e59d4880", 48_000, 2, 2_048, .present),
    ("131056e500", 24_000, 2, 1_024, .absent),
    // A rate of its own.
    ("178055f010", 44_000, 2, 1_024, .unstated),
  ])
  func reads(
    text: String, rate: Int, channels: Int, length: Int, replication: AACConfiguration.Replication
  ) throws {
    var read = try read(text)
    #expect(read.replication == replication)
    #expect(read.sampleRate == rate && read.channelCount == channels && read.unitLength == length)
    // The bytes that a decoder gets say all of it.
    try read.decide(isReplicated: false)
    var bits = BitReader(read.bytes)
    #expect(try AACConfiguration(&bits, end: read.bytes.count * 8) == read)
  }

  @Test func decidesWhatIsUnstated() throws {
    var read = try read("1310")
    try read.decide(isReplicated: true)
    #expect(read.sampleRate == 48_000 && read.unitLength == 2_048)
    #expect(read.bytes == [UInt8](hexadecimal: "131056e59d4800"))
  }

  @Test(arguments: [
    ("f8e640", "it is AAC of object type 39"),
    ("1180", "it has AAC's channel configuration 0"),
    ("17800000010", "its configuration is no even number of hexadecimal digits"),
    ("1x", "its configuration is no even number of hexadecimal digits"),
    ("178000000800", "its AAC has 0 Hz"),
    ("1690", "its AAC has 0 Hz"),
    ("", "its configuration ends too early"),
    ("11", "its configuration ends too early"),
    // A core of 960 samples, and one of 24 kHz with an extension of 44.1 kHz.
    ("2b098a00", "its HE-AAC has units of 960 samples"),
    ("2b0a0800", "its HE-AAC has 44100 Hz of 24000 Hz"),
  ])
  func refuses(text: String, reason: String) {
    #expect {
      try read(text)
    } throws: { error in
      (error as? AudioError)?.reason == reason
    }
  }

  @Test func readsLATM() throws {
    // ffmpeg's: one unit an element, LC, 48 kHz, two channels.
    let plain = try MuxConfiguration(hexadecimal: "400023203fc0")
    #expect(plain.unitCount == 1 && plain.aac.sampleRate == 48_000 && plain.aac.channelCount == 2)
    // GStreamer's ends behind the configuration of AAC.
    #expect(try MuxConfiguration(hexadecimal: "40002320") == plain)
    // Three units, and two bytes behind them. Version 1, with the lengths of its parts.
    var bits = BitWriter()
    for (value, count) in [(1, 1), (0, 1), (0, 2), (0, 8), (1, 1), (2, 6), (0, 4), (0, 3)] {
      bits.append(value, count)
    }
    for (value, count) in [(0, 2), (40, 8), (0x11, 8), (0x90, 8), (0x56, 8), (0xE5, 8), (0, 8)] {
      bits.append(value, count)
    }
    for (value, count) in [(0, 3), (255, 8), (1, 1), (0, 2), (16, 8), (0, 1)] {
      bits.append(value, count)
    }
    var reader = BitReader(bits.bytes)
    let configuration = try MuxConfiguration(&reader)
    #expect(configuration.unitCount == 3 && configuration.aac.replication == .absent)
    let long = [UInt8](repeating: 7, count: 255)
    let element: [UInt8] = [2, 1, 2, 255, 0] + long + [1, 9] + [0, 0]
    let read = MuxElement(element, configuration, isInBand: false)
    #expect(read?.units == [[1, 2], long, [9]])
    #expect(MuxElement(element.dropLast(), configuration, isInBand: false) == nil)
    #expect(MuxElement(element + [0], configuration, isInBand: false) == nil)
  }

  @Test(arguments: [
    // Version 2; not of one length; two programs; a fixed length.
    ("c0", "it has a future version of LATM"), ("00", "it has layers of unlike lengths"),
    ("4010", "it has several layers"), ("400023210000", "it has units of a fixed length"),
    ("4000", "its configuration ends too early"), ("", "its configuration ends too early"),
  ])
  func refusesLATM(text: String, reason: String) {
    #expect {
      try MuxConfiguration(hexadecimal: text)
    } throws: { error in
      (error as? AudioError)?.reason == reason
    }
  }
}
