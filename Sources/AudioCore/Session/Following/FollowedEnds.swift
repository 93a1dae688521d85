/// The two ends between which a ``ClockFollowingStage`` stands: a source's device, a sink's device, and how
/// the stage's samples count at either. Session thread only.
final class FollowedEnds {
  private let source: any PacingClock
  private let sink: any PacingClock
  private let sourceRate: Double
  private let sinkRate: Double
  /// Samples per channel of the source that entered the session.
  var samplesRead: () -> Int64 = { 0 }
  /// Samples per channel, at the stage's output rate, that stand in the stream before the stage's own.
  var samplesBefore: () -> Int64 = { 0 }

  init(
    from source: any PacingClock, _ sourceTiming: ClockTiming,
    to sink: any PacingClock, _ sinkTiming: ClockTiming
  ) {
    self.source = source
    self.sink = sink
    sourceRate = Double(sourceTiming.sampleRate)
    sinkRate = Double(sinkTiming.sampleRate)
    source.watch()
    sink.watch()
  }

  /// The instant of the sink's latest reading; nil while either device has not been read, or not for a
  /// quarter of a second.
  func latest() -> FollowedInstant? {
    guard let captured = source.reading(), let played = sink.reading() else { return nil }
    // To the same instant: over some milliseconds the nominal rate is as good as the true one.
    let apart = Double(played.time - captured.time) * 1e-9
    guard abs(apart) < 0.25 else { return nil }
    // What was trimmed, or filled in, on the way from the device's samples to the stream's stays so.
    let waiting = captured.position - source.samplesExchanged
    let inStream = samplesRead() + waiting
    return FollowedInstant(
      sink: played,
      captured: Double(inStream) / sourceRate + (captured.isRunning ? apart : 0),
      played: Double(played.position) / sinkRate)
  }
}
