// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// A file's metadata is true of the edited sound, too.
@Suite struct EditedMetadataTests {
  /// Returns the metadata that a sink receives.
  private func carried(
    _ source: any AudioSource, _ observers: [any AudioObserver] = []
  ) throws -> Metadata? {
    let session = try Session(local: source)
    for observer in observers { try session.register(observer) }
    var metadata: Metadata?
    try session.setSink(at: .publish) { request in
      metadata = request.metadata
      return NullSink()
    }
    _ = try session.run()
    return metadata
  }

  private func marked() throws -> WrappedSource {
    var metadata = Metadata()
    metadata.sampleRate = 48_000
    metadata.markers = [
      .init(identifier: 1, position: 10), .init(identifier: 2, position: 60, label: "b"),
    ]
    metadata.broadcast = .init()
    metadata.broadcast?.timeReference = 1_000
    metadata.channelLayout = .speakers(4)
    return WrappedSource(
      try GivenSource(Array(repeating: 0, count: 100)), carrying: metadata)
  }

  @Test func silenceInFrontMovesMarks() throws {
    let pad = PadObserver(.record, before: .samples(30), behind: .samples(5))
    let metadata = try #require(try carried(try marked(), [pad]))
    #expect(metadata.markers.map(\.position) == [40, 90])
    #expect(try #require(metadata.broadcast).timeReference == 1_000 - 30)
    let behind = PadObserver(.record, behind: .samples(5))
    #expect(try carried(try marked(), [behind])?.markers.map(\.position) == [10, 60])
  }

  @Test func aChannelMapHasNoPlacesOfOtherChannels() throws {
    let map = ChannelMapObserver(.record, try ChannelMap([.channel(1)]))
    #expect(try carried(try marked())?.channelLayout != nil)
    #expect(try carried(try marked(), [map])?.channelLayout == nil)
  }

  @Test func aSequenceMarksItsSources() throws {
    let source = SequenceSource(
      [
        try GivenSource(Array(repeating: 0, count: 441), rate: 44_100),
        try GivenSource(Array(repeating: 0, count: 480), rate: 48_000),
        try GivenSource([0], rate: 48_000),
      ], joint: .gap(.samples(20)))
    source.labels = ["a", "b", "c"]
    let metadata = try #require(try carried(source))
    #expect(metadata.markers.map(\.position) == [0, 500, 1_000])
    #expect(metadata.markers.map(\.label) == ["a", "b", "c"])
    #expect(source.beginnings == [0, 500, 1_000])
  }
}
