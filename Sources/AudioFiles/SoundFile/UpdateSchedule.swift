// SPDX-License-Identifier: Apache-2.0
/// When the file of a recording is brought up to date: often enough that less than a second is lost
/// with the program.
///
/// On a disk that takes long for that there is a pause behind each time, as long, but no longer than an interval: samples
/// have to be written, too, or a recording would fall behind more and more.
struct UpdateSchedule {
  /// Samples may have waited for half a second before they are written; with this, and the tolerance, less than a second
  /// is lost. Zero is an update with every write.
  var interval: Duration = .milliseconds(470)
  /// When the last update began, and how long it took.
  private var last: MonotonicTime?
  private var cost: Duration = .zero
  private var rested: MonotonicTime?

  /// How late an update may be: a device's thread and a writer's are never on time to the millisecond.
  private var tolerance: Duration { interval / 20 }

  /// Whether it is time, as it is the first time; the next time is counted from then on.
  ///
  /// - Parameters:
  ///   - isResting: whether nothing more is written for a while, so that now is the best time. It is time already where
  ///     the next rest, if it comes as soon as this one did, would be too late.
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

  /// The update that was due has been made.
  mutating func updated(at now: MonotonicTime = .now) {
    if let last { cost = now.elapsed(since: last) }
  }
}
