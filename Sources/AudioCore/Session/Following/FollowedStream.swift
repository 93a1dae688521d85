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
    follower = ClockFollower(target: latency.total, tolerance: latency.tolerance)
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
    let played = now.played * outputRate - Double(ends.samplesBefore())
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
    if off != 0 { statistics.recentrings += 1 }
    if let delay = follower.delay {
      statistics.observe(delay: delay, correction: follower.correction)
    }
    return (follower.correction, silence)
  }
}
