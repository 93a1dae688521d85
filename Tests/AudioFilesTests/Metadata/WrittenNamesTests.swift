// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioFiles

/// Tags may have any name, and metadata without a place is named.
@Suite struct WrittenNamesTests: WrittenTags {
  let scratch = ScratchDirectory()

  /// A name may have any character from space to `}` except `=`; a colon separates the description of a comment.
  @Test(arguments: containers, [":", "::", "COMMENT:", ":A", "A:", "COMMENT:A:B", "}", "  "])
  func unusualNames(
    _ format: (container: Container, encoding: SampleEncoding), _ name: String
  ) throws {
    var metadata = Metadata()
    metadata.tags.append(name, "text")
    let (path, omissions) = try write(metadata, format.container, format.encoding)
    #expect(omissions == [])
    #expect(try read(path).tags.entries.map(\.value) == ["text"])
  }

  /// A container's name for one text is never the name of another text elsewhere.
  @Test(arguments: containers + [(.wav, .s16), (.rf64, .s16), (.aiff, .s16)])
  func namesOfContainersAreNames(_ container: Container, _ encoding: SampleEncoding) throws {
    let names = TagNames.Vocabulary.allCases.flatMap { vocabulary in
      TagNames.all.compactMap { TagNames.name($0.key, in: vocabulary) }
    }
    var metadata = Metadata()
    for name in Set(names.compactMap(Metadata.Tags.key)).sorted() where name != "YEAR" {
      metadata.tags.append(name, "text of \(name)")
    }
    for name in TagNames.all where metadata.tags[name.key].isEmpty && name.key != "DATE" {
      metadata.tags.append(name.key, "text of \(name.key)")
    }
    // The gains of an Opus file are numbers under other names.
    if container == .opus { metadata.tags.removeAll(where: Metadata.measuresLoudness) }
    let (path, omissions) = try write(metadata, container, encoding)
    #expect(omissions == [])
    let back = try read(path).tags
    for tag in metadata.tags.entries where !["ENCODER", "TSSE", "ISFT"].contains(tag.key) {
      #expect(back[tag.key] == [tag.value], "\(tag.key)")
    }
    for tag in back.entries { #expect(tag.value == "text of \(tag.key)") }
  }

  /// A recording's origin becomes texts, and metadata without a place is named.
  @Test(arguments: containers)
  func whatHasNoPlaceIsNamed(_ container: Container, _ encoding: SampleEncoding) throws {
    var metadata = Metadata(interpreting: [.init(.riff, "iXML", [1, 2])])
    metadata.sampleRate = 48_000
    metadata.markers = [.init(identifier: 1, position: 5)]
    metadata.instrument = .init()
    metadata.broadcast = .init()
    metadata.broadcast?.originationDate = "2004-05-06"
    metadata.broadcast?.timeReference = 48_000
    metadata.cueSheet = Metadata.CueSheet(block: XiphBytes.cueSheet)
    let (path, omissions) = try write(metadata, container, encoding)
    let names = omissions.map(\.name)
    #expect(names.contains("'iXML' chunk"))
    #expect(names.contains("cue sheet") == (container != .flac))
    #expect(names.count == (container == .flac ? 2 : 3))
    #expect(try read(path).markers.map(\.position) == [0])
    let tags = try read(path).tags
    #expect(tags["DATE"] == ["2004-05-06"])
    #expect(tags["TIME_REFERENCE"] == ["48000"])
  }
}
