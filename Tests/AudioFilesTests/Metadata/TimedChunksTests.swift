// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioFiles

/// The moments in chunks of recorders and radio stations.
@Suite struct TimedChunksTests {
  private static func notes(
    _ high: Int, _ low: Int, rate: Int, stamp: Int, bits: Int, more: String = ""
  ) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <BWFXML><SCENE>7</SCENE><SPEED><FILE_SAMPLE_RATE>\(rate)</FILE_SAMPLE_RATE>
    <AUDIO_BIT_DEPTH>\(bits)</AUDIO_BIT_DEPTH><TIMESTAMP_SAMPLE_RATE>\(stamp)</TIMESTAMP_SAMPLE_RATE>
    <TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>\(high)</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>
    <TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>\(low)</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO></SPEED>
    \(more)</BWFXML>
    """
  }

  private static let syncPoints =
    "<SYNC_POINT_LIST><SYNC_POINT_COUNT>0</SYNC_POINT_COUNT></SYNC_POINT_LIST>"

  private static func metadata(_ identifier: String, _ content: [UInt8]) -> Metadata {
    var metadata = Metadata(interpreting: [.init(.riff, identifier, content)])
    metadata.sampleRate = 48_000
    metadata.channelCount = 2
    metadata.encoding = .s24
    return metadata
  }

  private func text(_ metadata: Metadata) -> String {
    String(decoding: metadata.chunks[0].content, as: UTF8.self)
  }

  @Test func theTimeStampOfAPartIsLater() {
    let old = Self.notes(
      1, 0xFFFF_FFFF, rate: 48_000, stamp: 48_000, bits: 24, more: Self.syncPoints)
    let part = Self.metadata("iXML", Array(old.utf8)).trimmed(from: 90_000, length: nil)
    #expect(text(part) == Self.notes(2, 89_999, rate: 48_000, stamp: 48_000, bits: 24))
    #expect(part.omissions.map(\.name) == ["sync points in the 'iXML' chunk"])
    // A cut at the end moves nothing.
    let front = Self.metadata("iXML", Array(old.utf8)).trimmed(from: 0, length: 90_000)
    #expect(text(front) == old)
  }

  /// For example film played slower than it was shot.
  @Test func stampsMayCountAtAnotherRate() {
    let old = Self.notes(0, 1_000, rate: 48_000, stamp: 96_000, bits: 24)
    let part = Self.metadata("iXML", Array(old.utf8)).trimmed(from: 500, length: nil)
    #expect(text(part) == Self.notes(0, 2_000, rate: 48_000, stamp: 96_000, bits: 24))
    let other = part.converted(to: 24_000)
    #expect(text(other) == text(part))
  }

  @Test func stampsMayCountAtAnyRate() {
    let old = Self.notes(0, 1_000, rate: 48_000, stamp: .max, bits: 24)
    let part = Self.metadata("iXML", Array(old.utf8)).trimmed(from: 500, length: nil)
    #expect(text(part) == Self.notes(22369621, 1431656765, rate: 48_000, stamp: .max, bits: 24))
  }

  @Test func anotherFormatIsStated() throws {
    let old = Self.notes(0, 48_001, rate: 48_000, stamp: 48_000, bits: 24)
    let format = try StreamFormat(sampleRate: 24_000, channelCount: 2)
    let other = Self.metadata("iXML", Array(old.utf8)).adapted(to: format, .s16)
    #expect(text(other) == Self.notes(0, 24_001, rate: 24_000, stamp: 24_000, bits: 16))
    let same = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    #expect(text(Self.metadata("iXML", Array(old.utf8)).adapted(to: same, .s24)) == old)
  }

  @Test(arguments: [
    "", "<BWFXML/>", "<TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>", "<SYNC_POINT_LIST>",
    "</AUDIO_BIT_DEPTH><AUDIO_BIT_DEPTH>",
    "<TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>99999999999</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>"
      + "<TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>1</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>",
  ])
  func whatIsNotUnderstoodStays(_ notes: String) throws {
    let format = try StreamFormat(sampleRate: 8_000, channelCount: 1)
    let metadata = Self.metadata("iXML", Array(notes.utf8)).trimmed(from: 5, length: 7)
    let other = metadata.adapted(to: format, .s16)
    #expect(text(other) == notes)
    #expect(other.omissions == [])
  }

  /// AES46: eight timers after 684 bytes.
  @Test func timersFollowTheirSamples() throws {
    var cart = [UInt8](repeating: 0x20, count: 684)
    for (name, moment) in [("SEGs", 100), ("INTe", 5_000), ("EOD ", 70_000)] {
      cart += Array(name.utf8) + ChunkBytes.number(moment, 4)
    }
    cart += [UInt8](repeating: 0, count: 5 * 8) + Array("tail".utf8)
    let part = Self.metadata("cart", cart).trimmed(from: 1_000, length: 20_000)
    let content = part.converted(to: 24_000).chunks[0].content
    var expected = Array(cart[..<684]) + [UInt8](repeating: 0, count: 8)
    expected += Array("INTe".utf8) + ChunkBytes.number(2_000, 4)
    expected += [UInt8](repeating: 0, count: 6 * 8) + Array("tail".utf8)
    #expect(content == expected)
    #expect(
      Self.metadata("cart", [1, 2]).trimmed(from: 1, length: nil).chunks[0].content == [1, 2])
  }
}
