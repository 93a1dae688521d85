// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Creative Voice files: their blocks in sequence, silence among them, and codings that only ffmpeg reads.
@Suite struct VoiceFileTests {
  private typealias Block = (kind: UInt8, content: [UInt8])

  private static let first = (0..<4_000).map { UInt8(100 + $0 % 50) }
  private static let second = (0..<300).map { UInt8(200 - $0 % 70) }

  private func file(_ blocks: [Block]) -> [UInt8] {
    var bytes = Array("Creative Voice File\u{1A}".utf8) + [26, 0, 10, 1, 0x29, 0x11]
    for (kind, content) in blocks {
      let size = content.count
      bytes += [kind, UInt8(size & 0xFF), UInt8(size >> 8 & 0xFF), UInt8(size >> 16)] + content
    }
    return bytes + [0]
  }

  /// Sound at 10,989 Hz in coding 0, which is PCM of 8 bits.
  private func sound(_ samples: [UInt8], coding: UInt8 = 0) -> Block {
    (1, [165, coding] + samples)
  }

  private func samples(
    _ blocks: [Block], _ options: String = ""
  ) throws -> (samples: [UInt8], run: ProcessRun, rate: String) {
    let directory = TemporaryDirectory()
    try directory.write(file(blocks), "f.voc")
    let run = try directory.pipeline("rawaudio convert f.voc \(options) -t raw -o out")
    let info = try directory.pipeline(
      "rawaudio info --json f.voc | jq '.[0] | .sampleRate, .channelCount, .samplesPerChannel'")
    let bytes = run.ending == .exit(0) ? try directory.bytes("out") : []
    return (bytes, run, info.outputText.split(separator: "\n").joined(separator: " "))
  }

  @Test func blocksFollowEachOther() throws {
    let more: Block = (2, Self.second)
    // 1,000 samples at the same rate, less one.
    let silence: Block = (3, [0xE7, 0x03, 165])
    let text: Block = (5, Array("hello\0".utf8))
    let marker: Block = (4, [1, 0])
    let cases: [(blocks: [Block], expected: [UInt8])] = [
      ([sound(Self.first)], Self.first),
      ([sound(Self.first), more], Self.first + Self.second),
      ([text, sound(Self.first), marker, more], Self.first + Self.second),
      (
        [marker, sound(Self.first), silence, sound(Self.second)],
        Self.first + Array(repeating: 0x80, count: 1_000) + Self.second
      ),
      ([(6, [2, 0]), sound(Self.first), (7, [])], Self.first),
    ]
    for (blocks, expected) in cases {
      let result = try samples(blocks)
      #expect(result.samples == expected)
      #expect(result.run.standardError == "")
      #expect(result.rate == "10989 1 \(expected.count)")
    }
  }

  @Test func blocksDescribeTheSound() throws {
    // 256,000,000 / (2 × (65536 − 59731)) = 22049.9, which all readers cut.
    let stereo = try samples([(8, [0x53, 0xE9, 0, 1]), sound(Self.first)])
    #expect(stereo.samples == Self.first)
    #expect(stereo.rate == "22049 2 2000")
    let shape: [UInt8] = [0x40, 0x1F, 0, 0, 16, 1, 4, 0, 0, 0, 0, 0]
    let wide = try samples([(9, shape + Self.first), (2, Self.second)])
    #expect(wide.samples == Self.first + Self.second)
    #expect(wide.rate == "8000 1 2150")
    let law: [UInt8] = [0x40, 0x1F, 0, 0, 8, 1, 7, 0, 0, 0, 0, 0]
    let quiet = try samples([(9, law + Self.first), (3, [1, 0, 131])])
    #expect(quiet.samples == Self.first + [0xFF, 0xFF])
  }

  /// libsndfile takes ADPCM for PCM.
  @Test func onlyFfmpegReadsADPCM() throws {
    let result = try samples([sound(Self.first, coding: 1)])
    #expect(result.run.standardError == "rawaudio: 'f.voc' is decoded by ffmpeg (adpcm_sbpro_4)\n")
    // The first byte is a sample, each other byte two, in 16 bits each.
    #expect(result.samples.count == 2 * 7_999)
    let refused = try samples([sound(Self.first, coding: 1)], "--decoder none")
    refused.run.expectExit(
      1,
      "cannot read 'f.voc': it is VOC with Creative ADPCM, which libsndfile does not read; --decoder ffmpeg decodes it"
    )
  }

  @Test func faultsAreTold() throws {
    let other = try samples([sound(Self.first), (1, [200, 0] + Self.second)])
    #expect(other.samples == Self.first)
    #expect(other.run.standardError.contains("f.voc"))
    let empty = try samples([(5, Array("text\0".utf8))])
    empty.run.expectExit(1, "cannot read 'f.voc': it has no block of sound")
  }
}
