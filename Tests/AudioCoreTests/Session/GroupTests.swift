// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// A key is an id and a group: two groups may each have an anna.
@Suite struct GroupTests {
  @Test func keysAreTexts() throws {
    #expect(SourceKey("anna") == SourceKey("anna", in: nil))
    #expect(SourceKey("hall/anna") == SourceKey("anna", in: "hall"))
    let key: SourceKey = "hall/anna"
    #expect(key.description == "hall/anna")
    #expect(key.fileName == "hall-anna")
    #expect(SourceKey("hall-anna").fileName == key.fileName)
    #expect(key != "anna")
    #expect(SourceKey(ordinal: 3) == "3")
    for text in ["", "/anna", "hall/", "a/b/c", "hall/an na"] {
      let error = #expect(throws: AudioError.self, "\(text)") { try SourceKey(text) }
      #expect(error?.kind == .invalidParameter)
    }
  }

  private func session() throws -> Session {
    let session = Session()
    try session.addRemote(try GivenSource([0.5, 0.5]), id: "anna")
    try session.addRemote(try GivenSource([0.25, 0.25]), id: "anna", group: "hall")
    try session.addRemote(try GivenSource([0.125, 0.125]), id: "anna", group: "room")
    return session
  }

  @Test func eachIsASourceOfItsOwn() throws {
    let session = try session()
    let observer = RecordingObserver<Double>(.beforeMixing)
    try session.register(observer, from: "hall/anna")
    let sink = try session.collect(.playback)
    let report = try session.run()
    #expect(report.sources.map(\.key) == ["anna", "hall/anna", "room/anna"])
    #expect(observer.frames.map(\.key) == ["hall/anna"])
    #expect(observer.samples() == [0.25, 0.25])
    #expect(sink.samples == [0.875, 0.875])
  }

  /// An observer that only looks at the argument tells three annas apart.
  @Test func beforeMixingNamesTheGroup() throws {
    final class Counter: BeforeMixingObserver {
      var samples: [SourceKey: Int] = [:]
      func beforeMixing(_ frame: inout AudioFrame<Float>, from source: SourceKey) -> Bool {
        samples[source, default: 0] += frame.samples.count
        return false
      }
    }
    let session = try session(), counter = Counter()
    try session.register(counter)
    #expect(try session.run().outcome == .finished)
    #expect(session.report?.sources.count == 3)
    #expect(counter.samples == ["anna": 2, "hall/anna": 2, "room/anna": 2])
  }

  @Test(arguments: [nil, "hall"]) func anIdIsTakenInItsGroup(group: String?) throws {
    let session = try session()
    let error = #expect(throws: AudioError.self) {
      try session.addShared(
        try GivenSource([0]), id: "anna", group: try group.map { try SourceID($0) })
    }
    let name = group.map { "\($0)/anna" } ?? "anna"
    #expect(
      error?.description
        == "cannot add source '\(name)': the id is taken; give it another id")
  }

  /// An id in use is not assigned again.
  @Test func numbersPassByThoseThatAreTaken() throws {
    let session = Session()
    try session.addRemote(try GivenSource([0]), id: "2")
    try session.addRemote(try GivenSource([0]), id: "3", group: "room")
    for _ in 0..<2 { try session.addRemote(try GivenSource([0])) }
    try session.setSink(NullSink(), at: .playback)
    #expect(try session.run().sources.map(\.key) == ["2", "room/3", "3", "4"])
  }

  /// Gains, mutes and removals reach the right source.
  @Test func aRunningSessionKnowsThemApart() throws {
    let session = Session()
    let length = 200_000
    for group in ["hall", "room"] as [SourceID] {
      try session.addRemote(
        try GivenSource(Array(repeating: 0.25, count: length), pieces: [1_000]), id: "anna",
        group: group)
    }
    let sink = try session.collect(.playback)
    var hasMuted = false
    session.onProgress = { [unowned session] progress in
      guard !hasMuted, progress.samplesPerChannel >= 50_000 else { return }
      hasMuted = true
      do {
        try session.live.setMuted(true, of: "hall/anna")
        #expect(throws: AudioError.self) { try session.live.setMuted(true, of: "anna") }
        #expect(throws: AudioError.self) { try session.live.remove("anna") }
      } catch {
        Issue.record(error)
      }
    }
    _ = try session.run()
    session.onProgress = nil
    #expect(sink.samples.first == 0.5)
    #expect(sink.samples.last == 0.25)
    #expect(sink.samples.count == length)
  }
}
