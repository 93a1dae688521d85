/// When the file of a recording is brought up to date: often enough that less than a second is lost
/// with the program.
struct UpdateSchedule {
  /// What was written within one interval is safe by the end of the next one, so twice this is what a
  /// power cut takes at most.
  var interval: Duration = .milliseconds(500)
  private var last: MonotonicTime?

  /// Whether it is time, as it is the first time; the next time is counted from then on.
  mutating func isDue() -> Bool {
    let now = MonotonicTime.now
    if let last, now.elapsed(since: last) < interval { return false }
    last = now
    return true
  }
}
