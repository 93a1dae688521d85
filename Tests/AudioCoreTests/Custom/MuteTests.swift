// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Mutes and unmutes a program's microphone in virtual time.
@Suite struct MuteTests {
  private static let rate = 48_000

  /// Records its calls.
  private final class Program {
    private(set) var calls: [String] = []
    private(set) var sender: PushSender?
    var mayStart = true

    /// The source that calls this program, behind a wrapping source.
    func source() throws -> any AudioSource {
      Wrapped(
        PushSource(
          format: try StreamFormat(sampleRate: rate, channelCount: 1),
          options: .init(name: "microphone"),
          initialize: { [unowned self] sender in
            calls.append("initialize")
            self.sender = sender
            return true
          },
          start: { [unowned self] in
            calls.append("start")
            if !mayStart {
              throw AudioError(.unavailable, cannot: "start", "it", because: "no more")
            }
          },
          stop: { [unowned self] in calls.append("stop") },
          dispose: { [unowned self] in calls.append("dispose") }))
    }
  }

  private final class Wrapped: WrappingSource {
    let source: any AudioSource
    init(_ source: any AudioSource) { self.source = source }
  }

  /// A program that sends pieces of 10 ms from 200 ms to 1,700 ms, muted from 700 ms to 1,200 ms.
  private final class Meeting {
    let session = Session()
    let time = VirtualTime()
    let sink = CollectingSink()
    let program: Program
    private(set) var events: [String] = []
    private(set) var gaps = 0
    private(set) var left: Participant?
    private(set) var refusals: Set<String> = []
    private(set) var refusedPieces = 0
    private var plans: [(milliseconds: Int, action: () throws -> Void)] = []
    private var begin: MonotonicTime?

    /// - Parameter isLocal: `true` = the local source of a session without a sum; `false` = joins an open session.
    init(isLocal: Bool) throws {
      let program = Program()
      self.program = program
      let source = try program.source()
      session.time = time
      let key: SourceKey = isLocal ? .local : "room/anna"
      if isLocal {
        try session.setLocal(source)
        try session.setSink(sink, at: .publish)
      } else {
        session.end = .whenEmpty
        session.mixSampleRate = rate
        session.mixChannelCount = 1
        try session.setSink(sink, at: .playback)
        plan(0) { [session] in
          try session.addRemote(source, id: key.id, group: key.group)
        }
      }
      for index in 0..<150 { plan(200 + 10 * index) { [unowned self] in send() } }
      plan(700) { [session] in try session.live.setMuted(true, of: key) }
      plan(1_200) { [session] in try session.live.setMuted(false, of: key) }
      plan(1_700) { program.sender?.finish() }
      session.onEvent = { [unowned self] event in
        switch event {
        case .muted(let source): events.append("\(source.key) muted \(source.isMuted)")
        case .unmuted(let source): events.append("\(source.key) unmuted \(source.isMuted)")
        case .gap: gaps += 1
        case .left(let source, _): left = source
        case .joined, .speech: break
        }
      }
      time.onWait = { [unowned self] in
        begin = begin ?? time.now
        let passed = time.now.elapsed(since: begin ?? time.now)
        while let next = plans.first, passed >= .milliseconds(next.milliseconds) {
          plans.removeFirst()
          do { try next.action() } catch { Issue.record(error) }
        }
      }
    }

    deinit {
      time.onWait = {}
      session.onEvent = nil
    }

    private func plan(_ milliseconds: Int, _ action: @escaping () throws -> Void) {
      let place = plans.firstIndex { $0.milliseconds > milliseconds } ?? plans.count
      plans.insert((milliseconds, action), at: place)
    }

    private func send() {
      do {
        _ = try program.sender?.send([Float](repeating: 0.5, count: rate / 100))
      } catch {
        refusals.insert(error.description)
        refusedPieces += 1
      }
    }
  }

  @Test(arguments: [false, true]) func itIsStoppedAndStartedAgain(isLocal: Bool) throws {
    let meeting = try Meeting(isLocal: isLocal)
    let report = try meeting.session.run()
    #expect(
      meeting.program.calls == ["initialize", "start", "stop", "start", "stop", "dispose"])
    let name = isLocal ? "local" : "room/anna"
    #expect(meeting.events == ["\(name) muted true", "\(name) unmuted false"])
    #expect(meeting.refusals == ["cannot send to 'microphone': it is muted"])
    let statistics = try #require(meeting.program.sender?.statistics)
    // The session sees both changes between two of its steps.
    #expect((48...52).contains(meeting.refusedPieces))
    #expect(statistics.mutedSamplesPerChannel == Int64(meeting.refusedPieces * Self.rate / 100))
    #expect(
      statistics.takenSamplesPerChannel == Int64((150 - meeting.refusedPieces) * Self.rate / 100))
    let source = try #require(report.sources.first)
    #expect(source.samplesPerChannel == statistics.takenSamplesPerChannel)
    // Muted samples are not missing samples.
    #expect(source.missingSamplesPerChannel == 0)
    #expect(meeting.gaps == 0)
  }

  /// Samples after the mute keep their time: 1 s after the samples sent 1 s before them.
  @Test(arguments: [false, true]) func silenceStandsWhereItWasMuted(isLocal: Bool) throws {
    let meeting = try Meeting(isLocal: isLocal)
    _ = try meeting.session.run()
    let samples = meeting.sink.samples
    let first = try #require(samples.firstIndex { $0 != 0 })
    let last = try #require(samples.lastIndex { $0 != 0 })
    let silent = (first...last).filter { samples[$0] == 0 }
    let begin = try #require(silent.first)
    let end = try #require(silent.last) + 1
    #expect(silent.count == end - begin)
    // If it joined, 0.1 s of it is not played yet at the mute.
    let cut = isLocal ? 0 : Self.rate / 10
    #expect((-cut - Self.rate / 50...Self.rate / 50).contains(begin - first - Self.rate / 2))
    #expect(abs(end - first - Self.rate) <= Self.rate / 25)
    #expect(abs(last - first - Self.rate * 3 / 2) <= Self.rate / 25)
  }

  /// A microphone that cannot restart leaves, and the other sources stay.
  @Test func whatCannotStartAgainLeaves() throws {
    let meeting = try Meeting(isLocal: false)
    var reason: AudioError?
    let tell = meeting.session.onEvent
    meeting.session.onEvent = { event in
      tell?(event)
      if case .muted = event { meeting.program.mayStart = false }
      if case .left(_, let error) = event { reason = error }
    }
    _ = try meeting.session.run()
    meeting.session.onEvent = nil
    #expect(reason?.description == "cannot start 'it': no more")
    #expect(meeting.program.calls.last == "dispose")
    #expect(meeting.program.calls.filter { $0 == "dispose" }.count == 1)
  }

  /// A source without mute support goes on unheard, and both changes are events.
  @Test func aSourceThatIsNotToldGoesOn() throws {
    let session = Session()
    try session.addRemote(try GivenSource(Array(repeating: 0.5, count: 96_000), pieces: [1_000]))
    let sink = try session.collect(.playback)
    var events: [String] = []
    session.onEvent = { event in
      if case .muted(let source) = event { events.append("muted \(source.id)") }
      if case .unmuted(let source) = event { events.append("unmuted \(source.id)") }
    }
    session.onProgress = { [unowned session] progress in
      try? session.live.setMuted(progress.samplesPerChannel < 48_000, of: "1")
    }
    let report = try session.run()
    session.onProgress = nil
    session.onEvent = nil
    #expect(events == ["muted 1", "unmuted 1"])
    #expect(sink.samples.count == 96_000)
    #expect(sink.samples.contains(0) && sink.samples.last == 0.5)
    #expect(report.sources.first?.samplesPerChannel == 96_000)
  }
}
