// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams
@testable import AudioFiles

/// A source has the length that it announces, or tells that it is truncated.
@Suite struct AnnouncedLengthTests {
  private let scratch = ScratchDirectory()

  private func material(
    _ container: Container, _ encoding: SampleEncoding, _ count: Int, rate: Int = 48_000,
    channels: Int = 1
  ) throws -> [UInt8] {
    let path = scratch.file("whole.\(container.rawValue)")
    try storeMaterial(
      count, in: path, FileFormat(container, encoding),
      StreamFormat(sampleRate: rate, channelCount: channels), rate: Double(rate))
    return try contents(path)
  }

  /// A bit may be wrong anywhere; most are so in the header.
  @Test(arguments: WritableFormat.all.filter { $0.container != .raw })
  func afterAFlippedBit(_ file: WritableFormat) throws {
    let bytes = try material(
      file.container, file.encoding, 3_000, rate: file.rate,
      channels: file.format().channelCount)
    var random = SeededRandom(seed: UInt64(bytes.count))
    for turn in 0..<60 {
      let range = turn < 45 ? min(bytes.count, 300) : bytes.count
      let bit = Int.random(in: 0..<8 * range, using: &random)
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      let path = try scratch.write(changed, "changed")
      guard let back = try? record(SoundFileSource(path: path)) else { continue }
      let count = Int64(back.samples.count / back.description.format.channelCount)
      let announced = back.description.samplesPerChannel
      if let truncation = back.truncation {
        #expect(truncation.actualSamplesPerChannel == count, "bit \(bit)")
        #expect(truncation.claimedSamplesPerChannel > count, "bit \(bit)")
      } else {
        #expect(announced ?? count == count, "bit \(bit)")
      }
      #expect(try SoundFileInformation(path: path).samplesPerChannel == announced, "bit \(bit)")
    }
  }

  /// libsndfile counts the samples of whole packets of ALAC where the packet table disagrees with the packets' sizes.
  @Test func thePacketTableOfCAFCounts() throws {
    let bytes = try material(.caf, .alac24, 1_142, rate: 8_000)
    let table = try #require(bytes.indices.first { bytes.has("pakt", at: $0) })
    // The packet table has a size of a packet behind 24 bytes of its head, in digits of seven bits.
    var isTried = false
    for bit in 0..<8 * 2 {
      var changed = bytes
      changed[table + 12 + 24 + bit / 8] ^= 1 << UInt8(bit % 8)
      let path = try scratch.write(changed, "changed.caf")
      guard let back = try? record(SoundFileSource(path: path)) else { continue }
      isTried = true
      #expect(back.description.samplesPerChannel == 1_142)
      #expect(back.truncation != nil || back.samples.count == 1_142)
    }
    #expect(isTried)
  }

  /// The links of a chained Ogg file are all counted, whatever follows the last page.
  @Test(arguments: [1, 2, 3], [0, 3_000, 100_000])
  func bytesBehindOgg(_ links: Int, _ length: Int) throws {
    let link = try material(.ogg, .vorbis, 12_345)
    var random = SeededRandom(seed: 1)
    let junk = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
    let other = length == 3_000 ? try material(.wav, .s16, 500) : []
    let path = try scratch.write(
      Array((0..<links).map { _ in link }.joined()) + junk + other, "tail.ogg")
    let back = try record(SoundFileSource(path: path))
    #expect(back.description.samplesPerChannel == Int64(links) * 12_345)
    #expect(back.samples.count == links * 12_345)
    #expect(back.truncation == nil)
    let information = try SoundFileInformation(path: path)
    #expect(information.samplesPerChannel == Int64(links) * 12_345)
    #expect(information.truncation == nil)
  }
}
