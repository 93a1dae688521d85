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

  /// Names of channels that are others now would be wrong.
  @Test func otherChannelsHaveNoNames() throws {
    var metadata = metadata(Self.notes)
    metadata.channelCount = 3
    let stereo = metadata.adapted(to: try StreamFormat(sampleRate: 48_000, channelCount: 2), .s16)
    #expect(!text(stereo).contains("TRACK_LIST"))
    let same = metadata.adapted(to: try StreamFormat(sampleRate: 48_000, channelCount: 3), .s16)
    #expect(same.trackNames(of: 3) == ["Boom", nil, "Lav & Bob"])
  }
}
