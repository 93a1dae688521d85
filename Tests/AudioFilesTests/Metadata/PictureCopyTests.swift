// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioFiles

/// The tags around a file often agree; a picture in both counts once.
@Suite struct PictureCopyTests {
  private static func frame(_ description: String, _ data: String) -> [UInt8] {
    ID3Bytes.frame(4, "APIC", [3] + Array("image/png\0\u{3}\(description)\0\(data)".utf8))
  }

  private static func tag(_ frames: [UInt8]...) -> Metadata.Chunk {
    .init(.id3, "ID3v2", ID3Bytes.tag(4, frames))
  }

  private static func ape(_ data: String...) -> Metadata.Chunk {
    .init(
      .id3, "APEv2",
      ID3Bytes.ape(data.map { ("Cover Art (Front)", Array("cover.png\0\($0)".utf8), true) }),
      isInFront: false)
  }

  private func data(_ chunks: Metadata.Chunk...) -> [String] {
    Metadata(interpreting: chunks).pictures.map { String(decoding: $0.data, as: UTF8.self) }
  }

  @Test func onePictureInTwoTagsIsOne() {
    #expect(data(Self.tag(Self.frame("", "one")), Self.ape("one")) == ["one"])
    #expect(data(Self.tag(Self.frame("front", "one")), Self.ape("two")) == ["one", "two"])
    #expect(data(Self.ape("one", "one")) == ["one"])
    // A picture that one tag has twice stays twice.
    let twice = Self.tag(Self.frame("small", "one"), Self.frame("large", "one"))
    #expect(data(twice, Self.ape("one")) == ["one", "one"])
    let block = Metadata.Chunk(.flac, "PICTURE", XiphBytes.picture(3, Array("one".utf8)))
    #expect(data(Self.tag(Self.frame("", "one")), block) == ["one"])
  }

  @Test func itIsWrittenOnce() throws {
    let chunks = [Self.tag(Self.frame("", "one")), Self.ape("one")]
    let metadata = Metadata(interpreting: chunks)
    // Both tags are still true.
    #expect(ID3Composition(metadata).behind == chunks[1].content)
    var changed = metadata
    changed.tags.append("TITLE", "tune")
    let front = ID3Composition(changed).front
    let said = Metadata(interpreting: [.init(.id3, "ID3v2", front)])
    #expect(said.pictures.map(\.data) == [Array("one".utf8)])
  }
}
