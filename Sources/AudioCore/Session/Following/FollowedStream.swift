// SPDX-License-Identifier: Apache-2.0
/// A stream on its way from one device to another whose clock it follows: how many samples it has come to,
/// how long they take, and what is to be done about it.
///
/// Everything but the samples themselves: a ``ClockFollowingStage`` moves those, a simulation none. Session
/// thread only.
final class FollowedStream {
  private let ends: FollowedEnds
  private let inputRate: Double
  private let outputRate: Double
  private var follower: ClockFollower
  /// Outputs per channel so far, silence included.
  private var outputCount: Int64 = 0
  /// Inputs per channel that are still to be left out.
  private var toDrop: Int64 = 0
  private(set) var statistics: SessionReport.Following

  /// - Parameters:
  ///   - inputRate: of the stream where it is resampled, in hertz.
  ///   - outputRate: what it is resampled to.
  init(
    _ latency: FollowingLatency, _ ends: FollowedEnds, from inputRate: Int, to outputRate: Int,
    _ statistics: SessionReport.Following
  ) {
    self.ends = ends
    self.inputRate = Double(inputRate)
    self.outputRate = Double(outputRate)
    self.statistics = statistics
    follower = ClockFollower(
      target: latency.total / .seconds(1), tolerance: latency.tolerance / .seconds(1))
  }

  /// Outputs per channel of silence to begin with, which are the delay.
  func begin() -> Int {
    let count = Int((follower.target * outputRate).rounded())
    outputCount += Int64(count)
    return count
  }

  /// How many of the next `count` inputs per channel are to be left out.
  func inputsToDrop(of count: Int) -> Int {
    let dropped = min(toDrop, Int64(count))
    toDrop -= dropped
    statistics.droppedSamples += dropped
    return Int(dropped)
  }

  /// `count` outputs per channel were made.
  func made(_ count: Int) { outputCount += Int64(count) }

  /// Looks at where both devices are.
  ///
  /// - Parameters:
  ///   - next: the place of the next output, in inputs per channel that were not left out.
  ///   - step: inputs from one output to the next.
  /// - Returns: the correction from now on, and outputs per channel of silence to put in, mostly 0.
  func follow(next: Double, step: Double) -> (correction: Double, silence: Int) {
    guard let now = ends.latest() else { return (follower.correction, 0) }
    // What the sink has played, in outputs; what of them is still to be heard, in inputs.
    let played = now.played * outputRate - Double(ends.samplesBefore)
    let waiting = (Double(outputCount) - played) * step
    let place = next + Double(statistics.droppedSamples + toDrop)
    let delay = now.captured - (place - waiting) / inputRate
    let off = follower.follow(delay: delay, at: now)
    var silence = 0
    if off > 0 {
      silence = Int((off * outputRate).rounded())
      outputCount += Int64(silence)
      statistics.insertedSamples += Int64(silence)
    } else if off < 0 {
      toDrop += Int64((-off * inputRate).rounded())
    }
    if off != 0 { statistics.resynchronisations += 1 }
    if let delay = follower.delay {
      statistics.observe(delay: .seconds(delay), correction: follower.correction)
    }
    return (follower.correction, silence)
  }
}

/// The two ends between which a ``ClockFollowingStage`` stands: a source's device, a sink's device, and how
/// the stage's samples count at either. Session thread only.
final class FollowedEnds {
  private let source: any PacingClock
  private let sink: any PacingClock
  private let sourceRate: Double
  private let sinkRate: Double
  /// What the session has read of the source.
  private let read: SampleCount
  /// What stands in the stream before the stage's own outputs, at their rate.
  private let before: SampleCount

  init(
    from source: any PacingClock, _ sourceTiming: ClockTiming,
    to sink: any PacingClock, _ sinkTiming: ClockTiming, read: SampleCount, before: SampleCount
  ) {
    self.read = read
    self.before = before
    self.source = source
    self.sink = sink
    sourceRate = Double(sourceTiming.sampleRate)
    sinkRate = Double(sinkTiming.sampleRate)
    source.watch()
    sink.watch()
  }

  /// Samples per channel, at the stage's output rate, that stand in the stream before the stage's own.
  var samplesBefore: Int64 { before.samplesPerChannel }

  /// The instant of the sink's latest reading; nil while either device has not been read, or not for a
  /// quarter of a second.
  func latest() -> FollowedInstant? {
    guard let captured = source.reading(), let played = sink.reading() else { return nil }
    // To the same instant: over some milliseconds the nominal rate is as good as the true one.
    let apart = played.time.seconds(since: captured.time)
    guard abs(apart) < 0.25 else { return nil }
    // What was trimmed, or filled in, on the way from the device's samples to the stream's stays so.
    let waiting = captured.position - source.samplesExchanged
    let inStream = read.samplesPerChannel + waiting
    return FollowedInstant(
      sink: played,
      captured: Double(inStream) / sourceRate + (captured.isRunning ? apart : 0),
      played: Double(played.position) / sinkRate)
  }
}

/// Where two devices, of which one is followed, were at one instant.
struct FollowedInstant {
  /// The sink's reading, whose time it is.
  var sink: ClockReading
  /// Seconds of the source's stream that were captured.
  var captured: Double
  /// Seconds of the sink's stream that were played.
  var played: Double

  /// Whether both devices went on as clocks do since an earlier instant, within a fifth.
  func isPaced(since earlier: FollowedInstant) -> Bool {
    let time = sink.time.seconds(since: earlier.sink.time)
    let usual = time * 0.8...time * 1.2
    return usual.contains(captured - earlier.captured) && usual.contains(played - earlier.played)
  }
}
