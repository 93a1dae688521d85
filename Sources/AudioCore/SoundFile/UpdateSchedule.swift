// SPDX-License-Identifier: Apache-2.0
/// When the file of a recording is brought up to date: often enough that less than a second is lost
/// with the program.
struct UpdateSchedule {
  /// What was written within one interval is safe by the end of the next one, so twice this is what a
  /// power cut takes at most.
  var interval: Duration = .milliseconds(500)
  private var last: MonotonicTime?
  private var rested: MonotonicTime?

  /// How late an update may be: a device's thread and a writer's are never on time to the millisecond.
  private var tolerance: Duration { interval / 20 }

  /// Whether it is time, as it is the first time; the next time is counted from then on.
  ///
  /// - Parameter isResting: whether nothing more is written for a while, so that now is the best time. It is time
  ///   already where the next rest, if it comes as soon as this one did, would be too late.
  mutating func isDue(isResting: Bool = false) -> Bool {
    let now = MonotonicTime.now
    let sinceRest = rested.map { now.elapsed(since: $0) } ?? .zero
    if isResting { rested = now }
    if let last {
      let patience = interval + tolerance - (isResting ? sinceRest : .zero)
      guard now.elapsed(since: last) >= patience else { return false }
    }
    last = now
    return true
  }
}
