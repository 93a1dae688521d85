// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioNetwork

@Suite struct UnitPayloadTests {
  private func headers(_ parameters: String) throws(AudioError) -> AccessUnitHeaders {
    try AccessUnitHeaders(FormatParameters(parameters))
  }

  private static let hbr = "mode=AAC-hbr; sizeLength=13; indexLength=3; indexDeltaLength=3"

  @Test func readsUnitsOfAPacket() throws {
    // RFC 3640, section 3.3.6: 13 bits of the size and three of the index. Two units of 3 and 2 bytes.
    let payload: [UInt8] = [0, 32, 0, 3 << 3, 0, 2 << 3, 1, 2, 3, 4, 5]
    #expect(try headers(Self.hbr).parts(of: payload) == .units([6..<9, 9..<11]))
    // A unit of 31 × 32 + 8 bytes, of which 4 come.
    let fragment: [UInt8] = [0, 16, 31, 8 << 3, 1, 2, 3, 4]
    #expect(try headers(Self.hbr).parts(of: fragment) == .fragment(4..<8, size: 1_000))
    // Section 3.3.5: 6 and 2 bits.
    let low: [UInt8] = [0, 16, 1 << 2, 2 << 2, 7, 8, 9]
    #expect(try headers("MODE=aac-LBR").parts(of: low) == .units([4..<5, 5..<7]))
  }

  @Test func readsEveryFieldOfAHeader() throws {
    let headers = try headers(
      Self.hbr
        + ";CTSDeltaLength=9;DTSDeltaLength=5;randomAccessIndication=1;streamStateIndication=4"
        + ";auxiliaryDataSizeLength=8")
    var bits = BitWriter()
    // The first header: no composition time, a decoding time. The second one: the other way round.
    let first = [(2, 13), (0, 3), (0, 1), (1, 1), (9, 5), (1, 1), (5, 4)]
    let second = [(1, 13), (0, 3), (1, 1), (300, 9), (0, 1), (0, 1), (5, 4)]
    bits.append((first + second).map(\.1).reduce(0, +), 16)
    for (value, count) in first + second { bits.append(value, count) }
    var payload = bits.bytes
    // Ten bits of auxiliary data.
    payload += [10, 0xFF, 0xC0, 1, 2, 3]
    let start = payload.count - 3
    #expect(headers.parts(of: payload) == .units([start..<start + 2, start + 2..<start + 3]))
  }

  @Test func readsUnitsOfOneSize() throws {
    let headers = try headers("mode=AAC-hbr;constantSize=3;indexLength=0;indexDeltaLength=0")
    #expect(headers.parts(of: [1, 2, 3, 4, 5, 6]) == .units([0..<3, 3..<6]))
    #expect(headers.parts(of: [1, 2]) == .fragment(0..<2, size: 3))
  }

  @Test(arguments: [
    [], [0], [0, 16], [0, 16, 0, 8], [0, 0, 1], [0, 15, 0, 8, 1], [0xFF, 0xFF, 0, 8, 1],
    // A unit of 0 bytes; one that is interleaved; more bytes stated than there are in two units.
    [0, 16, 0, 0, 1], [0, 16, 0, 9, 1], [0, 32, 0, 8, 0, 9, 1, 2], [0, 32, 0, 8, 0, 16, 1, 2],
  ])
  func refusesPayloads(payload: [UInt8]) throws {
    #expect(try headers(Self.hbr).parts(of: payload) == nil)
  }

  @Test(arguments: [
    ("mode=generic", "its mode is generic"), ("", "its mode is none"),
    ("mode=AAC-hbr;maxDisplacement=5", "its units are interleaved (maxdisplacement)"),
    ("mode=AAC-hbr;sizeLength=99", "its parameter sizelength is 99"),
  ])
  func refusesParameters(text: String, reason: String) {
    #expect {
      try headers(text)
    } throws: { error in
      (error as? AudioError)?.reason == reason
    }
  }

  @Test func joinsFragments() throws {
    let format = try #require(
      try PayloadFormat(name: "MPEG4-GENERIC/48000/2", parameters: Self.hbr + ";config=1190"))
    let units = try #require(format.units)
    var assembly = UnitAssembly(units, for: format.format)
    func fragment(_ bytes: [UInt8], of size: Int) -> [UInt8] {
      [0, 16, UInt8(size >> 5), UInt8(size & 31) << 3] + bytes
    }
    let whole = Array(UInt8(1)...9)
    for lost in [nil, 0, 1, 2] {
      var found: [UnitAssembly.Unit] = []
      for index in 0..<3 where index != lost {
        let payload = fragment(Array(whole[index * 3..<index * 3 + 3]), of: 9)
        let isLast = index == 2
        let count = unsafe format.sampleCount(of: payload.span.bytes, isMarked: isLast)
        #expect(count == (isLast ? 1_024 : 0))
        let part = PayloadPart(format: format, count: count ?? 0, isMarked: isLast)
        unsafe found += assembly.take(payload.span.bytes, part)
      }
      // The account tells of a last fragment that did not come.
      if lost == 2 { assembly.drop() }
      #expect(found.map(\.bytes) == (lost == nil ? [whole] : lost == 2 ? [] : [nil]))
    }
  }

  @Test func followsAConfigurationInBand() throws {
    let format = try #require(
      try PayloadFormat(name: "MP4A-LATM/48000/2", parameters: "cpresent=1"))
    let units = try #require(format.units)
    var assembly = UnitAssembly(units, for: format.format)
    func take(_ bits: [(Int, Int)], _ unit: [UInt8]) -> [UnitAssembly.Unit] {
      var writer = BitWriter()
      for (value, count) in bits + [(unit.count, 8)] + unit.map({ (Int($0), 8) }) {
        writer.append(value, count)
      }
      let payload = writer.bytes
      let count = unsafe format.sampleCount(of: payload.span.bytes, isMarked: true) ?? 0
      return unsafe assembly.take(
        payload.span.bytes, PayloadPart(format: format, count: count, isMarked: true))
    }
    // A bit says that the configuration is that of before; before the first one, the unit is lost.
    #expect(take([(1, 1)], [5, 6]).map(\.bytes) == [nil])
    let configuration: [(Int, Int)] = "400023203fc0".map { ($0.hexDigitValue ?? 0, 4) }
    // Its last four bits are padding of the text.
    let stated = configuration.dropLast()
    #expect(take([(0, 1)] + stated, [7, 8, 9]).map(\.bytes) == [[7, 8, 9]])
    #expect(take([(1, 1)], [5, 6]).map(\.bytes) == [[5, 6]])
    // Another rate than that of the description: 44.1 kHz.
    let other: [(Int, Int)] = "400024203fc0".map { ($0.hexDigitValue ?? 0, 4) }
    #expect(take([(0, 1)] + other.dropLast(), [7]).map(\.bytes) == [nil])
  }

  /// RFC 6716, table 2 and section 3.1.
  @Test(
    arguments: [
      ([0x00], 480), ([0x18], 2_880), ([0x19, 0], 5_760), ([0x63, 2], 960), ([0x80], 120),
      ([0xFC, 1, 2], 960), ([0xFE], 1_920), ([0xFF, 6], 5_760),
    ] as [([UInt8], Int)])
  func countsSamplesOfOpus(packet: [UInt8], count: Int) throws {
    let format = try #require(PayloadFormat(name: "opus/48000/2"))
    #expect(unsafe format.sampleCount(of: packet.span.bytes, isMarked: false) == count)
  }

  @Test(arguments: [[], [0x03], [0x03, 0], [0xFF, 7], [0x1B, 3]] as [[UInt8]])
  func refusesPacketsOfOpus(packet: [UInt8]) throws {
    let format = try #require(PayloadFormat(name: "opus/48000/2"))
    #expect(unsafe format.sampleCount(of: packet.span.bytes, isMarked: false) == nil)
  }

  @Test func knowsChannelsOfOpus() throws {
    func channels(_ parameters: String, _ name: String = "opus/48000/2") throws -> Int? {
      try PayloadFormat(name: name, parameters: parameters)?.format.channelCount
    }
    #expect(try channels("") == 2 && channels("sprop-stereo=1") == 2)
    #expect(try channels("sprop-stereo=0") == 1 && channels("", "opus/48000/1") == 1)
    #expect(throws: AudioError.self) { try channels("", "opus/16000") }
  }

  @Test func tellsRatesOfTimestamps() throws {
    func format(_ name: String, _ parameters: String) throws -> PayloadFormat {
      try #require(try PayloadFormat(name: name, parameters: parameters))
    }
    let old = try format("MPEG4-GENERIC/90000/2", Self.hbr + ";config=1190")
    #expect(old.clockRate == 90_000 && old.format.sampleRate == 48_000)
    // Implicit HE-AAC: by the rate of the timestamps, or by the profile. A unit of it has 2,048 samples.
    for (rate, level) in [(48_000, "1"), (24_000, "44")] {
      let doubled = try format(
        "MPEG4-GENERIC/\(rate)/2", Self.hbr + ";config=1310;profile-level-id=\(level)")
      #expect(doubled.format.sampleRate == 48_000 && doubled.units?.unitLength == 2_048)
      #expect(doubled.clockRate == rate)
    }
    let core = try format("MPEG4-GENERIC/24000/2", Self.hbr + ";config=1310")
    #expect(core.format.sampleRate == 24_000 && core.units?.unitLength == 1_024)
    #expect(throws: AudioError.self) { try format("MP4A-LATM/90000", "") }
    #expect(PayloadFormat(name: "mpeg4-generic/48000/2") == nil)
  }
}
