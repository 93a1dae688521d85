// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import AudioCore

/// A source that waits for others joins a session that runs, in virtual time.
@Suite struct OpeningTests {
  private static let rate = 48_000

  /// The state that a test and a source share.
  private final class Account: Sendable {
    struct State {
      var isOpening = true
      var hasBegun = false
      var failure: AudioError?
      var calls: [String] = []
    }
    let state = Mutex(State())

    func note(_ call: String) { state.withLock { $0.calls.append(call) } }
  }

  private final class SlowSource: WrappingSource, OpeningSource {
    let source: any AudioSource
    private let account: Account

    init(_ account: Account) throws {
      self.account = account
      source = try GivenSource([Double](repeating: 0.5, count: rate), rate: rate)
    }

    func beginOpening(_ wakeup: Wakeup) { account.state.withLock { $0.hasBegun = true } }
    var isOpening: Bool { account.state.withLock { $0.isOpening } }

    func initialize(
      proposing proposal: StreamFormat?, wakeup: Wakeup
    ) throws(AudioError) -> SourceDescription {
      account.note("initialize")
      if let failure = account.state.withLock({ $0.failure }) { throw failure }
      return try source.initialize(proposing: proposal, wakeup: wakeup)
    }

    func start() throws(AudioError) {
      account.note("start")
      try source.start()
    }

    func stop() { account.note("stop") }
    func dispose() { account.note("dispose") }
  }

  private final class Wrapper: WrappingSource {
    let source: any AudioSource
    init(_ source: any AudioSource) { self.source = source }
  }

  /// A wrapper is looked through.
  private static func source(_ account: Account) throws -> any AudioSource {
    Wrapper(try SlowSource(account))
  }

  /// Runs a session of a second; the source opens for so long.
  private func run(
    opening milliseconds: Int, failure: AudioError? = nil,
    _ act: @escaping (Session) throws -> Void = { _ in }
  ) throws -> (samples: [Double], calls: [String], events: [String]) {
    let (session, time, sink) = (Session(), VirtualTime(), CollectingSink(precision: .double))
    session.time = time
    session.end = .onRequest
    session.duration = .time(.seconds(1))
    session.mixSampleRate = Self.rate
    session.mixChannelCount = 1
    try session.setSink(sink, at: .playback)
    var events: [String] = []
    session.onEvent = { event in
      switch event {
      case .joined: events.append("joined")
      case .left(_, let reason): events.append("left \(reason?.reason ?? "")")
      default: break
      }
    }
    let account = Account()
    account.state.withLock { $0.failure = failure }
    let end = time.now.nanoseconds + milliseconds * 1_000_000
    var (isAdded, hasActed) = (false, false)
    time.onWait = {
      do {
        guard isAdded else {
          isAdded = true
          return try session.live.addRemote(try Self.source(account), id: "anna")
        }
        let state = account.state.withLock { $0 }
        if time.now.nanoseconds >= end { account.state.withLock { $0.isOpening = false } }
        guard state.hasBegun, !hasActed else { return }
        #expect(state.calls.isEmpty)
        hasActed = true
        try act(session)
      } catch {
        Issue.record(error)
      }
    }
    _ = try session.run()
    time.onWait = {}
    session.onEvent = nil
    #expect(hasActed)
    return (sink.samples, account.state.withLock { $0.calls }, events)
  }

  /// The session goes on meanwhile, and requests of that time are kept.
  @Test func itJoinsWhenItIsOpen() throws {
    let (samples, calls, events) = try run(opening: 300) { session in
      try session.live.setGain(0.25, of: "anna")
    }
    #expect(samples.count == Self.rate)
    let silent = samples.prefix { $0 == 0 }.count
    #expect(silent >= 300 * Self.rate / 1_000 && silent < Self.rate / 2)
    #expect(samples.last == 0.125)
    #expect(calls == ["initialize", "start", "stop", "dispose"] && events.first == "joined")
  }

  @Test func itIsRemovedMeanwhile() throws {
    let (samples, calls, events) = try run(opening: 300) { session in
      try session.live.remove("anna")
    }
    #expect(samples.allSatisfy { $0 == 0 } && calls == ["dispose"] && events == ["left "])
  }

  @Test func itsErrorIsTold() throws {
    let failure = AudioError(.unavailable, cannot: "connect to", "x", because: "it does not answer")
    let (samples, calls, events) = try run(opening: 300, failure: failure)
    #expect(samples.count == Self.rate && calls == ["initialize", "dispose"])
    #expect(events == ["left it does not answer"])
  }

  @Test func theSessionEndsMeanwhile() throws {
    let (samples, calls, _) = try run(opening: 100_000) { session in
      session.control.requestStop(.finish)
    }
    #expect(samples.count <= Self.rate && calls == ["dispose"])
  }
}
