// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The source of the times at which samples of a recording were taken.
@nonexhaustive
public enum RecordingClock: Sendable {
  /// The stream arrives while it is recorded. Both clocks are read whenever samples come. `lead` is how much the time of
  /// day of the stream's sender is ahead of this machine's, in nanoseconds.
  case live(@Sendable () -> Moment, lead: @Sendable () -> Int64 = { 0 })
  /// The stream was recorded before. It began at this time, in nanoseconds since 1970; its samples count the time from
  /// there.
  case stated(Int64)

  /// A reading of both clocks at one moment.
  public struct Moment: Sendable, Hashable {
    /// The time of day in nanoseconds since 1970. It may be set.
    public var realTime: Int64
    /// The monotonic time, which is never set.
    public var monotonic: MonotonicTime

    /// ``realTime`` in whole seconds.
    package var seconds: Int { Int(realTime.dividedDown(by: 1_000_000_000)) }

    public init(realTime: Int64, monotonic: MonotonicTime) {
      self.realTime = realTime
      self.monotonic = monotonic
    }

    /// The present. The corresponding C function is `clock_gettime`.
    public static var now: Moment {
      var best: (moment: Moment, width: Int)?
      // An interruption between the two reads would look like a step of the clock.
      for _ in 0..<4 {
        let before = MonotonicTime.now
        let realTime = WallTime.now
        let width = MonotonicTime.now.nanoseconds(since: before)
        if width < best?.width ?? .max {
          let middle = MonotonicTime(nanoseconds: before.nanoseconds + width / 2)
          best = (Moment(realTime: realTime, monotonic: middle), width)
        }
        if width < 100_000 { break }
      }
      return best?.moment ?? Moment(realTime: 0, monotonic: .now)
    }
  }

  /// A live stream, by the clocks of the machine.
  public static let system = live({ .now })
}

/// A step of the clock of the day while a recording ran: the clock was set, or the machine slept.
package struct ClockStep: Sendable, Hashable {
  /// The first sample written afterwards, in samples per channel from the start of the stream.
  package var position: Int64
  /// The rate of ``position``, in hertz.
  package var sampleRate: Int
  /// The size of the step, in nanoseconds; negative if the clock was set back.
  package var nanoseconds: Int64
  /// The time of day afterwards, in nanoseconds since 1970.
  package var time: Int64
}

/// Maps samples of a stream to the times at which they were taken.
///
/// A live timeline follows the clock of the machine. A sample never arrives before it was taken. The block with the
/// least delay within the last seconds therefore ties the stream to the monotonic clock. This follows the drift of the
/// device; a late disk or thread changes nothing.
package struct RecordingTimeline: Sendable {
  private static let perSecond: Int128 = 1_000_000_000
  /// How long a least delay counts, in seconds. A drift of 100 ppm is a millisecond in that time.
  private static let window = 10
  /// The least change that is a step, in nanoseconds. A slewed clock changes by less between two blocks.
  static let leastStep: Int64 = 100_000_000

  private let rate: Int
  private let look: (@Sendable () -> RecordingClock.Moment)?
  /// The time of the stream's first sample by the present clock of the day, in nanoseconds since 1970.
  private var origin: Int64
  /// The lead of the clock of the day over the monotonic one, in nanoseconds.
  private var difference: Int64?
  /// The least lead of the monotonic clock over the stream, in nanoseconds, for each second of that clock.
  private var soonest: [(second: Int, lead: Int64)] = []

  /// - Parameters:
  ///   - clock: live, or the time at which the stream began.
  ///   - leadIn: how much of a live source is left out before the stream begins, in nanoseconds.
  package init(_ clock: RecordingClock, leadIn: Int64, sampleRate: Int) {
    rate = sampleRate
    switch clock {
    case .live(let present, let lead):
      let look = { @Sendable in
        var moment = present()
        moment.realTime += lead()
        return moment
      }
      self.look = look
      let moment = look()
      origin = moment.realTime + leadIn
      difference = moment.realTime - Int64(moment.monotonic.nanoseconds)
    case .stated(let beginning):
      look = nil
      origin = beginning
    }
  }

  /// Notes that the samples between two positions have come.
  ///
  /// - Parameters:
  ///   - start: the position of the first of them.
  ///   - end: the position behind the last.
  ///   - age: how long they have waited.
  /// - Returns: the step of the clock since the last call, if it was set.
  package mutating func observe(from start: Int64, to end: Int64, since age: Duration) -> ClockStep?
  {
    guard let look else { return nil }
    let moment = look()
    let difference = moment.realTime - Int64(moment.monotonic.nanoseconds)
    let now = moment.monotonic.nanoseconds - age.inNanoseconds
    let second = now / Int(Self.perSecond)
    let lead = Int64(now) - nanoseconds(of: end)
    soonest.removeAll { second - $0.second > Self.window || $0.second > second }
    if let last = soonest.indices.last, soonest[last].second == second {
      soonest[last].lead = min(soonest[last].lead, lead)
    } else {
      soonest.append((second, lead))
    }
    let change = difference - (self.difference ?? difference)
    self.difference = difference
    origin = (soonest.map(\.lead).min() ?? lead) + difference
    guard abs(change) >= Self.leastStep else { return nil }
    return ClockStep(
      position: start, sampleRate: rate, nanoseconds: change, time: moment.realTime)
  }

  /// Whether it follows the clock of the machine.
  package var isLive: Bool { look != nil }

  /// The time of the sample at a position, in nanoseconds since 1970.
  package func time(of position: Int64) -> Int64 { origin + nanoseconds(of: position) }

  /// The first sample taken at a time or later.
  ///
  /// - Parameter time: in seconds since 1970.
  func position(at time: Int) -> Int64 {
    let elapsed = Int128(time) * Self.perSecond - Int128(origin)
    let product = elapsed * Int128(rate)
    return Int64(clamping: -((-product).dividedDown(by: Self.perSecond)))
  }

  /// Rounded down.
  private func nanoseconds(of position: Int64) -> Int64 {
    Int64(clamping: (Int128(position) * Self.perSecond).dividedDown(by: Int128(rate)))
  }
}
