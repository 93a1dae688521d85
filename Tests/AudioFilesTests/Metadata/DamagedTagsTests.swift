// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioFiles

/// Damaged blocks, packets and tags yield less metadata, but never invented metadata.
@Suite struct DamagedTagsTests {
  private static let comments = XiphBytes.comments("TITLE=tune", "artist=Ann", "MOOD=calm")
  private static let tag = ID3Bytes.tag(
    4,
    [
      ID3Bytes.frame(4, "TIT2", [3] + Array("tune".utf8)),
      ID3Bytes.frame(4, "TXXX", [0] + Array("MOOD\0calm".utf8)),
      ID3Bytes.frame(4, "COMM", [0] + Array("eng\0good".utf8)),
      ID3Bytes.frame(4, "APIC", [0] + Array("image/png\0".utf8) + [3] + Array("x\0abc".utf8)),
    ])
  private static let ape = ID3Bytes.ape([
    ("Title", Array("tune".utf8), false), ("Cover Art (Front)", Array("a\0picture".utf8), true),
  ])

  /// Changes, removes or doubles one to four bytes.
  private static func damaged(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF][Int.random(in: 0..<5, using: &random)]
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes.remove(at: place)
      default: bytes.insert(bytes[place], at: place)
      }
    }
    return bytes
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    part.isEmpty || bytes.indices.contains { bytes[$0...].starts(with: part) }
  }

  @Test(arguments: seeds(300))
  func nothingIsInvented(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let picture = Self.damaged(XiphBytes.picture(3, [1, 2, 3]), &random)
    let pieces: [Metadata.Chunk] = [
      .init(.flac, "VORBIS_COMMENT", Self.damaged(Self.comments, &random)),
      .init(.flac, "PICTURE", picture),
      .init(.flac, "CUESHEET", Self.damaged(XiphBytes.cueSheet, &random)),
      .init(.id3, "ID3v2", Self.damaged(Self.tag, &random)),
      .init(.id3, "APEv2", Self.damaged(Self.ape, &random)),
    ]
    for piece in pieces {
      let metadata = Metadata(interpreting: [piece])
      // Other encodings have other bytes for a character, and genres may be numbers.
      for text in metadata.tags.entries
      where piece.family == .flac && text.value.utf8.allSatisfy({ $0 < 0x80 }) {
        #expect(contains(piece.content, Array(text.value.utf8)), "\(text)")
      }
      for picture in metadata.pictures { #expect(contains(piece.content, picture.data)) }
    }
    let all = Metadata(interpreting: pieces)
    // The composed metadata is readable again.
    let flac = XiphComposition(all, as: .flac, channelCount: 2).bytes(vendor: [1])
    let file = Array("fLaC".utf8) + [0, 0, 0, 0] + flac
    let again = Metadata(interpreting: try FlacBlocks.collect(HeldBytes(file), from: 0).chunks)
    #expect(again.tags.entries == all.textsOfSound.entries)
    let tag = ID3Composition(all, isStream: true).front
    #expect(tag.isEmpty || ID3Tag(tag) != nil)
    let said = Metadata(interpreting: [.init(.id3, "ID3v2", tag)]).tags
    for key in all.textsOfSound.keys {
      // A zero byte ends a text; a comment is one text per frame.
      let values = all.textsOfSound[key].flatMap { $0.split(separator: "\0").map(String.init) }
      let isSaid = said[key] == values || said[key] == [values.joined(separator: "; ")]
      #expect(isSaid, "\(key): \(values), \(said[key])")
    }
  }
}
