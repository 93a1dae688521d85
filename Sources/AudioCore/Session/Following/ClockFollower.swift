// SPDX-License-Identifier: Apache-2.0
/// Keeps the delay between two devices at its target: by the ratio if possible, else by silence or a cut.
///
/// Pure arithmetic on times, shared by the stage that moves samples and the simulations.
///
/// Two devices never start exactly together. Correcting the initial error at once would bend the pitch, so it is spread
/// over ``glide``, a few microseconds a second: the loop follows a reference that moves from the found delay to the
/// target.
struct ClockFollower {
  /// The intended delay in seconds, from capture to playback.
  let target: Double
  /// The largest deviation of the delay from its reference, in seconds; beyond it the delay is resynchronised.
  let tolerance: Double
  /// The delay without the jitter of readings, in seconds; nil if unknown.
  private(set) var delay: Double?
  private var controller = DriftController()
  private var state = State.lost
  private var last: MonotonicTime?
  private var interruptions = 0
  private var isFarSince: MonotonicTime?
  /// The number of resynchronisations in a row that did not help.
  private var vainAttempts = 0

  private enum State {
    /// The delay is unknown.
    case lost
    /// The delay is being measured as a mean since an instant.
    case finding(sum: Double, count: Int, since: FollowedInstant)
    /// The intended delay, and its change in a second.
    case following(reference: Double, speed: Double)
  }

  /// The duration of a mean, and of a deviation that counts as real rather than as a wrong reading, in nanoseconds.
  private static let patience = 500_000_000
  /// The duration of the way to the target, in seconds.
  static let glide = 120.0
  /// The largest change of the reference, in seconds a second: half of the ratio's range. A larger deviation is
  /// resynchronised.
  static let fastestGlide = VaryingPoint.largestCorrection / 2

  init(target: Double, tolerance: Double) {
    self.target = target
    self.tolerance = tolerance
  }

  /// The factor on the ratio, minus 1.
  var correction: Double { controller.correction }

  /// Updates the loop with a measured delay.
  ///
  /// - Parameters:
  ///   - delay: the delay of a sample written now, in seconds, as of `now`.
  ///   - now: the positions of the devices; a repeated reading is ignored.
  /// - Returns: seconds of silence to insert, or if negative of input to drop; nearly always 0.
  mutating func follow(delay: Double, at now: FollowedInstant) -> Double {
    if now.sink.interruptions != interruptions {
      interruptions = now.sink.interruptions
      guard case .following = state else {
        state = .lost
        return 0
      }
      // The device underran or slept. A correction now lies in the audible gap.
      return recentre(delay)
    }
    guard now.sink.isRunning, last.map({ now.sink.time > $0 }) ?? true else { return 0 }
    let interval = last.map { now.sink.time.seconds(since: $0) } ?? 0
    last = now.sink.time
    switch state {
    case .lost:
      state = .finding(sum: delay, count: 1, since: now)
      return 0
    case .finding(let sum, let count, let since):
      if now.sink.time.nanoseconds(since: since.sink.time) < Self.patience {
        state = .finding(sum: sum + delay, count: count + 1, since: since)
        return 0
      }
      return begin(at: sum / Double(count), arePaced: now.isPaced(since: since))
    case .following(let reference, let speed):
      if isFar(delay - reference, at: now.sink.time) { return recentre(delay) }
      let left = target - reference
      let moved = speed * interval
      let next = abs(moved) < abs(left) ? reference + moved : target
      state = .following(reference: next, speed: speed)
      controller.update(error: delay - next, interval: interval)
      self.delay = next + controller.error
      return 0
    }
  }

  /// Begins to follow after the delay was found.
  private mutating func begin(at found: Double, arePaced: Bool) -> Double {
    // If one of the devices keeps no time, such as ALSA's file plugin, there is no delay to keep.
    guard arePaced, vainAttempts < 2 else {
      state = .lost
      return 0
    }
    let speed = (target - found) / Self.glide
    if abs(speed) > Self.fastestGlide {
      vainAttempts += 1
      return recentre(found)
    }
    vainAttempts = 0
    delay = found
    state = .following(reference: found, speed: speed)
    return 0
  }

  private mutating func isFar(_ error: Double, at time: MonotonicTime) -> Bool {
    guard abs(error) > tolerance else {
      isFarSince = nil
      return false
    }
    let since = isFarSince ?? time
    isFarSince = since
    return time.nanoseconds(since: since) >= Self.patience
  }

  private mutating func recentre(_ delay: Double) -> Double {
    isFarSince = nil
    last = nil
    state = .lost
    controller.forgetError()
    return target - delay
  }
}
