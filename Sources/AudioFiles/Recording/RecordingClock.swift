// SPDX-License-Identifier: Apache-2.0
import Glibc

/// By what a recording knows at which time a sample was taken.
public enum RecordingClock: Sendable {
  /// The stream comes as it is recorded. What both clocks show is asked whenever samples come.
  case live(@Sendable () -> Moment)
  /// The stream was recorded before: it began at this time, in nanoseconds since 1970, and goes by its samples.
  case stated(Int64)

  /// What two clocks show at one moment.
  public struct Moment: Sendable, Hashable {
    /// The time of day in nanoseconds since 1970. It may be set.
    public var realTime: Int64
    /// It is never set.
    public var monotonic: MonotonicTime

    public init(realTime: Int64, monotonic: MonotonicTime) {
      self.realTime = realTime
      self.monotonic = monotonic
    }

    /// The present. The corresponding C function is `clock_gettime`.
    public static var now: Moment {
      var best: (moment: Moment, width: Int)?
      // A thread that is interrupted between two looks sees a clock that was never set.
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

  /// Live, by the clocks of the machine.
  public static let system = live { .now }
}

/// The clock of the day was set while a recording ran, or the machine slept.
package struct ClockStep: Sendable, Hashable {
  /// The first sample that was written afterwards, in samples per channel from the start of the stream.
  package var position: Int64
  /// At which rate it is counted.
  package var sampleRate: Int
  /// By how much the clock went forward, in nanoseconds; negative if it was set back.
  package var nanoseconds: Int64
  /// What it showed afterwards, in nanoseconds since 1970.
  package var time: Int64
}

/// Which sample of a stream was taken at which time.
///
/// Live it follows the clock of the machine. A sample is never there before it was taken, so of all that has come
/// within the last seconds what came soonest after its place in the stream says how the stream lies to the machine's
/// monotonic clock; so the drift of the device is followed, and a disk or a thread that is late changes nothing.
struct RecordingTimeline {
  private static let perSecond: Int128 = 1_000_000_000
  /// How long what came soonest counts, in seconds: at a drift of 100 ppm a millisecond.
  private static let window = 10
  /// A clock that is slewed changes less between two blocks; in nanoseconds.
  private static let leastStep: Int64 = 100_000_000

  private let rate: Int
  private let look: (@Sendable () -> RecordingClock.Moment)?
  /// When the stream's first sample was taken, by the clock as it is now, in nanoseconds since 1970.
  private var origin: Int64
  /// How far the clock of the day is ahead of the monotonic one.
  private var difference: Int64?
  /// For each second of the monotonic clock, how far it was ahead of the stream at least.
  private var soonest: [(second: Int, lead: Int64)] = []

  /// - Parameters:
  ///   - clock: live, or when the stream began.
  ///   - leadIn: how much of a live source is left out before the stream begins, in nanoseconds.
  init(_ clock: RecordingClock, leadIn: Int64, sampleRate: Int) {
    rate = sampleRate
    switch clock {
    case .live(let look):
      self.look = look
      let moment = look()
      origin = moment.realTime + leadIn
      difference = moment.realTime - Int64(moment.monotonic.nanoseconds)
    case .stated(let beginning):
      look = nil
      origin = beginning
    }
  }

  /// Everything up to a place in the stream has come.
  ///
  /// - Parameters:
  ///   - start: where the samples begin that have come.
  ///   - end: where they end.
  ///   - age: for how long they have been there.
  /// - Returns: whether the clock was set since the last call.
  mutating func observe(from start: Int64, to end: Int64, since age: Duration) -> ClockStep? {
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

  /// When the sample at a place in the stream was taken, in nanoseconds since 1970.
  func time(of position: Int64) -> Int64 { origin + nanoseconds(of: position) }

  /// The first sample that was taken at a time or later.
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
