// SPDX-License-Identifier: Apache-2.0
/// A stream between two devices that follows the second one's clock: counts its samples, measures its delay, and
/// decides on corrections.
///
/// A ``ClockFollowingStage`` moves the samples; a simulation moves none. Session thread only.
final class FollowedStream {
  private let ends: FollowedEnds
  private let inputRate: Double
  private let outputRate: Double
  private var follower: ClockFollower
  /// The outputs per channel so far, including silence.
  private var outputCount: Int64 = 0
  /// The inputs per channel still to drop.
  private var toDrop: Int64 = 0
  private(set) var statistics: SessionReport.Following

  /// - Parameters:
  ///   - inputRate: the rate of the stream in front of the resampler, in hertz.
  ///   - outputRate: the rate behind the resampler.
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

  /// Returns the initial silence in outputs per channel, which makes the delay.
  func begin() -> Int {
    let count = Int((follower.target * outputRate).rounded())
    outputCount += Int64(count)
    return count
  }

  /// Returns how many of the next `count` inputs per channel to drop.
  func inputsToDrop(of count: Int) -> Int {
    let dropped = min(toDrop, Int64(count))
    toDrop -= dropped
    statistics.droppedSamplesPerChannel += dropped
    return Int(dropped)
  }

  /// Counts `count` outputs per channel.
  func made(_ count: Int) { outputCount += Int64(count) }

  /// Measures the delay from the positions of both devices.
  ///
  /// - Parameters:
  ///   - next: the position of the next output, in inputs per channel that were not dropped.
  ///   - step: the inputs from one output to the next.
  /// - Returns: the correction from now on, and the silence to insert in outputs per channel, mostly 0.
  func follow(next: Double, step: Double) -> (correction: Double, silence: Int) {
    guard let now = ends.latest() else { return (follower.correction, 0) }
    // The outputs that the sink has played, and the inputs still to be heard.
    let played = now.played * outputRate - Double(ends.samplesBefore)
    let waiting = (Double(outputCount) - played) * step
    let place = next + Double(statistics.droppedSamplesPerChannel + toDrop)
    let delay = now.captured - (place - waiting) / inputRate
    let off = follower.follow(delay: delay, at: now)
    var silence = 0
    if off > 0 {
      silence = Int((off * outputRate).rounded())
      outputCount += Int64(silence)
      statistics.insertedSamplesPerChannel += Int64(silence)
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

/// The two ends of a ``ClockFollowingStage``: a source's device, a sink's device, and the counts of the stage's samples
/// at each. Session thread only.
final class FollowedEnds {
  private let source: any PacingClock
  private let sink: any PacingClock
  private let sourceRate: Double
  private let sinkRate: Double
  /// The samples that the session has read of the source.
  private let read: SampleCount
  /// The samples in the stream before the stage's own outputs, at their rate.
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

  /// The samples per channel in the stream before the stage's own outputs, at their rate.
  var samplesBefore: Int64 { before.samplesPerChannel }

  /// Returns the instant of the sink's latest reading; nil if a device has no reading, or if the readings are a quarter
  /// of a second apart.
  func latest() -> FollowedInstant? {
    guard let captured = source.reading(), let played = sink.reading() else { return nil }
    // Extrapolate to one instant: over some milliseconds the nominal rate is as good as the true one.
    let apart = played.time.seconds(since: captured.time)
    guard abs(apart) < 0.25 else { return nil }
    // The stream's own count lacks the samples that were trimmed, and includes those that were filled in.
    let waiting = captured.position - source.exchangedSamplesPerChannel
    let inStream = read.samplesPerChannel + waiting
    return FollowedInstant(
      sink: played,
      captured: Double(inStream) / sourceRate + (captured.isRunning ? apart : 0),
      played: Double(played.position) / sinkRate,
      isCapturing: captured.isRunning, captureInterruptions: captured.interruptions)
  }
}

/// The positions of two devices at one instant, one of which is followed.
struct FollowedInstant {
  /// The sink's reading, which gives the time.
  var sink: ClockReading
  /// The seconds of the source's stream that were captured.
  var captured: Double
  /// The seconds of the sink's stream that were played.
  var played: Double
  /// Whether the source's device runs.
  var isCapturing = true
  /// How often the source's device has been interrupted.
  var captureInterruptions = 0

  /// Whether both devices kept time since an earlier instant, within a fifth.
  func isPaced(since earlier: FollowedInstant) -> Bool {
    let time = sink.time.seconds(since: earlier.sink.time)
    let usual = time * 0.8...time * 1.2
    return usual.contains(captured - earlier.captured) && usual.contains(played - earlier.played)
  }
}
