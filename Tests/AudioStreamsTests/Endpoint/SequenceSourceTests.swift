// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct SequenceSourceTests {
  private func play(_ items: [GivenSource]) throws -> CollectingSink {
    let session = Session()
    try session.addRemote(SequenceSource(items))
    let sink = try session.run(collecting: .playback)
    return sink
  }

  @Test func playsOneAfterTheOtherWithoutAGap() throws {
    let parts = (1...4).map { Noise.integers(900 * $0, seed: UInt64($0)) }
    let items = try parts.map { try GivenSource($0, channels: 2, pieces: [100, 7]) }
    #expect(try play(items).samples == parts.flatMap { $0 })
    for item in items { #expect(item.calls == [.initialize, .start, .stop, .dispose]) }
  }

  @Test func convertsWhatDiffersFromTheRichest() throws {
    let sink = try play([
      try GivenSource(Array(repeating: 0.25, count: 800), rate: 8_000, channels: 1),
      try GivenSource([0.5, -0.5], rate: 16_000, channels: 2),
    ])
    #expect(sink.format == (try StreamFormat(sampleRate: 16_000, channelCount: 2)))
    #expect(sink.samples.count == (1_600 + 1) * 2)
    #expect(abs(sink.samples[1_600] - 0.25) < 1e-6)
    #expect(sink.samples.suffix(2) == [0.5, -0.5])
  }

  @Test func tellsOfAMissingItemBeforeAnythingIsHeard() throws {
    let first = try GivenSource([0.5])
    let second = try GivenSource([0.5])
    second.failures[.initialize] = .diskFull
    let third = try GivenSource([0.5])
    let session = Session()
    try session.addRemote(SequenceSource([first, second, third]))
    let sink = try session.collect(.playback)
    #expect(throws: AudioError.diskFull) { try session.run() }
    #expect(sink.calls.isEmpty)
    #expect(first.calls == [.initialize, .dispose])
    #expect(second.calls == [.initialize, .dispose])
    #expect(third.calls.isEmpty)
  }

  @Test func stopsOnlyWhatStarted() throws {
    let first = try GivenSource([0.5])
    let second = try GivenSource([0.5])
    second.failures[.start] = .diskFull
    let session = Session()
    try session.addRemote(SequenceSource([first, second]))
    try session.setSink(NullSink(), at: .playback)
    #expect(throws: AudioError.diskFull) { try session.run() }
    #expect(first.calls == [.initialize, .start, .stop, .dispose])
    #expect(second.calls == [.initialize, .start, .dispose])
  }
}
