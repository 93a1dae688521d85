// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioFiles

/// A zero byte is kept by formats with sizes and reported by formats whose texts end with it; the rest is kept.
@Suite struct ZeroByteTests: WrittenTags {
  let scratch = ScratchDirectory()

  private static var metadata: Metadata {
    var metadata = Metadata()
    metadata.tags.append("TITLE", "a\0b")
    metadata.tags.append("ARTIST", "Ann")
    var picture = picture(2_000)
    picture.description = "front\0cover"
    metadata.pictures = [picture]
    return metadata
  }

  @Test(arguments: [
    (Container.flac, SampleEncoding.s16, "a\0b"), (.ogg, .vorbis, "a\0b"), (.opus, .opus, "a\0b"),
    (.mp3, .mpegLayer3, "a|b"), (.wav, .s16, "a; b"), (.rf64, .s16, "a; b"), (.aiff, .s16, "a; b"),
    (.caf, .s16, "a; b"),
  ])
  func whatIsBesideItIsKept(
    _ container: Container, _ encoding: SampleEncoding, _ title: String
  ) throws {
    let (path, omissions) = try write(Self.metadata, container, encoding)
    let metadata = try read(path)
    #expect(metadata.tags["TITLE"].joined(separator: "|") == title)
    #expect(metadata.tags["ARTIST"] == ["Ann"])
    let isKept = [.flac, .ogg, .opus].contains(container)
    var expected: [Metadata.Omission] = []
    if !isKept {
      expected.append(
        .init("zero bytes in 2 texts", because: "in \(container.rawValue) one ends a text"))
    }
    if container == .caf { expected.append(.init("picture", because: "caf has no place for it")) }
    #expect(Set(omissions.map { "\($0)" }) == Set(expected.map { "\($0)" }))
    guard container != .caf else { return }
    #expect(metadata.pictures.map(\.data) == Self.metadata.pictures.map(\.data))
    #expect(metadata.pictures.map(\.description) == [isKept ? "front\0cover" : "front cover"])
  }

  /// Bytes after the zero byte that ends a text stay in a file of this kind and are named in another.
  @Test func whatStandsBehindTheEndIsNamed() throws {
    let list = ChunkBytes.info([("INAM", Array("tune\0more".utf8))])
    let source = try read(scratch.write(ChunkBytes.wave(behind: [list]), "in.wav"))
    #expect(source.tags["TITLE"] == ["tune"])
    #expect(source.omissions.map(\.name) == ["end of a text"])
    #expect(try write(source, .wav, .s16).omissions == [])
    #expect(try write(source, .flac, .s16).omissions.map(\.name) == ["end of a text"])
    var changed = source
    changed.tags["TITLE"] = ["other"]
    #expect(try write(changed, .wav, .s16).omissions.map(\.name) == ["end of a text"])
  }

  /// A mark's name is cut between characters, and the cut is reported.
  @Test func aLongNameOfAMarkIsCutAndNamed() throws {
    var metadata = Metadata()
    metadata.markers = [
      .init(identifier: 1, position: 10, label: String(repeating: "ü", count: 128)),
      .init(identifier: 2, position: 20, label: "short"),
    ]
    let (path, omissions) = try write(metadata, .aiff, .s16)
    #expect(omissions == [.init("end of a mark's name", because: "AIFF has 255 bytes for one")])
    let labels = try read(path).markers.map(\.label)
    #expect(labels == [String(repeating: "ü", count: 127), "short"])
  }
}
