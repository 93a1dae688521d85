// SPDX-License-Identifier: Apache-2.0
/// Keeps the delay between two devices where it belongs: by the ratio as long as that is enough, and by
/// silence or a cut where it is not.
///
/// Pure arithmetic on times; the stage that moves samples and the simulations share it.
///
/// Two devices never start quite together. What the delay then is off by is not taken away at once, which
/// would bend the pitch, but over ``glide``, a few microseconds a second: the loop follows a reference that
/// moves from where the delay was found to where it belongs.
struct ClockFollower {
  /// Where the delay belongs, in seconds from capture to playback.
  let target: Double
  /// How far the delay may leave its reference, in seconds, before it is set right at once.
  let tolerance: Double
  /// The delay without the jitter of readings, in seconds; nil before it is known.
  private(set) var delay: Double?
  private var controller = DriftController()
  private var state = State.lost
  private var last: MonotonicTime?
  private var interruptions = 0
  private var isFarSince: MonotonicTime?
  /// How often in a row it did not help to set the delay right.
  private var vainAttempts = 0

  private enum State {
    /// Nobody knows where the delay is.
    case lost
    /// It is being found: the mean since an instant.
    case finding(sum: Double, count: Int, since: FollowedInstant)
    /// Where it is to be, and by how much that changes in a second.
    case following(reference: Double, speed: Double)
  }

  /// How long a mean is taken, and how long a delay has to be off before that is more than a reading gone
  /// wrong, in nanoseconds.
  private static let patience = 500_000_000
  /// How long the way to the target takes, in seconds.
  static let glide = 120.0
  /// The fastest way there, in seconds a second: half of what the ratio can do. What would need more is
  /// set right at once.
  static let fastestGlide = VaryingPoint.largestCorrection / 2

  init(target: Double, tolerance: Double) {
    self.target = target
    self.tolerance = tolerance
  }

  /// By how much to multiply the ratio, less 1.
  var correction: Double { controller.correction }

  /// Looks at the delay.
  ///
  /// - Parameters:
  ///   - delay: of a sample written now, in seconds, as of `now`.
  ///   - now: where the devices are; the same reading twice is looked at once.
  /// - Returns: seconds of silence to put in, or where negative of input to leave out; nearly always 0.
  mutating func follow(delay: Double, at now: FollowedInstant) -> Double {
    if now.sink.interruptions != interruptions {
      interruptions = now.sink.interruptions
      guard case .following = state else {
        state = .lost
        return 0
      }
      // The device ran dry or slept. What is put right now lies in the gap that was heard anyway.
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

  /// The delay was found.
  private mutating func begin(at found: Double, arePaced: Bool) -> Double {
    // Two devices of which one keeps no time, such as ALSA's file plugin, have no delay to keep.
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
