// SPDX-License-Identifier: Apache-2.0
/// When parts begin, and where in the stream the clock ends them.
struct PartClock {
  /// How far behind its end a part may be begun anew because the clock was corrected, in seconds.
  private static let tolerance = 2
  private static let perSecond: Int64 = 1_000_000_000
  private var timeline: RecordingTimeline
  private let interval: ClockInterval?
  private let civilTime: CivilTime
  /// The stretch that the part belongs to, and the second at which that ends.
  private var stretch: (identity: ClockInterval.Stretch, end: Int)?
  /// The second at which the last part was ended.
  private var boundary: Int?

  /// - Parameter interval: nil where the clock ends no part.
  init(_ timeline: RecordingTimeline, _ interval: ClockInterval?, in civilTime: CivilTime) {
    self.timeline = timeline
    self.interval = interval
    self.civilTime = civilTime
  }

  /// The time of a stream's parts.
  ///
  /// - Parameters:
  ///   - clock: nil = from now on, by the samples.
  ///   - limits: those of the clock end parts.
  ///   - leadIn: how much of the source is left out before the stream begins.
  /// - Throws: `invalidParameter` where the clock ends parts, and there is none.
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

  /// When the sample at a place was taken, in nanoseconds since 1970. What follows a part that the clock ended was
  /// not taken before that, whatever an estimate says.
  func time(of position: Int64) -> Int64 {
    let time = timeline.time(of: position)
    guard let boundary else { return time }
    let end = Int64(boundary) * Self.perSecond
    return time < end && time >= end - Int64(Self.tolerance) * Self.perSecond ? end : time
  }

  /// The same in whole seconds.
  func second(of position: Int64) -> Int { Int(time(of: position).dividedDown(by: Self.perSecond)) }

  /// The samples between two places have come, some time ago.
  ///
  /// - Returns: whether the clock was set.
  mutating func observe(from start: Int64, to end: Int64, since age: Duration) -> ClockStep? {
    timeline.observe(from: start, to: end, since: age)
  }

  /// A part begins.
  mutating func beginPart(at position: Int64) {
    guard let interval else { return }
    let second = second(of: position)
    stretch = (
      interval.stretch(at: second, in: civilTime), interval.end(after: second, in: civilTime)
    )
  }

  /// How many samples per channel belong to the part from a place on: not more than 0 where it is over.
  func remaining(from position: Int64) -> Int64 {
    guard let stretch else { return .max }
    return timeline.position(at: stretch.end) - position
  }

  /// Whether the clock was set back to before the part's stretch. What is corrected by a little is none of that.
  func isBeforePart(at position: Int64) -> Bool {
    guard let interval, let stretch else { return false }
    let second = second(of: position)
    return second < stretch.end
      && interval.stretch(at: second, in: civilTime) != stretch.identity
      && interval.stretch(at: second + Self.tolerance, in: civilTime) != stretch.identity
  }

  /// The part is over.
  mutating func endPart(at position: Int64) {
    boundary = remaining(from: position) <= 0 ? stretch?.end : nil
    stretch = nil
  }
}
