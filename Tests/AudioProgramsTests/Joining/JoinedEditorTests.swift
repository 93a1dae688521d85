// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Synchronization
import Testing

@testable import AudioStreams
@testable import AudioCore
@testable import AudioPrograms

/// A client that edits, between its outbox and its inbox; the test is the client.
@Suite struct JoinedEditorTests {
  /// A client that runs in the session's thread at each read of the source, so lateness is independent of time.
  final class Client: Sendable {
    let outbox: FrameOutbox
    let inbox = AnswerInbox()
    let counts = EditCounts()
    private let frames = Mutex<[ClientFrame]>([])

    init() throws { outbox = FrameOutbox(ClientMail(try ClientPoll())) }

    func editor(_ line: String) throws -> JoinedEditor {
      guard case .observe(let request) = try FirstLine(line.utf8) else { throw Unexpected() }
      return JoinedEditor(request, outbox, inbox, counts)
    }

    /// Takes the available frames.
    func receive() throws -> [ClientFrame] {
      let bytes = try #require(outbox.take())
      outbox.report(unsent: 0)
      let new = try ClientFrame.frames(bytes)
        .filter { $0.flags != .line && !$0.payload.isEmpty }
      frames.withLock { $0 += new }
      return new
    }

    func answer(_ bytes: [UInt8]) throws {
      try unsafe bytes.withUnsafeBytes { bytes throws in try unsafe inbox.put(bytes) }
    }

    var received: [ClientFrame] { frames.withLock { $0 } }
  }

  private func run(
    _ line: String, _ samples: [Double], client: Client, pieces: [Int] = [160],
    _ turn: @escaping () throws -> Void
  ) throws -> [Double] {
    let session = Session()
    let source = try GivenSource(samples, rate: 16_000, encoding: .s16, pieces: pieces)
    try session.addRemote(
      WrappedSource(source, changing: { $0.samplesPerChannel = nil }, beforeEachRead: turn),
      id: SourceID("anna"))
    try session.register(try client.editor(line))
    return try session.run(collecting: .playback).samples
  }

  /// Returns the places of the first few differences, or both lengths if they differ.
  private func differences(
    _ heard: some Collection<Double>, _ expected: some Collection<Double>
  ) -> [Int] {
    if heard.count != expected.count { return [heard.count, expected.count] }
    return Array(
      zip(heard, expected).enumerated().filter { $1.0 != $1.1 }.map(\.offset).prefix(5))
  }

  private static func negated(_ bytes: [UInt8]) -> [UInt8] {
    SourceFeedTests.bytes(
      stride(from: 0, to: bytes.count, by: 2).map { index in
        0 &- Int16(truncatingIfNeeded: Int(bytes[index]) | Int(bytes[index + 1]) << 8)
      })
  }

  private static let line =
    #"{"observe":"before-mixing","mode":"read-write","rate":16000,"channels":1,"#
    + #""samplesPerCall":320,"latency":100}"#

  /// Each answer replaces its frame, to the sample, at every cut of the answers.
  @Test(arguments: [1, 7, 640, 1_001]) func answersTakeTheirPlace(_ cut: Int) throws {
    let samples = Noise.integers(20_000).map { max($0, -0.875) }
    let client = try Client()
    let heard = try run(Self.line, samples, client: client) {
      for frame in try client.receive() {
        var answer = Self.negated(frame.payload)[...]
        while !answer.isEmpty {
          try client.answer(Array(answer.prefix(cut)))
          answer = answer.dropFirst(cut)
        }
      }
    }
    // The last frames have no answer: the source is not read after them.
    let answered = 20_000 - Int(client.counts.lateSamples)
    #expect(answered >= 19_000)
    #expect(differences(heard[..<answered], samples[..<answered].map { -$0 }) == [])
    #expect(differences(heard[answered...], samples[answered...]) == [])
    #expect(client.counts.discardedSamples == 0)
  }

  /// A frame without an answer in time goes on unedited, in its place; a later answer is dropped.
  @Test func lateAnswersAreDropped() throws {
    let samples = Noise.integers(16_000).map { max($0, -0.875) }
    let client = try Client()
    var held: [ClientFrame] = []
    let heard = try run(Self.line, samples, client: client) {
      held += try client.receive()
      // The third to the fifth frame are answered only after 20 others wait.
      while let frame = held.first {
        let isHeld = (640..<1_600).contains(frame.position) && held.count < 20
        if isHeld { break }
        try client.answer(Self.negated(frame.payload))
        held.removeFirst()
      }
    }
    let late = heard.indices.filter { heard[$0] != -samples[$0] && samples[$0] != 0 }
    #expect(late.first == 640)
    #expect(late.allSatisfy { heard[$0] == samples[$0] })
    #expect(heard.count == 16_000)
    #expect(client.counts.discardedSamples > 0)
    #expect(Int(client.counts.lateSamples) >= late.count)
  }

  @Test func aClientThatLeavesChangesNothingMore() throws {
    let samples = Noise.integers(10_000).map { max($0, -0.875) }
    let client = try Client()
    let heard = try run(Self.line, samples, client: client) {
      for frame in try client.receive() where frame.position < 3_200 {
        try client.answer(Self.negated(frame.payload))
      }
      if client.received.count > 10 {
        client.outbox.close()
        client.inbox.close()
      }
    }
    #expect(differences(heard[..<3_200], samples[..<3_200].map { -$0 }) == [])
    #expect(differences(heard[3_200...], samples[3_200...]) == [])
  }

  /// At another rate, unedited samples pass both conversions, and nothing moves.
  @Test func aClientAtAnotherRateMovesNothing() throws {
    let samples = (0..<16_000).map { Double(($0 % 40) < 20 ? 0.25 : -0.25) }
    let line =
      #"{"observe":"before-mixing","mode":"read-write","rate":8000,"channels":1,"encoding":"f32","#
      + #""samplesPerCall":80,"latency":50}"#
    let client = try Client()
    let session = Session()
    session.mixSampleRate = 8_000
    let source = try GivenSource(samples, rate: 16_000, pieces: [100])
    try session.addRemote(
      WrappedSource(source, changing: { $0.samplesPerChannel = nil }) {
        for frame in try client.receive() { try client.answer(frame.payload) }
      }, id: SourceID("anna"))
    try session.register(try client.editor(line))
    let plain = Session()
    plain.mixSampleRate = 8_000
    try plain.addRemote(try GivenSource(samples, rate: 16_000))
    let sinks = [CollectingSink(), CollectingSink()]
    for (session, sink) in zip([session, plain], sinks) {
      try session.setSink(sink, at: .playback)
      _ = try session.run()
    }
    #expect(differences(sinks[0].samples, sinks[1].samples) == [])
  }

  @Test func aClientMayNotGiveMoreThanItGot() throws {
    let inbox = AnswerInbox()
    let anna = StreamIdentity(position: .beforeMixing, source: SourceID("anna"))
    let ben = StreamIdentity(position: .beforeMixing, source: SourceID("ben"))
    func put(_ bytes: [UInt8]) throws {
      try unsafe bytes.withUnsafeBytes { bytes throws in try unsafe inbox.put(bytes) }
    }
    inbox.expect(3, for: anna)
    inbox.expect(2, for: ben)
    inbox.expect(1, for: anna)
    try put([1, 2])
    try put([3, 4])
    #expect(inbox.take(anna) == [1, 2, 3])
    try put([5, 6])
    #expect(inbox.take(ben) == [4, 5])
    #expect(inbox.take(anna) == [6])
    #expect(throws: AudioError.self) { try put([7]) }
    // The number of frames without an answer is limited.
    for _ in 0..<AnswerInbox.most { inbox.expect(1, for: anna) }
    #expect(!inbox.isOverrun)
    inbox.expect(1, for: anna)
    #expect(inbox.isOverrun)
    inbox.close()
    inbox.expect(1, for: anna)
    #expect(!inbox.isOpen)
  }
}
