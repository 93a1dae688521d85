// SPDX-License-Identifier: Apache-2.0
/// The times at which parts begin, and the positions at which the clock ends them.
struct PartClock {
  /// The most seconds by which a part may begin again before the last end, after a correction of the clock.
  private static let tolerance = 2
  private static let perSecond: Int64 = 1_000_000_000
  private var timeline: RecordingTimeline
  private let interval: ClockInterval?
  private let civilTime: CivilTime
  /// The part's stretch and the second of its end.
  private var stretch: (identity: ClockInterval.Stretch, end: Int)?
  /// The second at which the clock ended the last part, and the next sample then; nil if another cause did.
  private var boundary: (second: Int, position: Int64)?

  /// - Parameter interval: nil if the clock ends no part.
  init(_ timeline: RecordingTimeline, _ interval: ClockInterval?, in civilTime: CivilTime) {
    self.timeline = timeline
    self.interval = interval
    self.civilTime = civilTime
  }

  /// The times of a stream's parts.
  ///
  /// - Parameters:
  ///   - clock: nil = from now on, by the samples.
  ///   - limits: the shortest clock interval among them ends parts.
  ///   - leadIn: how much of the source is left out before the stream begins.
  /// - Throws: `invalidParameter` if a limit needs a clock and `clock` is nil.
  init(
    _ clock: RecordingClock?, for names: PartNames, _ limits: [SplittingSink.Limit],
    leadIn: TimePosition, sampleRate: Int
  ) throws(AudioError) {
    var interval: ClockInterval?
    for case .clock(let asked) in limits { interval = min(interval ?? asked, asked) }
    guard clock != nil || interval == nil else {
      throw AudioError(
        .invalidParameter, cannot: "split by the clock", names.pattern,
        because: "nothing says when the stream began")
    }
    let length = Int128(leadIn.samples(at: sampleRate)) * Int128(Self.perSecond)
    let leadTime = Int64(clamping: length / Int128(sampleRate))
    let clock = clock ?? .stated(RecordingClock.Moment.now.realTime + leadTime)
    self.init(
      RecordingTimeline(clock, leadIn: leadTime, sampleRate: sampleRate), interval,
      in: names.civilTime)
  }

  /// The time of the sample at a position, in nanoseconds since 1970.
  ///
  /// The first sample behind the end of a part that the clock ended has the time of that end: samples come between two
  /// boundaries, and the estimate moves. No other time lies shortly before that end, even if the estimate does.
  func time(of position: Int64) -> Int64 {
    let time = timeline.time(of: position)
    guard let boundary else { return time }
    let end = Int64(boundary.second) * Self.perSecond
    let latest = position == boundary.position ? end + RecordingTimeline.leastStep : end
    return time < latest && time >= end - Int64(Self.tolerance) * Self.perSecond ? end : time
  }

  /// ``time(of:)`` in whole seconds.
  func second(of position: Int64) -> Int { Int(time(of: position).dividedDown(by: Self.perSecond)) }

  /// Notes that the samples between two positions have come, `age` ago.
  ///
  /// - Returns: the step of the clock, if it was set.
  mutating func observe(from start: Int64, to end: Int64, since age: Duration) -> ClockStep? {
    timeline.observe(from: start, to: end, since: age)
  }

  mutating func beginPart(at position: Int64) {
    guard let interval else { return }
    let second = second(of: position)
    stretch = (
      interval.stretch(at: second, in: civilTime), interval.end(after: second, in: civilTime)
    )
  }

  /// The number of samples per channel from a position to the part's end; 0 or less if the part is over.
  func remaining(from position: Int64) -> Int64 {
    guard let stretch else { return .max }
    return timeline.position(at: stretch.end) - position
  }

  /// Whether the clock was set back to before the part's stretch. A small correction does not count.
  func isBeforePart(at position: Int64) -> Bool {
    guard let interval, let stretch else { return false }
    let second = second(of: position)
    return second < stretch.end
      && interval.stretch(at: second, in: civilTime) != stretch.identity
      && interval.stretch(at: second + Self.tolerance, in: civilTime) != stretch.identity
  }

  mutating func endPart(at position: Int64) {
    boundary = stretch.flatMap { remaining(from: position) <= 0 ? ($0.end, position) : nil }
    stretch = nil
  }
}
