// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams
@testable import AudioPrograms

/// A client that observes and reads too slowly: its waiting bytes, and its frames after a loss.
@Suite struct SlowReaderTests {
  private func request(_ line: String) throws -> ObserveRequest {
    guard case .observe(let request) = try FirstLine(line.utf8) else { throw Unexpected() }
    return request
  }

  /// The bytes that may still wait for a client that does not read; few, so that the test is short.
  private static let room = 1 << 16

  /// Returns the frames of a client that reads if `reads` returns true, asked before each read of the source and at the
  /// end; and the most bytes waiting for it.
  private func frames(
    _ line: String, of samples: [Double], rate: Int, channels: Int, reads: @escaping (Int) -> Bool
  ) throws -> (frames: [ClientFrame], mostWaiting: Int) {
    let outbox = FrameOutbox(ClientMail(try ClientPoll()))
    let session = Session()
    var (turn, most, bytes) = (0, 0, [UInt8]())
    func read() throws {
      bytes += try #require(outbox.take())
      outbox.report(unsent: 0)
    }
    let source = try GivenSource(
      samples, rate: rate, channels: channels, isLive: true, pieces: [rate / 100, 1, 177])
    try session.setLocal(
      WrappedSource(
        source,
        beforeEachRead: {
          most = max(most, outbox.waiting)
          turn += 1
          if reads(turn) {
            try read()
          } else {
            outbox.report(unsent: FrameOutbox.most - Self.room)
          }
        }))
    try session.setSink(NullSink(), at: .publish)
    try session.register(JoinedObserver(try request(line), outbox))
    _ = try session.run()
    most = max(most, outbox.waiting)
    try read()
    return (try ClientFrame.frames(bytes), most)
  }

  /// Frames after a loss equal those of a client that reads everything, at every ratio; losses are reported exactly.
  @Test(arguments: [
    (48_000, 48_000, 2), (16_000, 192_000, 1), (44_100, 48_000, 2), (48_000, 44_100, 2),
    (96_000, 32_000, 3), (8_000, 11_025, 4), (50_000, 47_999, 2),
  ])
  func framesAfterALoss(_ from: Int, _ to: Int, _ channels: Int) throws {
    let length = 8 * from / 10
    let samples = Noise.integers(length * channels)
    let perCall = (to / 50 + 3) * channels
    let line =
      #"{"observe":"record","rate":\#(to),"channels":\#(channels),"#
      + #""samplesPerCall":\#(perCall),"encoding":"f64"}"#
    let (whole, _) = try frames(line, of: samples, rate: from, channels: channels) { _ in true }
    // It reads for a while, then pauses for long, and repeats.
    let (seen, most) = try frames(line, of: samples, rate: from, channels: channels) { turn in
      turn / 20 % 3 == 0
    }
    #expect(most <= FrameOutbox.most + 1_000)
    #expect(whole.allSatisfy { $0.flags != .line || $0.line.contains("\"stream\"") })

    let own = Dictionary(uniqueKeysWithValues: whole.dropFirst().map { ($0.position, $0) })
    let total = ResamplingRatio(from: from, to: to).outputLength(of: Int64(length))
    var (next, lost, losses, last) = (Int64(0), Int64(0), 0, false)
    for frame in seen.dropFirst() {
      if frame.flags == .line {
        let parts = frame.line.split { !$0.isNumber }.compactMap { Int64($0) }
        // The fields: schema, source, frames, samples.
        try #require(parts.count == 4 && frame.line.contains("\"lost\""))
        let perFrame = Int64(perCall / channels)
        #expect(parts[2] == (parts[3] + perFrame - 1) / perFrame)
        lost = parts[3]
        losses += 1
        continue
      }
      #expect(frame.position == next + lost)
      let expected = try #require(own[frame.position])
      #expect(frame.payload == expected.payload)
      next = frame.position + Int64(frame.payload.count / 8 / channels)
      lost = 0
      last = frame.flags == .last
    }
    #expect(last)
    #expect(next == total)
    #expect(losses > 0)
  }

  /// If it reads nothing, all frames after the waiting ones are reported as lost at the end.
  @Test func aClientThatReadsNothing() throws {
    let samples = Noise.integers(24_000 * 2)
    let line =
      #"{"observe":"record","rate":96000,"channels":2,"samplesPerCall":1920,"encoding":"f64"}"#
    let (frames, most) = try frames(line, of: samples, rate: 48_000, channels: 2) { $0 == 1 }
    #expect(most <= FrameOutbox.most)
    let sent = frames.filter { !$0.payload.isEmpty && $0.flags != .line }
    #expect(sent.count == Self.room / (1_920 * 8))
    let lost = 50 - sent.count
    #expect(
      frames.suffix(2).map { $0.flags == .line ? $0.line : "\($0.position)" } == [
        #"{"schema":1,"event":"lost","source":1,"frames":\#(lost),"samples":\#(lost * 960)}"#
          + "\n",
        "48000",
      ])
    #expect(frames.last?.flags == .last)
  }

  /// A stream beyond the client's limit is reported and never sent; the granted streams go on.
  @Test func aStreamThatIsTooMuch() throws {
    let allowance = SampleAllowance(most: 48_000, advice: "ask for less")
    let request = try request(#"{"observe":"before-mixing","channels":2}"#)
    let outbox = FrameOutbox(ClientMail(try ClientPoll()))
    let share = try allowance.share(
      try StreamFormat(sampleRate: 8_000, channelCount: 2), to: "observe", "before-mixing")
    let session = Session()
    for (id, rate) in [("anna", 8_000), ("big", 48_000)] {
      try session.addRemote(
        try GivenSource([0.5, -0.5], rate: rate, encoding: .s16), id: SourceID(id))
    }
    try session.register(JoinedObserver(request, outbox, share))
    try session.setSink(NullSink(), at: .playback)
    _ = try session.run()
    let frames = try ClientFrame.frames(try #require(outbox.take()))
    let big = frames.filter { $0.source == 2 }
    #expect(
      big.map(\.line) == [
        #"{"schema":1,"event":"refused","source":2,"position":"before-mixing","id":"big","error":"cannot observe 'big': 48000 Hz, 2 channels are 96000 samples a second, and 48000 is the most for a client; ask for less"}"#
          + "\n"
      ])
    #expect(frames.filter { $0.source == 1 && $0.flags != .line }.flatMap(\.payload).count == 8)
  }
}
