// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioPrograms

/// Sources, observers and gains change while a session runs, in virtual time.
@Suite struct LiveSessionTests {
  private let anna = Noise.integers(48_000, seed: 1).map { $0 / 4 }
  private let ben = Noise.integers(60_000, seed: 2).map { $0 / 4 }

  @Test func nobodyIsSilenceForAsLongAsAsked() throws {
    let room = try LiveRoom()
    let report = try room.session.run()
    #expect(firstDifference(room.heard.samples, room.sum([])) == nil)
    #expect(report.outcome == .finished)
    #expect(report.sources.isEmpty)
  }

  @Test(arguments: [0, 0.2]) func sourcesComeAndGoExactly(heldBack: Double) throws {
    let room = try LiveRoom()
    let recorder = RecordingObserver<Double>(.beforeMixing)
    try room.session.register(recorder)
    if heldBack > 0 {
      let length = Int(heldBack * 48_000)
      try room.session.register(
        RecordingObserver<Double>(
          .beforeMixing, FrameParameters(mode: .readWrite, samplesPerCall: length)))
    }
    let (first, second) = (SourceID("anna"), SourceID("ben"))
    room.after(500) { try room.session.addRemote(try room.source(anna), id: first) }
    room.after(1_000) { try room.session.addRemote(try room.source(ben), id: second) }
    room.after(2_500) { try room.session.addRemote(try room.source(anna), id: first) }
    let report = try room.session.run()
    #expect(room.joined.map(\.id) == [first, second, first])
    #expect(room.left.map(\.id) == [first, second, first])
    let starts = room.joined.map(\.start)
    #expect(
      firstDifference(
        room.heard.samples,
        room.sum(zip(starts, [anna, ben, anna]).map { ($0.0, $0.1) })) == nil)
    // Delayed by the latency, the time held back, and a step of the session.
    for (start, milliseconds) in zip(starts, [500, 1_000, 2_500]) {
      let asked = Double(milliseconds) + 100 + heldBack * 1_000
      #expect((asked - 20...asked + 50).contains(Double(start) / 48))
    }
    #expect(report.sources.map(\.missingSamplesPerChannel) == [0, 0])
    #expect(report.sources.map(\.samplesPerChannel) == [96_000, 60_000])
    // The observer's frames have the positions of the sound.
    let begins = recorder.frames.filter { $0.source == first }.map(\.samplePosition)
    #expect(begins.first == starts[0] && begins.contains(starts[2]))
    #expect(recorder.samples(from: second) == ben)
  }

  /// A client that pauses for longer than its latency is late by it again, and the others stay as they are.
  @Test func aGapIsToldAndHoldsUpNobody() throws {
    let room = try LiveRoom()
    let (first, second) = (SourceID("anna"), SourceID("ben"))
    room.after(0) { try room.session.addRemote(try room.source(anna), id: first) }
    room.after(0) {
      try room.session.addRemote(try room.source(ben, pause: (24_000, 9_600)), id: second)
    }
    let report = try room.session.run()
    let missing = report.sources.map { Int($0.missingSamplesPerChannel) }
    #expect(missing[0] == 0 && (4_000...5_300).contains(missing[1]))
    let silence = Array(repeating: 0.0, count: missing[1])
    let starts = room.joined.map(\.start)
    let parts = [anna, Array(ben[..<24_000]) + silence + Array(ben[24_000...])]
    #expect(
      firstDifference(room.heard.samples, room.sum(zip(starts, parts).map { ($0.0, $0.1) })) == nil)
    #expect(room.gaps.map(\.samplesPerChannel) == [Int64(missing[1])])
    #expect(room.gaps.map(\.position) == [starts[1] + 24_000])
  }

  /// A failing source leaves with a report, at every kind of pace, and the others go on.
  @Test func whoFailsLeaves() throws {
    let room = try LiveRoom()
    room.after(100) { try room.session.live.addShared(try GivenSource(anna, encoding: .s24)) }
    room.after(300) {
      let broken = try GivenSource(ben, encoding: .s24, pieces: [480])
      broken.failingRead = (9_600, .diskFull)
      try room.session.addRemote(broken, id: "ben")
    }
    let report = try room.session.run()
    #expect(room.left.map(\.id) == ["ben", .shared])
    #expect(room.failures == [.diskFull])
    #expect(report.sources.map(\.samplesPerChannel) == [9_600, 48_000])
    let (shared, file) = (room.joined[0].start, room.joined[1].start)
    #expect(
      firstDifference(
        room.heard.samples, room.sum([(shared, anna), (file, Array(ben[..<9_600]))])) == nil)
  }

  /// An observer's frames of a file come in real time, so that an editor has its time.
  @Test func aFileIsShownAsTimeGoes() throws {
    let room = try LiveRoom()
    let voice = Noise.integers(300_000, seed: 6).map { $0 / 4 }
    try room.session.setLocal(try GivenSource(voice, encoding: .s24))
    var shown: [Int: Int] = [:]
    let recorder = RecordingObserver<Double>(
      [.record, .beforeMixing], FrameParameters(samplesPerCall: 480)
    ) { shown[room.time.now.nanoseconds, default: 0] += $0.count }
    room.after(100) {
      try room.session.addRemote(try GivenSource(ben, encoding: .s24), id: "ben")
    }
    room.after(500) { try room.session.register(recorder) }
    _ = try room.session.run()
    // Two files, in steps of 10 ms.
    #expect(shown.values.allSatisfy { $0 <= 2 * 2 * 480 })
    let begin = Int(try #require(recorder.frames.first { $0.source == .local }?.samplePosition))
    #expect((20_000...28_000).contains(begin))
    #expect(firstDifference(recorder.samples(from: .local), Array(voice[begin..<240_000])) == nil)
  }

  @Test func aFileIsReadAtTheSessionsPace() throws {
    let room = try LiveRoom()
    room.after(300) {
      try room.session.addRemote(try GivenSource(ben, encoding: .s24), id: SourceID("ben"))
    }
    _ = try room.session.run()
    let start = try #require(room.joined.first?.start)
    #expect((14_000...15_400).contains(start))
    #expect(firstDifference(room.heard.samples, room.sum([(start, ben)])) == nil)
  }

  @Test func whatIsRemovedLeavesAtOnce() throws {
    let room = try LiveRoom()
    let id = SourceID("anna")
    room.after(0) { try room.session.addRemote(try room.source(anna), id: id) }
    room.after(500) { try room.session.live.remove(SourceKey(id)) }
    _ = try room.session.run()
    let start = try #require(room.joined.first?.start)
    let given = try #require(room.left.first?.samplesPerChannel)
    #expect((19_000...26_000).contains(given))
    #expect(
      firstDifference(room.heard.samples, room.sum([(start, Array(anna[..<Int(given)]))])) == nil)
  }

  @Test func gainAndMuteChangeWithinTenMilliseconds() throws {
    let room = try LiveRoom()
    let id = SourceID("anna")
    room.after(0) { try room.session.addRemote(try room.source(anna), id: id) }
    room.after(300) { try room.session.live.setGain(0.5, of: SourceKey(id)) }
    room.after(600) { try room.session.live.setMuted(true, of: SourceKey(id)) }
    room.after(800) { try room.session.live.setMuted(false, of: SourceKey(id)) }
    _ = try room.session.run()
    let start = Int(try #require(room.joined.first?.start))
    // The factor of each sample; samples of 0 tell nothing.
    let factors = anna.indices.map { index in
      anna[index] == 0 ? nil : room.heard.samples[start + index] / anna[index]
    }.compactMap { $0 }
    var seen: [Double] = []
    for factor in factors where seen.last != factor && [1, 0.5, 0].contains(factor) {
      seen.append(factor)
    }
    #expect(seen == [1, 0.5, 0, 0.5])
    #expect(factors.count { ![1, 0.5, 0].contains($0) } <= 3 * 480)
    // No step is larger than a line over 10 ms makes it.
    let steepest = zip(factors, factors.dropFirst()).map { abs($0 - $1) }.max() ?? 1
    #expect(steepest < 1.1 * 0.5 / 480 * 2)
  }

  /// First muted in the sum, then everywhere: in frames and tracks silence stands in place of the source.
  @Test func muteEverywhereReachesObservers() throws {
    let room = try LiveRoom()
    let id = SourceID("anna")
    let seen = RecordingObserver<Double>(
      .beforeMixing, FrameParameters(mode: .readOnly, samplesPerCall: 480)
    ) { _ in }
    try room.session.register(seen)
    func mute(_ time: Int, _ isMuted: Bool, everywhere: Bool) {
      room.after(time) {
        try room.session.live.setMuted(isMuted, everywhere: everywhere, of: SourceKey(id))
      }
    }
    room.after(0) { try room.session.addRemote(try room.source(anna), id: id) }
    mute(300, true, everywhere: false)
    mute(600, true, everywhere: true)
    mute(700, true, everywhere: false)
    mute(800, false, everywhere: true)
    _ = try room.session.run()
    let frames = seen.samples(from: id)
    try #require(frames.count >= anna.count)
    let changed = anna.indices.filter { frames[$0] != anna[$0] }
    let (first, last) = (try #require(changed.first), try #require(changed.last))
    // 100 ms, at blocks of up to 20 ms.
    #expect((3_800...5_800).contains(last - first))
    #expect(frames[first...last].allSatisfy { $0 == 0 })
    #expect(room.muted.map(\.isMutedEverywhere) == [false, true, false])
    #expect(room.muted.map(\.isMuted) == [true, true, true])
  }

  @Test(arguments: [ObservationPosition.beforeMixing, .playback], [true, false])
  func anObserverSeesWhatComesNext(position: ObservationPosition, edits: Bool) throws {
    let room = try LiveRoom(seconds: 2)
    let id = SourceID("ben")
    let late = RecordingObserver<Double>(
      .init(position),
      FrameParameters(mode: edits ? .readWrite : .readOnly, samplesPerCall: 480)
    ) { samples in
      for index in samples.indices { samples[index] /= 2 }
    }
    room.after(0) { try room.session.addRemote(try room.source(ben), id: id) }
    room.after(700) { try room.session.register(late) }
    _ = try room.session.run()
    let start = Int(try #require(room.joined.first?.start))
    let begin = Int(try #require(late.frames.first?.samplePosition))
    #expect((30_000...40_000).contains(begin))
    var whole = room.sum([(Int64(start), ben)])[..<96_000]
    let seen = whole[begin...].prefix(late.samples().count)
    #expect(firstDifference(late.samples(), Array(seen)) == nil)
    let isContinuous = zip(late.frames, late.frames.dropFirst()).allSatisfy {
      $1.samplePosition == $0.samplePosition + 480
    }
    #expect(isContinuous)
    if edits { for index in begin..<whole.count { whole[index] /= 2 } }
    #expect(firstDifference(room.heard.samples, Array(whole)) == nil)
  }

  @Test func observersLeaveNothingBehind() throws {
    let room = try LiveRoom(seconds: 4)
    let id = SourceID("ben")
    room.after(0) { try room.session.addRemote(try room.source(ben), id: id) }
    var last: ObserverRegistration?
    for step in 0..<50 {
      room.after(300 + step * 20) {
        last?.unregister()
        last = try room.session.register(
          RecordingObserver<Double>(
            [.beforeMixing, .playback],
            FrameParameters(mode: step % 2 == 0 ? .readOnly : .readWrite, samplesPerCall: 480)))
      }
    }
    _ = try room.session.run()
    let start = try #require(room.joined.first?.start)
    let whole = Array(room.sum([(start, ben)])[..<192_000])
    #expect(firstDifference(room.heard.samples, whole) == nil)
  }

  @Test func anEmptySessionEnds() throws {
    let room = try LiveRoom(end: .whenEmpty, seconds: nil)
    room.after(200) { try room.session.addRemote(try room.source(anna), id: SourceID("anna")) }
    let report = try room.session.run()
    let start = Int(try #require(room.joined.first?.start))
    #expect(report.outcome == .finished)
    #expect((start + anna.count...start + anna.count + 2_000).contains(room.heard.samples.count))
  }

  @Test func whoCannotBeginIsToldAndMayTryAgain() throws {
    let room = try LiveRoom(seconds: 1)
    let id = SourceID("anna")
    room.after(0) {
      let broken = try GivenSource([0.5])
      broken.failures[.initialize] = .diskFull
      try room.session.addRemote(broken, id: id)
    }
    room.after(100) {
      try room.session.addRemote(try GivenSource([0.5]), id: id)
      #expect(throws: AudioError.self) {
        try room.session.addRemote(try GivenSource([0.5]), id: id)
      }
    }
    _ = try room.session.run()
    #expect(room.failures == [.diskFull])
    #expect(room.joined.map(\.id) == [id])
    #expect(throws: AudioError.self) { try room.session.addRemote(try GivenSource([0.5]), id: id) }
  }

  /// A session that ends with its sources accepts more of them while it runs.
  @Test func aFileJoinsAMixOfFiles() throws {
    let session = Session()
    let more = Noise.integers(30_000, seed: 4).map { $0 / 4 }
    let first = Noise.integers(100_000, seed: 3).map { $0 / 4 }
    try session.addRemote(try GivenSource(first, encoding: .s24))
    let sink = try session.collect(.playback, precision: .double)
    var start: Int64?
    session.onEvent = { if case .joined(let participant) = $0 { start = participant.start } }
    session.onProgress = { [unowned session] progress in
      guard progress.samplesPerChannel > 30_000, start == nil else { return }
      _ = try? session.addRemote(try GivenSource(more, encoding: .s24), id: SourceID("late"))
    }
    let report = try session.run()
    session.onProgress = nil
    session.onEvent = nil
    var expected = first
    let begin = Int(try #require(start))
    for index in more.indices { expected[begin + index] += more[index] }
    #expect(firstDifference(sink.samples, expected) == nil)
    #expect(Set(report.sources.map(\.samplesPerChannel)) == [100_000, 30_000])
  }

  /// A slow program delays nothing when its source leaves: the sound of the others goes on.
  @Test func aProgramThatTakesItsTimeHoldsUpNobody() throws {
    let room = try LiveRoom(seconds: 3)
    let (first, second) = (SourceID("anna"), SourceID("ben"))
    let flag = FileManager.default.temporaryDirectory.appending(
      path: "slow-end-\(UInt64.random(in: 0 ... .max))")
    defer { try? FileManager.default.removeItem(at: flag) }
    // It ends only after the other has left.
    let program = try ExternalProgram(
      .beforeMixing, "cat > /dev/null; until [ -e '\(flag.path)' ]; do sleep 0.01; done",
      parameters: FrameParameters(mode: .readOnly))
    try room.session.register(program, from: SourceKey(first))
    room.after(0) { try room.session.addRemote(try room.source(Array(anna[..<24_000])), id: first) }
    room.after(0) { try room.session.addRemote(try room.source(ben), id: second) }
    let tell = room.session.onEvent
    room.session.onEvent = { event in
      tell?(event)
      if case .left(let participant, _) = event, participant.id == second {
        _ = FileManager.default.createFile(atPath: flag.path, contents: nil)
      }
    }
    _ = try room.session.run()
    #expect(room.left.map(\.id) == [first, second])
    #expect(program.statistics[.beforeMixing]?.samplesIn == 24_000)
  }
}
