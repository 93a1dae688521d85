// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioStreams
@testable import AudioFiles

/// Ambiguous or contradictory headers: samples are read at their actual width, and the choice is reported.
@Suite struct ContradictingHeaderTests {
  let scratch = ScratchDirectory()
  init() { signal(SIGPIPE, SIG_IGN) }

  private static let values: [Int32] = [1, -2, 70_000, 8_388_607, -8_388_608, 0, -1]

  /// Returns 24 bits in four bytes, at `place`, after silence.
  private static func padded(_ place: PaddedBits, silence: Int = 100_000) -> [UInt8] {
    let data = (Array(repeating: 0, count: silence) + values).flatMap { value in
      WaveBytes.little(UInt64(bitPattern: Int64(place == .low ? value : value << 8)), 4)
    }
    var bytes = WaveBytes.file(UInt32(data.count), data: data)
    bytes.replaceSubrange(28..<36, with: WaveBytes.little(32_000, 4) + [4, 0, 24, 0])
    return bytes
  }

  @Test(arguments: [PaddedBits.low, .high]) func paddedBits(_ place: PaddedBits) throws {
    let expected = Self.values.map { Double($0) / 0x1p23 }
    let bytes = Self.padded(place)
    let source = SoundFileSource(path: try scratch.write(bytes))
    let back = try record(source)
    #expect(Array(back.samples.dropFirst(100_000)) == expected)
    #expect(back.description.encoding == (place == .low ? .s24 : .s32))
    #expect(source.headerReadings == [.paddedBits(place, isStated: false)])
    let later = try record(SoundFileSource(path: scratch.file("in")), skipping: 100_002)
    #expect(later.samples.first == expected[2])
    for step in [3, 4_096] {
      let end = Pipe.delivering(bytes, step: step)
      defer { close(end) }
      let piped = SoundFileSource(descriptor: end, name: "pipe")
      #expect(try record(piped).samples == back.samples)
      #expect(piped.headerReadings == [.paddedBits(place, isStated: false)])
    }
  }

  /// The user's setting wins over the look of the samples.
  @Test func paddedBitsAsTheUserSays() throws {
    for (stated, scale) in [(PaddedBits.low, 0x1p23), (.high, 0x1p31)] {
      let source = SoundFileSource(path: try scratch.write(Self.padded(.low, silence: 0)))
      source.corrections.paddedBits = stated
      #expect(try record(source).samples == Self.values.map { Double($0) / scale })
      #expect(source.headerReadings == [.paddedBits(stated, isStated: true)])
    }
  }

  @Test func paddedBigEndianBits() throws {
    for (place, expected) in [(PaddedBits.low, 0x123456), (.high, 0x345678)] {
      let word: [UInt8] = place == .low ? [0, 0x12, 0x34, 0x56] : [0x34, 0x56, 0x78, 0]
      var evidence = PaddedBitsEvidence(.big)
      evidence.look(at: word)
      #expect(evidence.verdict == place, "\(expected)")
    }
    var silence = PaddedBitsEvidence(.big)
    silence.look(at: [0, 0, 0, 0])
    #expect(silence.verdict == nil)
  }

  /// 16 bits, one channel, 8 kHz, with a correct byte rate.
  @Test(arguments: [0, 1, 3, 4, 8, 65_535]) func blockAlign(_ stated: Int) throws {
    var bytes = WaveBytes.file(20, data: WaveReadingTests.data)
    bytes.replaceSubrange(32..<34, with: WaveBytes.little(UInt64(stated), 2))
    let source = SoundFileSource(path: try scratch.write(bytes))
    let back = try record(source)
    #expect(back.samples == WaveReadingTests.samples(10))
    #expect(back.description.encoding == .s16)
    #expect(source.headerReadings == [.blockAlign(stated: stated, taken: 2)])
  }

  /// A byte rate that agrees with the block alignment means a wider container, which is reported, or no reading at all.
  @Test func blockAlignWithItsByteRate() throws {
    var bytes = WaveBytes.file(20, data: WaveReadingTests.data)
    bytes.replaceSubrange(28..<34, with: WaveBytes.little(32_000, 4) + [4, 0])
    let source = SoundFileSource(path: try scratch.write(bytes))
    #expect(try record(source).samples.count == 5)
    #expect(source.headerReadings == [.blockAlign(stated: 4, taken: 4)])
    bytes.replaceSubrange(28..<34, with: WaveBytes.little(8_000, 4) + [1, 0])
    let path = try scratch.write(bytes)
    #expect(errorKind { try record(SoundFileSource(path: path)) } == .malformed)
  }

  @Test func aHeaderThatAgreesTellsNothing() throws {
    let source = SoundFileSource(
      path: try scratch.write(WaveBytes.file(20, data: WaveReadingTests.data)))
    _ = try record(source)
    #expect(source.headerReadings.isEmpty)
    #expect(source.samplesBehind == 0)
  }
}
