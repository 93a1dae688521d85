// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import AudioNetwork

/// Units that come, or do not, through the account, ffmpeg and the ring: every sample in its place.
@Suite struct DecodingTests {
  init() { ProgramSignals.ignorePipe() }

  private static let hbr =
    "mode=AAC-hbr;sizeLength=13;indexLength=3;indexDeltaLength=3;config="

  private func format(_ name: String, _ parameters: String) throws -> PayloadFormat {
    try #require(try PayloadFormat(name: name, parameters: parameters))
  }

  /// A packet of whole units by RFC 3640.
  private func packet(_ units: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = UInt16(units.count * 16).networkBytes
    for unit in units { bytes += UInt16(unit.count << 3).networkBytes }
    return bytes + units.joined()
  }

  /// The units whose samples are not those of the oracle: those behind a gap overlap with one that is missing.
  private func differing(
    _ samples: [Float], _ oracle: [Float], length: Int, from first: Int = 0
  ) -> [Int] {
    (0..<samples.count / length).filter { unit in
      let begin = (first + unit) * length
      return samples[unit * length..<(unit + 1) * length] != oracle[begin..<begin + length]
    }
  }

  @Test func lostUnitsAreSilenceInTheirPlace() throws {
    let sound = try RecordedUnits(sampleRate: 48_000, channelCount: 2, seconds: 3)
    let stream = try RecordedStream(format("MPEG4-GENERIC/48000/2", Self.hbr + "1190"))
    // Packets of three units; each seventh one is split into single units; some never come.
    let lost = [4, 9, 10, 20]
    var packets: [(index: Int, timestamp: Int, isMarked: Bool, payload: [UInt8])] = []
    for index in 0..<40 where !lost.contains(index) {
      let units = Array(sound.units[index * 3..<index * 3 + 3])
      packets.append((index, 4_294_960_000 + index * 3_072, true, packet(units)))
    }
    stream.send(packets)
    try stream.finish()
    #expect(stream.samples.count == 40 * 3 * 2_048)
    let gaps = [(4, 1), (9, 2), (20, 1)].map { (place: Int, count: Int) in
      DeviceGap(
        cause: .network, position: Int64(place * 3_072), lostSamplesPerChannel: Int64(count * 3_072)
      )
    }
    #expect(stream.gaps == gaps)
    let silent = lost.flatMap { Array($0 * 3..<$0 * 3 + 3) }
    for unit in silent {
      #expect(stream.samples[unit * 2_048..<(unit + 1) * 2_048].allSatisfy { $0 == 0 })
    }
    #expect(
      differing(stream.samples, sound.samples, length: 2_048) == (silent + [15, 33, 63]).sorted())
    #expect(stream.source.statistics.xruns == 3)
    #expect(stream.latency == .milliseconds(1) + .nanoseconds(21_333_333))
  }

  @Test func fragmentsOfUnits() throws {
    let sound = try RecordedUnits(sampleRate: 44_100, channelCount: 1, seconds: 1)
    let units = Array(sound.units.prefix(30))
    // RFC 3640 in pieces of 100 bytes, and LATM in pieces of 90.
    for isMuxed in [false, true] {
      let format =
        isMuxed
        ? try format("MP4A-LATM/44100", "cpresent=0;config=400024103fc0")
        : try format("MPEG4-GENERIC/44100", Self.hbr + "1208")
      let stream = try RecordedStream(format)
      var index = 0
      var packets: [(index: Int, timestamp: Int, isMarked: Bool, payload: [UInt8])] = []
      for (number, unit) in units.enumerated() {
        let size = isMuxed ? 90 : 100
        let lengths = [UInt8](repeating: 255, count: unit.count / 255) + [UInt8(unit.count % 255)]
        let whole = isMuxed ? lengths + unit : unit
        let head = isMuxed ? [] : [0, 16] + UInt16(unit.count << 3).networkBytes
        for start in stride(from: 0, to: whole.count, by: size) {
          let end = min(start + size, whole.count)
          // A middle one of unit 7, the first one of unit 11, and the last one of unit 15.
          let isLost =
            number == 7 && start == size || number == 11 && start == 0
            || number == 15 && end == whole.count
          if !isLost {
            packets.append((index, number * 1_024, end == whole.count, head + whole[start..<end]))
          }
          index += 1
        }
      }
      stream.send(packets)
      try stream.finish()
      let lost: [Int64] = [7, 11, 15]
      let gaps = lost.map {
        DeviceGap(cause: .network, position: $0 * 1_024, lostSamplesPerChannel: 1_024)
      }
      #expect(stream.gaps == gaps)
      #expect(
        differing(stream.samples, sound.samples, length: 1_024) == [7, 8, 11, 12, 15, 16])
      #expect(stream.samples.count == 30 * 1_024)
    }
  }

  /// HE-AAC without its upper half: the decoder doubles the rate all the same.
  @Test(arguments: ["2b118800", "131056e598"])
  func aCoreOfHalfTheRate(config: String) throws {
    let sound = try RecordedUnits(sampleRate: 24_000, channelCount: 2, seconds: 1)
    let payload = try format("MPEG4-GENERIC/48000/2", Self.hbr + config)
    #expect(payload.format.sampleRate == 48_000 && payload.format.channelCount == 2)
    let stream = try RecordedStream(payload)
    stream.send(
      sound.units.prefix(20).enumerated().filter { $0.offset != 8 }.map {
        ($0.offset, $0.offset * 2_048, true, packet([$0.element]))
      })
    try stream.finish()
    #expect(stream.samples.count == 20 * 4_096)
    #expect(
      stream.gaps == [DeviceGap(cause: .network, position: 8 * 2_048, lostSamplesPerChannel: 2_048)]
    )
    // The tone: as loud as in the core.
    func power(_ samples: ArraySlice<Float>) -> Float {
      samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)
    }
    let expected = power(sound.samples[4 * 2_048..<8 * 2_048])
    #expect(abs(power(stream.samples[4 * 4_096..<8 * 4_096]) / expected - 1) < 0.02)
  }

  /// A unit without any spectrum: one element (SCE) and the end.
  @Test func unitsOf960Samples() throws {
    let stream = try RecordedStream(try format("MPEG4-GENERIC/48000", Self.hbr + "118c"))
    stream.send((0..<10).map { ($0, $0 * 960, true, packet([[0x01, 0x18, 0x20, 0x07]])) })
    try stream.finish()
    #expect(stream.gaps == [] && stream.samples.count == 9_600)
  }

  /// Random bytes in place of units: each that ffmpeg refuses is a gap as long as a unit, and the others go on.
  @Test func hostileUnits() throws {
    let sound = try RecordedUnits(sampleRate: 48_000, channelCount: 2, seconds: 3)
    var random = SeededRandom(seed: 75)
    let stream = try RecordedStream(format("MPEG4-GENERIC/48000/2", Self.hbr + "1190"))
    let hostile = Set((10..<100).filter { $0 % 5 < 2 })
    stream.send(
      (0..<120).map { index in
        let size = Int(random.next() % 400) + 1
        let noise = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        return (
          index, index * 1_024, true, packet([hostile.contains(index) ? noise : sound.units[index]])
        )
      })
    try stream.finish()
    #expect(stream.samples.count == 120 * 2_048)
    #expect(stream.gaps.allSatisfy { $0.position % 1_024 == 0 && $0.cause == .network })
    let lost = stream.gaps.flatMap { gap in
      (0..<Int(gap.lostSamplesPerChannel ?? 0) / 1_024).map { Int(gap.position) / 1_024 + $0 }
    }
    #expect(Set(lost).isSubset(of: hostile) && lost.count > hostile.count / 2)
    for unit in lost {
      #expect(stream.samples[unit * 2_048..<(unit + 1) * 2_048].allSatisfy { $0 == 0 })
    }
    let wrong = Set(differing(stream.samples, sound.samples, length: 2_048))
    #expect(wrong.isSubset(of: hostile.union(hostile.map { $0 + 1 })))
  }
}
