// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioFiles

/// The value type: names, parts of a sound, other rates, and rewritten chunks.
@Suite struct MetadataTests {
  @Test func tagsHaveNamesInAnyCaseAndSeveralValues() {
    var tags = Metadata.Tags()
    tags.append("artist", "Ann")
    tags.append("TITLE", "tune")
    tags.append("Artist", "Ben")
    tags.append("a=b", "no such name")
    tags.append("COMMENT", "")
    #expect(tags["ARTIST"] == ["Ann", "Ben"])
    #expect(tags.keys == ["ARTIST", "TITLE"])
    tags["Title"] = ["other"]
    tags["ARTIST"] = ["Cid"]
    #expect(tags.entries.map(\.value) == ["Cid", "other"])
    tags["TITLE"] = []
    #expect(tags.keys == ["ARTIST"])
  }

  private var marked: Metadata {
    var metadata = Metadata()
    metadata.sampleRate = 48_000
    metadata.markers = [
      .init(identifier: 1, position: 100), .init(identifier: 2, position: 100, length: 2_000),
      .init(identifier: 3, position: 1_500), .init(identifier: 4, position: 5_000),
      .init(identifier: 5, position: 1_900, length: 100),
      .init(identifier: 6, position: 2_000), .init(identifier: 7, position: 2_000, length: 50),
    ]
    metadata.instrument = .init()
    metadata.instrument?.loops = [
      .init(identifier: 1, range: 900..<1_100), .init(identifier: 2, range: 1_200..<1_300),
    ]
    metadata.broadcast = .init()
    metadata.broadcast?.timeReference = 10
    metadata.broadcast?.loudness = .init()
    metadata.broadcast?.loudness?.integrated = -23
    return metadata
  }

  /// What begins at its end is outside.
  @Test func aPartCountsFromItsBeginning() {
    let part = marked.trimmed(from: 1_000, length: 1_000)
    #expect(part.markers.map(\.identifier) == [2, 3, 5])
    #expect(part.markers.map(\.position) == [0, 500, 900])
    #expect(part.markers.map(\.length) == [1_000, 0, 100])
    #expect(part.instrument?.loops.map(\.range) == [200..<300])
    #expect(part.broadcast?.timeReference == 1_010)
    #expect(part.broadcast?.loudness == nil)
    #expect(marked.trimmed(from: 0, length: nil) == marked)
  }

  /// Programs that rip discs store a cue sheet as a text.
  @Test func aTextOfACueSheetIsOfTheWholeDisc() {
    var whole = Metadata()
    whole.sampleRate = 48_000
    whole.tags.append("CUESHEET", "FILE \"disc\" WAVE\r\n")
    let lost = [Metadata.Omission("cue sheet", because: "it describes the whole disc")]
    for part in [whole.trimmed(from: 1, length: nil), whole.trimmed(from: 0, length: 9)] {
      #expect(part.tags.isEmpty && part.omissions == lost)
    }
    #expect(whole.converted(to: 44_100).tags == whole.tags)
    #expect(whole.converted(to: 44_100).omissions.isEmpty)
  }

  @Test func anotherRateMovesEveryPlace() {
    let other = marked.converted(to: 44_100)
    // 100 · 44,100 ÷ 48,000 = 91.875.
    #expect(other.markers.map(\.position) == [92, 92, 1_378, 4_594, 1_746, 1_838, 1_838])
    #expect(other.markers[1].length == 1_929 - 92)
    #expect(other.instrument?.loops.map(\.range) == [827..<1_011, 1_103..<1_194])
    #expect(other.broadcast?.timeReference == 9)
    #expect(other.sampleRate == 44_100)
  }

  /// A written chunk is read back equal, in either byte order.
  @Test(arguments: [ByteOrder.little, .big]) func piecesThatAreMadeAnewSayTheSame(
    _ order: ByteOrder
  ) {
    var wanted = marked
    wanted.markers[1].label = "Übung"
    wanted.markers[2].note = "loud"
    for index in [1, 4, 6] { wanted.markers[index].purpose = "rgn " }
    wanted.broadcast?.description = "Rain – \u{2603}"
    wanted.broadcast?.codingHistory = "A=PCM\r\n"
    wanted.broadcast?.version = 2
    wanted.instrument?.baseNote = 72
    wanted.instrument?.gain = -3
    wanted.instrument?.notes = 3...9
    wanted.tags.append("TITLE", "tune")
    wanted.tags.append("ARTIST", "Ann")
    wanted.tags.append("MOOD", "calm")
    let (points, labels) = CueList.chunks(wanted.markers, order)
    let list = RiffMetadata.list(of: wanted.tags, order)
    let family: Metadata.Family = order == .big ? .rifx : .riff
    let read = Metadata(interpreting: [
      .init(family, "cue ", points), .init(family, "LIST", labels ?? []),
      .init(family, "LIST", list),
      .init(family, "bext", wanted.broadcast?.chunk(order) ?? []),
      .init(
        family, "smpl",
        wanted.instrument.map { SamplerChunk.chunk($0, order, sampleRate: 48_000) } ?? []),
      .init(family, "inst", wanted.instrument.map(InstrumentChunk.chunk) ?? []),
    ])
    #expect(RiffMetadata.name("MOOD") == nil)
    #expect(read.tags.entries == wanted.tags.entries.filter { $0.key != "MOOD" })
    #expect(read.markers == wanted.markers)
    #expect(read.broadcast == wanted.broadcast)
    #expect(read.instrument == wanted.instrument)
  }

  /// libsndfile 1.2.0 finds no samples in an RF64 file after a chunk of odd size.
  @Test(arguments: ["", "A=PCM", "A=PCM\r\n", "A=PCM,F=48000\r\n"])
  func aBroadcastChunkIsEven(_ history: String) {
    var broadcast = Metadata.BroadcastExtension()
    broadcast.codingHistory = history
    let made = broadcast.chunk(.little)
    #expect(made.count.isMultiple(of: 2))
    #expect(Metadata.BroadcastExtension(made, .little)?.codingHistory == history)
    broadcast.add(toHistory: "A=PCM,W=16")
    let again = broadcast.chunk(.little, over: made)
    #expect(again.count.isMultiple(of: 2))
    #expect(Metadata.BroadcastExtension(again, .little)?.codingHistory == broadcast.codingHistory)
  }

  @Test func textsOfOneByteACharacter() {
    #expect(StoredText.decoded([0x80, 0xE4]) == "€ä")
    #expect(StoredText.latin1("€ä") == [0x80, 0xE4])
    // In Latin-1 these bytes would look like UTF-8.
    #expect(StoredText.decoded(StoredText.latin1("Ã¤")[...]) == "Ã¤")
    #expect(StoredText.latin1("\u{2603}") == [0xE2, 0x98, 0x83])
    #expect(StoredText.decoded(fixed: Array("a b  \0rest".utf8)[...]) == "a b")
    #expect(StoredText.utf16([0xFF, 0xFE, 0x41, 0, 0x3D, 0xD8, 0, 0xDE], .big) == "A😀")
    #expect(StoredText.utf16([0, 0x41, 0x42], .big) == "A")
  }

  /// Each name in a container leads to one key, and back.
  @Test func theTableOfNamesIsOneToOne() {
    for vocabulary in TagNames.Vocabulary.allCases {
      let names = TagNames.all.compactMap { $0.name(in: vocabulary) }
      #expect(Set(names).count == names.count)
    }
    #expect(Set(TagNames.all.map(\.key)).count == TagNames.all.count)
  }
}
