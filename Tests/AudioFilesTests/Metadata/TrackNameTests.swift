// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioStreams

/// The names of channels in the `iXML` chunk of field recorders.
@Suite struct TrackNameTests {
  /// As Sound Devices' recorders write it: tracks in any order, with indices.
  private static let notes = """
    <?xml version="1.0" encoding="UTF-8"?>
    <BWFXML><IXML_VERSION>1.5</IXML_VERSION><SCENE>12</SCENE>
    <TRACK_LIST><TRACK_COUNT>3</TRACK_COUNT>
    <TRACK><CHANNEL_INDEX>4</CHANNEL_INDEX><INTERLEAVE_INDEX>3</INTERLEAVE_INDEX><NAME>Lav &amp; Bob</NAME></TRACK>
    <TRACK><CHANNEL_INDEX>1</CHANNEL_INDEX><INTERLEAVE_INDEX>1</INTERLEAVE_INDEX><NAME> Boom </NAME></TRACK>
    <TRACK><CHANNEL_INDEX>2</CHANNEL_INDEX><INTERLEAVE_INDEX>2</INTERLEAVE_INDEX><NAME></NAME></TRACK>
    </TRACK_LIST></BWFXML>
    """

  private func metadata(_ text: String) -> Metadata {
    Metadata(interpreting: [Metadata.Chunk(.riff, "iXML", Array(text.utf8))])
  }

  private func text(_ metadata: Metadata) -> String {
    String(decoding: metadata.chunks.first?.content ?? [], as: UTF8.self)
  }

  @Test func theIndexInTheFileCounts() {
    let metadata = metadata(Self.notes)
    #expect(metadata.trackNames(of: 3) == ["Boom", nil, "Lav & Bob"])
    #expect(metadata.trackNames(of: 4) == ["Boom", nil, "Lav & Bob", nil])
    // The file has fewer channels now: no name is true.
    #expect(metadata.trackNames(of: 2) == [nil, nil])
  }

  @Test(arguments: [
    "", "<TRACK_LIST>", "<TRACK_LIST><TRACK></TRACK_LIST>", "<TRACK></TRACK>",
    "<TRACK_LIST><TRACK><INTERLEAVE_INDEX>9</INTERLEAVE_INDEX><NAME>x</NAME></TRACK></TRACK_LIST>",
    "<TRACK_LIST><TRACK><NAME>x</TRACK></TRACK_LIST>",
  ])
  func brokenListsHaveNoNames(_ text: String) {
    #expect(metadata(text).trackNames(of: 2) == [nil, nil])
  }

  @Test func namesAreReadAsTheyWereWritten() {
    let names = ["a<b>&\"c\"'d'", "zwei", "3"]
    var new = Metadata()
    new.setTrackNames(names)
    #expect(new.trackNames(of: 3) == names)
    var changed = metadata(Self.notes)
    changed.setTrackNames(names)
    #expect(changed.trackNames(of: 3) == names)
    #expect(text(changed).contains("<SCENE>12</SCENE>"))
    #expect(text(changed).split(separator: "<TRACK_LIST>").count == 2)
    // A chunk without a list gets one.
    var without = metadata("<BWFXML><SCENE>1</SCENE></BWFXML>")
    without.setTrackNames(["x"])
    #expect(without.trackNames(of: 1) == ["x"])
  }

  @Test func oneChannelKeepsItsName() {
    let metadata = metadata(Self.notes)
    #expect(metadata.ofChannel(2, of: 3).trackNames(of: 1) == ["Lav & Bob"])
    let unnamed = metadata.ofChannel(1, of: 3)
    #expect(unnamed.trackNames(of: 1) == [nil])
    #expect(text(unnamed).contains("<SCENE>12</SCENE>"))
  }

  private static let lost = Metadata.Omission(
    "names of the channels", because: "the channels are others now")

  /// The lines of a recorder's tracks: all of its numbers, or those of the tracks that the file has.
  private func described(_ numbers: [Int]) -> Metadata {
    let lines = ["sTAKE=3"] + numbers.map { "sTRK\($0)=track \($0)" } + ["sNOTE=wind", ""]
    let text = lines.joined(separator: "\r\n")
    var metadata = metadata(
      "<BWFXML><BEXT><BWF_DESCRIPTION>\(text)</BWF_DESCRIPTION></BEXT></BWFXML>")
    metadata.channelCount = 3
    metadata.broadcast = .init()
    metadata.broadcast?.description = text
    metadata.tags.append("DESCRIPTION", text)
    return metadata
  }

  @Test(arguments: [
    ([1, 2, 3], [[2]], ["sTRK1=track 3"], false), ([1, 2, 3], [[1], [0]], ["2", "1"], false),
    // The recorder's fourth track is the file's second channel.
    ([1, 4, 7], [[1]], ["sTRK1=track 4"], false), ([2, 3], [[1]], ["sTRK1=track 2"], false),
    ([2, 3], [[0]], [], false), ([1, 2, 3], [[0, 1], [2]], ["sTRK2=track 3"], true),
    ([1, 2, 3], [[0, 1], [0], [1]], ["-", "1", "2"], false), ([1, 2, 3], [], [], true),
    ([1, 2, 3, 4], [[0]], [], true),
    ([1, 2, 2], [[1]], ["sTRK1=track 2", "sTRK1=track 2"], false),
  ])
  func linesFollowTheChannels(
    _ numbers: [Int], _ origins: [[Int]], _ expected: [String], isLossy: Bool
  ) {
    var moved = described(numbers)
    moved.moveChannels(to: origins, of: 3)
    let tracks = expected.enumerated().filter { $1 != "-" }.map { index, line in
      line.count > 1 ? line : "sTRK\(index + 1)=track \(line)"
    }
    let lines = ["sTAKE=3"] + tracks + ["sNOTE=wind", ""]
    let text = lines.joined(separator: "\r\n")
    #expect(moved.broadcast?.description == text)
    #expect(moved.tags["DESCRIPTION"] == [text])
    #expect(
      self.text(moved).contains("<BWF_DESCRIPTION>\(lines.dropLast().joined(separator: "\r\n"))"))
    #expect(moved.omissions == (isLossy ? [Self.lost] : []))
  }

  /// No recorder writes them, and their lines would take minutes.
  @Test func longTextsAreNotRead() {
    let text = String(repeating: "sTRK1=a\r\n", count: 1 << 13)
    var metadata = metadata(
      "<BWFXML><BEXT><BWF_DESCRIPTION>\(text)</BWF_DESCRIPTION></BEXT></BWFXML>")
    let old = metadata.chunks
    metadata.tags.append("DESCRIPTION", text)
    metadata.moveChannels(to: [[0]], of: 2)
    #expect(metadata.chunks == old)
    #expect(metadata.tags["DESCRIPTION"] == [text])
  }

  @Test func textsWithoutSuchLinesStay() {
    for text in ["sTAKE=3\nTRK1=a\nSTRK1=b\nsTRKx=c\nsTRK1", "", "\n"] {
      var metadata = Metadata()
      metadata.broadcast = .init()
      metadata.broadcast?.description = text
      metadata.moveChannels(to: [[0, 1]], of: 2)
      #expect(metadata.broadcast?.description == text)
      #expect(metadata.omissions.isEmpty)
    }
  }

  @Test func namesFollowTheChannels() {
    func moved(_ origins: [[Int]]) -> Metadata {
      var metadata = metadata(Self.notes)
      metadata.moveChannels(to: origins, of: 3)
      return metadata
    }
    #expect(moved([[2], [0]]).trackNames(of: 2) == ["Lav & Bob", "Boom"])
    #expect(moved([[2], [0]]).omissions.isEmpty)
    #expect(moved([[1, 2], [0]]).trackNames(of: 2) == [nil, "Boom"])
    #expect(moved([[1, 2], [0]]).omissions == [Self.lost])
    // A channel without a name loses none, and a channel that is left out takes its own with it.
    #expect(moved([[1]]).omissions.isEmpty)
    #expect(moved([[0, 2]]).omissions == [Self.lost])
    #expect(!text(moved([[0, 2]])).contains("TRACK_LIST"))
  }

  /// Names of channels that are others now would be wrong.
  @Test func otherChannelsHaveNoNames() throws {
    var metadata = metadata(Self.notes)
    metadata.channelCount = 3
    let stereo = metadata.adapted(to: try StreamFormat(sampleRate: 48_000, channelCount: 2), .s16)
    #expect(!text(stereo).contains("TRACK_LIST"))
    #expect(stereo.omissions == [Self.lost])
    let same = metadata.adapted(to: try StreamFormat(sampleRate: 48_000, channelCount: 3), .s16)
    #expect(same.trackNames(of: 3) == ["Boom", nil, "Lav & Bob"])
  }
}
