// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Testing

/// The metadata of a sound that is made of several.
@Suite struct MetadataSharingTests {
  private func metadata(_ tags: [(String, String)], picture: UInt8? = nil) -> Metadata {
    var metadata = Metadata()
    for (key, value) in tags { metadata.tags.append(key, value) }
    if let byte = picture {
      metadata.pictures = [.init([byte], mediaType: "image/png")]
    }
    return metadata
  }

  /// In the order of the values, also of one name.
  @Test func textsAreASequence() {
    let texts = metadata([("TITLE", "One"), ("ARTIST", "A"), ("ALBUM", "Book"), ("ARTIST", "B")])
    #expect(texts.tags.map(\.value) == ["One", "A", "Book", "B"])
    #expect(texts.tags.filter { $0.key == "ARTIST" }.map(\.value) == texts.tags["artist"])
  }

  /// The numbers are those of ID3.
  @Test func picturesHaveAKind() {
    let back = Metadata.Picture([1, 2], kind: .backCover, mediaType: "image/png")
    #expect(back.kind.rawValue == 4 && back.data == [1, 2] && back.width == 0)
    #expect(Metadata.Picture([1], mediaType: "image/png").kind == .init(rawValue: 3))
    #expect(Metadata.Picture.Kind.publisherLogo.rawValue == 20)
  }

  @Test func textsOfAllStayAndTheAlbumIsTheTitle() throws {
    let sources = [
      metadata([
        ("TITLE", "One"), ("ARTIST", "A"), ("ARTIST", "B"), ("ALBUM", "Book"), ("TRACKNUMBER", "1"),
        ("ENCODER", "x"), ("REPLAYGAIN_TRACK_GAIN", "-1 dB"),
      ]),
      metadata([
        ("ALBUM", "Book"), ("TITLE", "Two"), ("ARTIST", "A"), ("ARTIST", "B"), ("TRACKNUMBER", "2"),
        ("COMMENT", "only here"), ("ENCODER", "x"),
      ]),
    ]
    let shared = try #require(Metadata.shared(by: sources))
    #expect(
      shared.tags.entries.map { "\($0.key)=\($0.value)" } == [
        "ARTIST=A", "ARTIST=B", "ALBUM=Book", "TITLE=Book",
      ])
    func lost(_ tags: String) -> [Metadata.Omission] {
      [.init("tags \(tags)", because: "the sources differ")]
    }
    #expect(shared.omissions == lost("TITLE, TRACKNUMBER, COMMENT"))
    // Marks have the titles.
    let marked = try #require(Metadata.shared(by: sources, keepsTitles: true))
    #expect(marked.tags == shared.tags)
    #expect(marked.omissions == lost("TRACKNUMBER, COMMENT"))
  }

  @Test func aTextThatOneLacksIsNotShared() throws {
    let shared = try #require(
      Metadata.shared(by: [metadata([("ARTIST", "A")]), nil, metadata([])]))
    #expect(shared.tags.isEmpty)
    #expect(shared.omissions == [.init("tag ARTIST", because: "the sources differ")])
  }

  @Test func generatorsDoNotCount() throws {
    let shared = try #require(Metadata.shared(by: [nil, metadata([("ARTIST", "A")]), nil]))
    #expect(shared.tags["ARTIST"] == ["A"])
    #expect(shared.omissions.isEmpty)
    #expect(Metadata.shared(by: [nil, nil]) == nil)
    #expect(Metadata.shared(by: [metadata([]), metadata([])]) == nil)
  }

  @Test func picturesStayIfAllAreEqual() throws {
    let equal = try #require(
      Metadata.shared(by: [metadata([], picture: 1), metadata([], picture: 1)]))
    #expect(equal.pictures.count == 1)
    #expect(equal.omissions.isEmpty)
    let differing = try #require(
      Metadata.shared(by: [metadata([], picture: 1), metadata([], picture: 2)]))
    #expect(differing.pictures.isEmpty)
    #expect(differing.omissions == [.init("pictures", because: "the sources differ")])
  }

  /// The title of all; that of one alone is not.
  @Test func theTitleThatAllHave() throws {
    let titled = metadata([("TITLE", "T"), ("ALBUM", "B")])
    #expect(Metadata.shared(by: [titled, titled])?.tags["TITLE"] == ["T"])
    let others = [metadata([("ARTIST", "A")]), metadata([("TITLE", "T"), ("ARTIST", "A")])]
    let shared = try #require(Metadata.shared(by: others))
    #expect(shared.tags["TITLE"].isEmpty)
    #expect(shared.omissions == [.init("tag TITLE", because: "the sources differ")])
  }
}
