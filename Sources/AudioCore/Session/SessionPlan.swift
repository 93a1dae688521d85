/// Everything that is settled before the engine is built: who takes part, and every format.
struct SessionPlan {
  let local: SourceLife?
  let incoming: [SourceLife]
  let sinks: [SinkLife]
  /// The format of Σ; nil where nothing is summed.
  let mixFormat: StreamFormat?
  var record: PositionPlan?
  /// One for each incoming source, in their order.
  var beforeMixing: [PositionPlan] = []
  var playback: PositionPlan?
  var mixed: PositionPlan?
  /// Where a stream follows another device's clock.
  var followings: [ClockFollowingPlan] = []

  init(
    local: SourceLife?, incoming: [SourceLife], sinks: [SinkLife], mixFormat: StreamFormat?
  ) {
    self.local = local
    self.incoming = incoming
    self.sinks = sinks
    self.mixFormat = mixFormat
  }

  /// All sources, local first.
  var sources: [SourceLife] { (local.map { [$0] } ?? []) + incoming }

  func sink(_ place: SinkPlace) -> SinkLife? { sinks.first { $0.place == place } }

  func following(_ source: SourceLife, to place: SinkPlace) -> ClockFollowingPlan? {
    followings.first { $0.source === source && $0.sink.place == place }
  }

  /// Whether a source is live: what it gave cannot be had again.
  var isRecording: Bool { sources.contains { $0.description.isLive } }

  var isLive: Bool {
    isRecording || sinks.contains { $0.sink.pace.isLive }
  }
}
