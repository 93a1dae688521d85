// SPDX-License-Identifier: Apache-2.0
import TestSupport
import AudioTasks
import Testing

@Suite struct EventSequenceTests {
  /// A model of the main actor that lists the sources present.
  @MainActor private final class Room {
    private(set) var lines: [String] = []

    func follow(_ events: EventSequence, onEvent: (SessionEvent) throws -> Void) async throws {
      for await event in events {
        lines.append(EventSequenceTests.line(event))
        try onEvent(event)
      }
    }
  }

  private static func line(_ event: SessionEvent) -> String {
    switch event {
    case .joined(let participant): "joined \(participant.key)"
    case .left(let participant, let reason): "left \(participant.key)\(reason == nil ? "" : "!")"
    case .muted(let participant): "muted \(participant.key)"
    case .unmuted(let participant): "unmuted \(participant.key)"
    case .gap(let key, _): "gap \(key)"
    case .speech(let change): "speech \(change.begins)"
    }
  }

  private func openSession(_ control: SessionControl) -> Session {
    let session = Session(control: control)
    session.end = .onRequest
    return session
  }

  /// The actor acts on each event, and the session on each request: no event in between is missed.
  @MainActor @Test func anActorFollowsWhoIsThere() async throws {
    let control = SessionControl()
    let session = openSession(control)
    let live = session.live
    let (events, others) = (live.events, live.events)
    let running = Task { @concurrent in try await session.run() }
    try live.addShared(ToneSource(frequency: 440), id: "music")
    let room = Room()
    try await room.follow(events) { event in
      switch event {
      case .joined(let participant): try live.setMuted(true, of: participant.key)
      case .muted(let participant): try live.remove(participant.key)
      default: control.requestStop(.finish)
      }
    }
    _ = try await running.value
    #expect(room.lines == ["joined music", "muted music", "left music"])
    // Each sequence gets all events, even later.
    var seen: [String] = []
    for await event in others { seen.append(Self.line(event)) }
    #expect(seen == room.lines)
    for await _ in live.events { Issue.record("an event behind the end") }
  }

  @Test func cancellingTheTaskEndsOneSequence() async throws {
    let control = SessionControl()
    let session = openSession(control)
    let live = session.live
    let (events, others) = (live.events, live.events)
    let running = Task { @concurrent in try await session.run() }
    let (seen, seeing) = AsyncStream.makeStream(of: String.self)
    let following = Task {
      for await event in events { seeing.yield(Self.line(event)) }
      seeing.finish()
    }
    try live.addShared(ToneSource(frequency: 440), id: "music")
    var first: [String] = []
    for await line in seen {
      first.append(line)
      following.cancel()
    }
    try live.remove("music")
    var all: [String] = []
    for await event in others {
      all.append(Self.line(event))
      if case .left = event { control.requestStop(.finish) }
    }
    _ = try await running.value
    #expect(first == ["joined music"])
    #expect(all == ["joined music", "left music"])
  }

  @Test func aSessionThatNeverRunsEndsIt() async throws {
    var session: Session? = Session()
    let events = try #require(session?.live.events)
    session = nil
    for await _ in events { Issue.record("an event out of nowhere") }
  }
}
