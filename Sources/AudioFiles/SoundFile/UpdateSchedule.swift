// SPDX-License-Identifier: Apache-2.0
/// Decides when a recording's file is updated: often enough that a crash loses less than a second.
///
/// A slow update is followed by a pause of its own duration, at most one interval. Otherwise, the recording would fall
/// behind, because samples must be written, too.
struct UpdateSchedule {
  /// Samples may wait half a second before they are written. With this interval and the tolerance, less than a second
  /// is lost. Zero = an update with every write.
  var interval: Duration = .milliseconds(470)
  /// The start of the last update, and its duration.
  private var last: MonotonicTime?
  private var cost: Duration = .zero
  private var rested: MonotonicTime?

  /// The permitted delay of an update: the threads of devices and writers are not exact to the millisecond.
  private var tolerance: Duration { interval / 20 }

  /// Whether an update is due, as it is the first time. A due update restarts the interval.
  ///
  /// - Parameters:
  ///   - isResting: whether no write follows for a while, so that now is the best time. The update is due early if the
  ///     next rest, after an equal time, would come too late.
  ///   - now: the present.
  mutating func isDue(isResting: Bool = false, at now: MonotonicTime = .now) -> Bool {
    let sinceRest = rested.map { now.elapsed(since: $0) } ?? .zero
    if isResting { rested = now }
    if let last {
      let pause = max(interval, cost + min(cost, interval))
      let patience = pause + tolerance - (isResting ? sinceRest : .zero)
      guard now.elapsed(since: last) >= patience else { return false }
    }
    last = now
    cost = .zero
    return true
  }

  /// Notes the end of a due update.
  mutating func updated(at now: MonotonicTime = .now) {
    if let last { cost = now.elapsed(since: last) }
  }
}
