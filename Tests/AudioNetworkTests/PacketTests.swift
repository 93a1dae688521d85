// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioNetwork

@Suite struct PacketTests {
  private func packet(_ bytes: [UInt8]) -> RTPPacket? { unsafe RTPPacket(bytes.span.bytes) }
  private func report(_ bytes: [UInt8]) -> RTCPPacket? { unsafe RTCPPacket(bytes.span.bytes) }

  private let header: [UInt8] = [0x80, 0xE0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

  @Test func readsAHeader() throws {
    let read = try #require(packet(header + [1, 2, 3, 4]))
    #expect(read.payloadType == 96)
    #expect(read.isMarked)
    #expect(read.sequence == 0x0102)
    #expect(read.timestamp == 0x0304_0506)
    #expect(read.source == 0x0708_090A)
    #expect(read.payload == 12..<16)
    #expect(read.header == header)
  }

  /// Two contributing sources, an extension of one word, three bytes of padding.
  @Test func skipsWhatStandsAroundThePayload() {
    var bytes = header
    bytes[0] = 0x80 | 0x20 | 0x10 | 2
    bytes +=
      [UInt8](repeating: 0, count: 8) + [0xBE, 0xDE, 0, 1, 0, 0, 0, 0] + [9, 9] + [0, 0, 3]
    #expect(packet(bytes)?.payload == 28..<30)
  }

  /// Any lie about a length, and any cut.
  @Test func refusesLies() {
    for count in 0..<12 { #expect(packet(Array(header.prefix(count))) == nil) }
    for first: UInt8 in [0x00, 0x40, 0xC0, 0x8F, 0x90, 0xA0] {
      var bytes = header
      bytes[0] = first
      // The last byte would be the padding: 10 of 12 bytes.
      #expect(packet(bytes) == nil)
    }
    var extended = header
    extended[0] = 0x90
    #expect(packet(extended + [0, 0, 0xFF, 0xFF]) == nil)
    var padded = header
    padded[0] = 0xA0
    #expect(packet(padded + [1, 1, 0]) == nil)
    #expect(packet(padded + [1, 1, 4]) == nil)
    #expect(packet(padded + [1, 1, 3])?.payload.isEmpty == true)
  }

  @Test func readsReportsAndGoodbyes() throws {
    let time: UInt64 = 3_913_056_000 << 32 | 1 << 31
    let sender =
      [0x80, 200, 0, 6] + UInt32(5).networkBytes + time.networkBytes + UInt32(77).networkBytes
      + [UInt8](repeating: 0, count: 8)
    let goodbye: [UInt8] = [0x82, 203, 0, 2] + UInt32(5).networkBytes + UInt32(6).networkBytes
    let read = try #require(report(sender + goodbye))
    #expect(read.reports == [.init(source: 5, networkTime: time, timestamp: 77)])
    // 2024-01-01, half a second later.
    #expect(read.reports.first?.time == 1_704_067_200_500_000_000)
    #expect(read.endedSources == [5, 6])
    #expect(report(Array(sender.prefix(20))) == nil)
    #expect(report(sender + goodbye.prefix(8))?.endedSources == [])
    #expect(RTCPPacket.SenderReport(source: 1, networkTime: 0, timestamp: 1).time == nil)
  }

  /// RFC 4330: in 2036 the seconds begin again; 2036-02-07 06:28:16 UTC.
  @Test func theEraEnds() {
    let report = RTCPPacket.SenderReport(source: 1, networkTime: 1, timestamp: 1)
    #expect(report.time == 2_085_978_496_000_000_000)
  }
}
