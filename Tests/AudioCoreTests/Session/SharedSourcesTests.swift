// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Shared is a role, independent of the source's name.
@Suite struct SharedSourcesTests {
  private let music = Noise.integers(5_000, seed: 1).map { $0 / 8 }
  private let screen = Noise.integers(3_000, seed: 2).map { $0 / 8 }
  private let voice = Noise.integers(6_000, seed: 3).map { $0 / 8 }

  /// Keeps the sum of the shared sources.
  private final class Listener: SharedObserver {
    private(set) var samples: [Double] = []
    private(set) var streams: [ObservedStream] = []
    private(set) var ends = 0

    func begin(_ stream: ObservedStream) throws(AudioError) { streams.append(stream) }
    func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) { ends += 1 }

    func shared(_ frame: inout AudioFrame<Double>) {
      for index in frame.samples.indices { samples.append(frame.samples[index]) }
    }
  }

  private func session(_ sink: CollectingSink) throws -> Session {
    let session = Session()
    try session.addRemote(try GivenSource(voice, pieces: [700]))
    try session.addShared(
      try GivenSource(music, pieces: [33, 500]), id: "music", entry: MixEntry(gain: 0.5))
    try session.addShared(
      try GivenSource(screen), id: "screen", group: "room",
      entry: MixEntry(offset: .samples(1_000)))
    try session.setSink(sink, at: .playback)
    return session
  }

  /// The observed sum equals the part of the shared sources in playback; playback is unchanged by the observer.
  @Test func theSumIsWhatTheyAddToPlayback() throws {
    let plain = CollectingSink(precision: .double)
    _ = try session(plain).run()
    let sink = CollectingSink(precision: .double)
    let session = try session(sink)
    let listener = Listener()
    let registration = try session.register(listener)
    _ = try session.run()
    var expected = [Double](repeating: 0, count: 6_000)
    for index in music.indices { expected[index] += music[index] / 2 }
    for index in screen.indices { expected[1_000 + index] += screen[index] }
    #expect(listener.samples == expected)
    #expect(listener.streams.map(\.position) == [.shared])
    #expect(listener.streams.map(\.isShared) == [true])
    #expect(listener.streams.map(\.name) == ["shared"])
    #expect(listener.ends == 1)
    #expect(registration.statistics[.shared]?.samplesPerChannel == 6_000)
    #expect(sink.samples == plain.samples)
    #expect(sink.samples == expected.indices.map { expected[$0] + voice[$0] })
  }

  @Test func theRoleIsToldBeforeMixing() throws {
    let session = try session(CollectingSink())
    final class Roles: BeforeMixingObserver {
      var roles: [SourceKey: Bool] = [:]
      func begin(_ stream: ObservedStream) throws(AudioError) {
        if let key = stream.key { roles[key] = stream.isShared }
      }
      func beforeMixing(_ frame: inout AudioFrame<Float>, from source: SourceKey) -> Bool { true }
    }
    let observer = Roles()
    try session.register(observer)
    var summary: [SourceKey: Bool] = [:]
    session.onStart = { started in
      for source in started.sources { summary[source.key] = source.isShared }
    }
    _ = try session.run()
    session.onStart = nil
    let expected: [SourceKey: Bool] = ["1": false, "music": true, "room/screen": true]
    #expect(observer.roles == expected)
    #expect(summary == expected)
  }

  /// The sum leads nowhere, so there is nothing to edit.
  @Test func anEditIsAnError() throws {
    let session = try session(CollectingSink())
    let registration = try session.observe(at: .shared, as: .readWrite) { _ in }
    let error = #expect(throws: AudioError.self) { try session.run() }
    #expect(
      error?.description == "cannot edit 'shared': that stream goes nowhere else; "
        + "edit the shared sources before mixing, or ask for the mode read-only")
    #expect(registration.rejection == error)
  }

  /// A source that joins as shared is in the sum, and its event says so.
  @Test func theSumFollowsThoseWhoJoin() throws {
    let time = VirtualTime()
    let session = Session()
    session.time = time
    session.end = .onRequest
    session.mixSampleRate = 48_000
    session.mixChannelCount = 1
    session.duration = .time(.seconds(1))
    _ = try session.collect(.playback, precision: .double)
    let listener = Listener()
    try session.register(listener)
    var joined: [Participant] = []
    session.onEvent = { if case .joined(let participant) = $0 { joined.append(participant) } }
    var hasJoined = false
    let (music, voice) = (music, voice)
    time.onWait = { [unowned session] in
      if hasJoined { return }
      hasJoined = true
      do {
        try session.addShared(try VirtualLiveSource(music, time), id: "film")
        try session.addRemote(try VirtualLiveSource(voice, time), id: "anna")
      } catch {
        Issue.record(error)
      }
    }
    _ = try session.run()
    time.onWait = {}
    session.onEvent = nil
    #expect(Set(joined.map(\.key)) == ["film", "anna"])
    for participant in joined { #expect(participant.isShared == (participant.id == "film")) }
    let start = Int(try #require(joined.first { $0.isShared }?.start))
    var expected = [Double](repeating: 0, count: 48_000)
    expected.add(music, at: start)
    #expect(firstDifference(listener.samples, expected) == nil)
  }
}
