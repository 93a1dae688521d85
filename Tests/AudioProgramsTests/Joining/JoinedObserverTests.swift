// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams
@testable import AudioPrograms

/// The frames that an observing client gets.
@Suite struct JoinedObserverTests {
  private func outbox() throws -> FrameOutbox { FrameOutbox(ClientMail(try ClientPoll())) }

  private func observer(_ line: String, _ outbox: FrameOutbox) throws -> JoinedObserver {
    guard case .observe(let request) = try FirstLine(line.utf8) else { throw Unexpected() }
    return JoinedObserver(request, outbox)
  }

  private func taken(_ outbox: FrameOutbox) throws -> [ClientFrame] {
    let bytes = try #require(outbox.take())
    outbox.report(unsent: 0)
    return try ClientFrame.frames(bytes)
  }

  @Test func eachSourceHasItsNumberItsFramesAndItsEnd() throws {
    let session = Session()
    let anna = Noise.integers(1_000, seed: 1)
    let ben = Noise.integers(700, seed: 2)
    try session.addRemote(
      try GivenSource(anna, rate: 16_000, encoding: .s16), id: SourceID("anna"),
      group: SourceID("room"))
    try session.addRemote(
      try GivenSource(ben, rate: 16_000, encoding: .s16), id: SourceID("ben"),
      entry: MixEntry(offset: .samples(1_600)))
    let outbox = try outbox()
    try session.register(
      try observer(
        #"{"observe":"before-mixing","rate":16000,"channels":1,"samplesPerCall":300}"#, outbox))
    try session.setSink(CollectingSink(), at: .playback)
    _ = try session.run()

    let frames = try taken(outbox)
    let lines = frames.filter { $0.flags == .line }.map(\.line)
    #expect(
      lines.sorted() == [
        #"{"schema":1,"event":"stream","source":1,"position":"before-mixing","id":"anna","group":"room","rate":16000,"channels":1,"samplesPerCall":300,"encoding":"s16"}"#
          + "\n",
        #"{"schema":1,"event":"stream","source":2,"position":"before-mixing","id":"ben","rate":16000,"channels":1,"samplesPerCall":300,"encoding":"s16"}"#
          + "\n",
      ])
    for (number, samples, start) in [(UInt32(1), anna, Int64(0)), (2, ben, 1_600)] {
      let own = frames.filter { $0.source == number && $0.flags != .line }
      let bytes = SourceFeedTests.bytes(samples.map { Int16($0 * 32_768) })
      #expect(own.flatMap(\.payload) == bytes)
      let whole = samples.count / 300
      var flags = Array(repeating: FrameHeader.Flags(), count: whole + 2)
      flags[0] = .first
      flags[whole] = .partial
      flags[whole + 1] = .last
      #expect(own.map(\.flags) == flags)
      var positions = (0...whole).map { start + Int64($0) * 300 }
      positions.append(start + Int64(samples.count))
      #expect(own.map(\.position) == positions)
      #expect(own.map(\.renderTime) == positions.map { $0 * 1_000 / 16_000 })
    }
  }

  @Test func aSumHasTheNumber0() throws {
    let session = Session()
    try session.addRemote(try GivenSource([0.5, -0.5], rate: 8_000))
    let outbox = try outbox()
    try session.register(try observer(#"{"observe":"playback","encoding":"f32"}"#, outbox))
    _ = try session.run()
    let frames = try taken(outbox)
    #expect(frames.map(\.source) == [0, 0, 0])
    #expect(frames[1].flags == [.first, .partial])
    #expect(frames[1].payload == [0, 0, 0, 0x3F, 0, 0, 0, 0xBF])
  }

  /// Frames without room for a slow client are dropped whole, counted, and reported before its next one.
  @Test func aSlowClientLosesWholeFrames() throws {
    let outbox = try outbox()
    let header = FrameHeader(
      samplePosition: 0, renderTime: 0, payload: 1 << 20, source: 1, flags: [])
    func put(_ index: Int, source: UInt32 = 1) -> Bool {
      var header = header
      header.samplePosition = Int64(index)
      header.source = source
      return outbox.put(header, samplesPerChannel: 100) { $0 += repeatElement(7, count: 1 << 20) }
    }
    // 4 MiB and the headers, so that the fourth fills it.
    #expect((0..<6).map { put($0) } == [true, true, true, false, false, false])
    #expect(!put(6, source: 2))
    #expect(outbox.lostFrames == 4)
    #expect(try taken(outbox).map(\.position) == [0, 1, 2])
    #expect(put(7))
    #expect(put(8, source: 2))
    #expect(put(9))
    let frames = try taken(outbox)
    #expect(
      frames.map { $0.flags == .line ? $0.line : "\($0.position)" } == [
        #"{"schema":1,"event":"lost","source":1,"frames":3,"samples":300}"# + "\n", "7",
        #"{"schema":1,"event":"lost","source":2,"frames":1,"samples":100}"# + "\n", "8", "9",
      ])
  }

  /// A single frame of any length fits.
  @Test func aFrameMayBeLongerThanWhatMayWait() throws {
    let outbox = try outbox()
    let count = FrameOutbox.most + 1
    let header = FrameHeader(
      samplePosition: 0, renderTime: 0, payload: count, source: 0, flags: [])
    func put() -> Bool {
      outbox.put(header, samplesPerChannel: 1) { $0 += repeatElement(0, count: count) }
    }
    #expect(put())
    #expect(!put())
    #expect(try taken(outbox).count == 1)
    #expect(put())
  }

  /// Lines are never dropped, so a client that leaves too many unread is disconnected.
  @Test func linesWithoutEndAreTooMany() throws {
    let outbox = try outbox()
    let header = FrameHeader(samplePosition: 0, renderTime: 0, payload: 0, source: 0, flags: [])
    let text = JSONValue.string(String(repeating: "x", count: 1 << 20))
    for _ in 0..<16 { outbox.put([("text", text)], about: header) }
    #expect(outbox.take() == nil)
    outbox.close()
    #expect(!outbox.put(header, samplesPerChannel: 1) { _ in })
  }
}
