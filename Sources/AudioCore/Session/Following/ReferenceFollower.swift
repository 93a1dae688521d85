// SPDX-License-Identifier: Apache-2.0
/// Keeps a reference of a loudspeaker in place on a microphone's clock: by a jump where a device begins or was
/// interrupted, else by the ratio.
///
/// Pure arithmetic on times. Unlike ``ClockFollower`` it keeps the place that it found, so that nothing bends the ratio
/// later: an echo canceller learns any constant delay, but 2 ppm of drift cost it 3 dB. The reference has no buffer to keep
/// filled.
///
/// The first reading places the reference. A line fitted to the lateness of the next ``span`` gives the difference of the
/// clocks, and the place that is kept. After an interruption the first reading places it anew, and the mean of the next
/// tenth of a second sets it back exactly.
struct ReferenceFollower {
  private var controller: DriftController?
  /// The lateness that is kept, in seconds.
  private var target = 0.0
  private var state = State.lost
  private var last: MonotonicTime?
  private var interruptions = 0
  private var isFarSince: MonotonicTime?

  private enum State {
    /// The place is unknown: nothing is played, or a device was interrupted.
    case lost
    /// The reference was placed by one reading.
    case finding(Line, since: FollowedInstant)
    case following
  }

  /// In seconds: the duration of the first line, and of the mean after an interruption.
  private static let span = 3.0
  private static let shortSpan = 0.1
  /// The largest lateness of a reading, in seconds, that does not tell a new place.
  private static let tolerance = 0.002
  /// The duration of a lateness beyond that which does, in nanoseconds.
  private static let patience = 500_000_000

  /// The factor on the ratio, minus 1.
  var correction: Double { controller?.correction ?? 0 }

  /// Whether the reference is in place. If not, nothing was played.
  var isPlaced: Bool { if case .lost = state { false } else { true } }

  /// Forgets the place.
  mutating func lose() {
    state = .lost
    isFarSince = nil
    controller?.forgetError()
  }

  /// - Parameters:
  ///   - lateness: the seconds by which the reference lies behind the samples that are played, as of `now`.
  ///   - now: the positions of the devices; a repeated reading is ignored.
  /// - Returns: the seconds to move on, or if negative to wait; nearly always 0.
  mutating func follow(lateness: Double, at now: FollowedInstant) -> Double {
    let count = now.sink.interruptions + now.captureInterruptions
    if count != interruptions || !now.sink.isRunning {
      interruptions = count
      lose()
    }
    guard now.sink.isRunning, now.isCapturing, last.map({ now.sink.time > $0 }) ?? true else {
      return 0
    }
    let interval = last.map { now.sink.time.seconds(since: $0) } ?? 0
    last = now.sink.time
    switch state {
    case .lost: return place(lateness, at: now)
    case .finding(var line, let since):
      // The microphone's stream may not have reached its gap yet.
      if abs(lateness - line.last) > Self.tolerance { return place(lateness, at: now) }
      let time = now.sink.time.seconds(since: since.sink.time)
      line.add(lateness, at: time)
      state = .finding(line, since: since)
      guard time >= (controller == nil ? Self.span : Self.shortSpan) else { return 0 }
      return begin(line, arePaced: now.isPaced(since: since))
    case .following:
      if isFar(lateness - target, at: now.sink.time) { return place(lateness, at: now) }
      controller?.update(error: lateness - target, interval: interval)
      return 0
    }
  }

  private mutating func place(_ lateness: Double, at now: FollowedInstant) -> Double {
    lose()
    state = .finding(Line(first: target), since: now)
    return lateness - target
  }

  private mutating func begin(_ line: Line, arePaced: Bool) -> Double {
    // If one of the devices keeps no time, such as ALSA's file plugin, there is nothing to follow.
    guard arePaced else {
      lose()
      return 0
    }
    state = .following
    guard controller != nil else {
      controller = DriftController(learnt: line.slope)
      target = line.end
      return 0
    }
    return line.mean - target
  }

  private mutating func isFar(_ error: Double, at time: MonotonicTime) -> Bool {
    guard abs(error) > Self.tolerance else {
      isFarSince = nil
      return false
    }
    let since = isFarSince ?? time
    isFarSince = since
    return time.nanoseconds(since: since) >= Self.patience
  }
}

/// The line of least squares through latenesses.
private struct Line {
  private(set) var last: Double
  private var latest = 0.0
  private var count = 0.0
  private var meanTime = 0.0
  private(set) var mean = 0.0
  private var timeTime = 0.0
  private var timeValue = 0.0

  init(first: Double) { last = first }

  mutating func add(_ value: Double, at time: Double) {
    count += 1
    let deviation = time - meanTime
    meanTime += deviation / count
    mean += (value - mean) / count
    timeTime += deviation * (time - meanTime)
    timeValue += deviation * (value - mean)
    last = value
    latest = time
  }

  /// In seconds a second.
  var slope: Double { timeTime > 0 ? timeValue / timeTime : 0 }
  /// The value at the last time.
  var end: Double { mean + slope * (latest - meanTime) }
}
