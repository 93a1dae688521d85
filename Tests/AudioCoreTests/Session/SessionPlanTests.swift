// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioCore

/// The table of the flow, and the plans made from it.
@Suite struct SessionPlanTests {
  @Test func whatLeadsIntoASumComesBeforeIt() throws {
    for (index, line) in RoutingRow.all.enumerated() {
      guard let sum = line.sum else { continue }
      let later = try #require(RoutingRow.all.firstIndex { $0.position == sum })
      #expect(later > index)
    }
  }

  @Test func everyPositionAndEverySinkPlaceStandsThereOnce() {
    for position in ObservationPosition.allCases {
      #expect(RoutingRow.all.count { $0.position == position } == 1)
    }
    for place in [SinkPlace.publish, .playback, .mixed] {
      #expect(RoutingRow.all.count { $0.sinks.contains(place) } == 1)
    }
  }

  /// The input of a session's plan: a source or sink with a name is paced by the device of that name.
  private struct Cast {
    var local: String?
    var incoming: [String?] = []
    var sinks: [SinkPlace: String?] = [:]
  }

  private func plan(_ cast: Cast) throws -> SessionPlan {
    let session = Session()
    func life(_ source: SourceEntry) throws -> SourceLife {
      try SourceLife(source, proposing: nil, wakeup: session.control.wakeup)
    }
    func entry(_ clock: String?, _ key: SourceKey) throws -> SourceEntry {
      SourceEntry(source: PacedSource(clock), key: key, mixing: MixEntry())
    }
    let local = try cast.local.map { try life(try entry($0, .local)) }
    let incoming = try cast.incoming.enumerated().map { index, clock in
      try life(try entry(clock, SourceKey(ordinal: index + 1)))
    }
    let sinks = [SinkPlace.publish, .playback, .mixed].compactMap { place in
      cast.sinks[place].map { SinkLife(place, PacedSink($0)) }
    }
    let planner = SessionPlanner(
      session: session, local: local, incoming: incoming, sinks: sinks, observers: [])
    return try planner.plan()
  }

  /// Returns `SINK` for a sum that feeds that sink's device, `beside SINK` for a sum beside it, an id for a sum paced
  /// by a captured device.
  private func clocks(_ plan: SessionPlan, of sum: ObservationPosition) -> [String]? {
    plan.sums.first { $0.position == sum }?.clocks.map { clock in
      switch clock {
      case .feeding(let place): place.description
      case .beside(let place, _): "beside \(place.description)"
      case .capturing(let id): id.description
      }
    }
  }

  private func followings(_ plan: SessionPlan) -> [String] {
    plan.followings.map { "\($0.source.entry.key) \($0.sink.place.description)" }
  }

  @Test func aMixGoesFromItsSourcesToItsSink() throws {
    let plan = try plan(Cast(incoming: [nil, nil], sinks: [.playback: nil]))
    #expect(plan.routes.map(\.observation.position) == [.beforeMixing, .beforeMixing, .playback])
    #expect(plan.routes.map(\.takers.count) == [1, 1, 1])
    #expect(plan.sums.map(\.position) == [.playback])
    #expect(clocks(plan, of: .playback) == [])
    #expect(!plan.isLive && followings(plan).isEmpty)
  }

  @Test func aRecordingAloneIsNotSummed() throws {
    let plan = try plan(Cast(local: "card", sinks: [.publish: nil]))
    #expect(plan.routes.map(\.observation.position) == [.record])
    #expect(plan.sums.isEmpty && plan.sumFormat == nil)
    #expect(plan.isRecording)
  }

  /// Playback's sum feeds the playing device. The mixed sum lies beside it, with a device of its own, and needs no
  /// correction: its sink is a file.
  @Test func aMeetingGoesByTheDeviceThatPlays() throws {
    let plan = try plan(
      Cast(local: "mic", incoming: [nil], sinks: [.playback: "speaker", .mixed: nil]))
    #expect(
      plan.routes.map(\.observation.position) == [.record, .beforeMixing, .playback, .mixed])
    #expect(clocks(plan, of: .playback) == ["playback", "local"])
    #expect(clocks(plan, of: .mixed) == ["beside playback", "local"])
    #expect(followings(plan).isEmpty)
  }

  /// Without a device at the local end, the mixed sum waits only for its inputs.
  @Test func aMixedSumOfFilesFeedsWhatPlays() throws {
    let plan = try plan(
      Cast(incoming: ["line"], sinks: [.playback: "speaker", .mixed: nil]))
    #expect(clocks(plan, of: .mixed) == ["playback", "1"])
    #expect(followings(plan) == ["1 playback"])
  }

  /// A sum without a playing device follows the mixed sum behind it.
  @Test func whatIsPlayedFurtherOnIsFollowedToo() throws {
    let plan = try plan(
      Cast(local: "mic", incoming: ["line", "speaker"], sinks: [.mixed: "speaker"]))
    #expect(followings(plan) == ["local mixed", "1 mixed"])
    #expect(clocks(plan, of: .playback) == ["mixed", "local", "1", "2"])
    #expect(clocks(plan, of: .mixed) == ["mixed", "local", "1", "2"])
  }

  /// A published stream does not pace a sum.
  @Test func aPublishedDeviceIsFollowedAndNoClockOfASum() throws {
    let plan = try plan(
      Cast(local: "mic", incoming: [nil], sinks: [.publish: "line", .playback: nil]))
    #expect(followings(plan) == ["local publish"])
    #expect(clocks(plan, of: .playback) == ["local"])
  }
}

private func pace(_ clock: String?) -> Pace {
  let timing = ClockTiming(sampleRate: 48_000, periodSize: 480, bufferSize: 4_800)
  return clock.map { .device(StubClock($0, timing: timing)) } ?? .unpaced
}

private final class PacedSource: PlainSource {
  private let clock: String?

  init(_ clock: String?) { self.clock = clock }

  func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    SourceDescription(
      format: try StreamFormat(sampleRate: 48_000, channelCount: 1), encoding: .s16,
      pace: AudioCoreTests.pace(clock))
  }

  func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus { .ended }
}

private final class PacedSink: PlainSink {
  let pace: Pace
  var precision: SamplePrecision { .single }
  var room: Int { Int.max }

  init(_ clock: String?) { pace = AudioCoreTests.pace(clock) }

  func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus { .accepted }
}
