// SPDX-License-Identifier: Apache-2.0
/// Finds where a device's clock stood still, or went on by itself, while the system's ran.
///
/// A sample's time less the time that the device ran is its *beginning*. Drift moves that slowly, and readings
/// that come late, or a pointer that moves in steps, put it later now and then, never earlier. So where three
/// readings in a row are later than the earliest of the readings before by more than those scatter, the clock
/// stood still; where one is earlier by as much, it has caught up. What comes between readings that are fewer
/// is not told from scatter.
///
/// Device thread only.
struct Standstill {
  /// Of how many readings the earliest counts.
  private static var windowLength: Int {
    @_noAllocation @_noLocks get { 8 }
  }
  /// What no scatter is, in seconds.
  private static var least: Double {
    @_noAllocation @_noLocks get { 1e-3 }
  }
  /// More than any clock drifts.
  private static var mostDrift: Double {
    @_noAllocation @_noLocks get { 1e-3 }
  }

  /// What a reading says.
  enum Finding: BitwiseCopyable {
    /// It is as those before.
    case usual
    /// It is late, which may be scatter or a standstill.
    case late
    /// The clock stood still or caught up.
    case shifted
  }

  /// How much later samples are than the device's clock alone would say, in seconds.
  private(set) var duration = 0.0
  /// How well that is known.
  private(set) var uncertainty = 0.0

  /// How far beginnings scatter, as far as that is known.
  private var scatter: Double
  /// The earliest beginning of the readings before, and when the first of these was.
  private var earliest = 0.0
  private var since = 0.0
  private var count = 0
  private var windowEarliest = 0.0
  private var windowLatest = 0.0
  private var windowCount = 0
  private var windowSince = 0.0
  // The last three beginnings.
  private var last = 0.0
  private var secondLast = 0.0
  private var thirdLast = 0.0
  private var lastElapsed = 0.0

  /// - Parameter step: the steps in which the device's pointer may move, in seconds.
  @_noAllocation @_noLocks
  init(step: Double) {
    scatter = step
  }

  /// A reading of the current stretch.
  ///
  /// - Parameters:
  ///   - beginning: its time less what the device ran, in seconds.
  ///   - elapsed: what the device ran.
  @_noAllocation @_noLocks
  mutating func observe(beginning: Double, elapsed: Double) -> Finding {
    thirdLast = secondLast
    secondLast = last
    last = beginning
    lastElapsed = elapsed
    count += 1
    if count == 1 {
      restart(at: beginning, elapsed)
      return .usual
    }
    let limit = limit
    if earliest - last > limit, duration > 0 {
      shift(by: -min(duration, earliest - last), to: last)
      return .shifted
    }
    if last - earliest <= limit {
      add(beginning)
      return .usual
    }
    if count < 4 || min(secondLast, thirdLast) - earliest <= limit { return .late }
    // The first of the three may lie within the standstill.
    let lately = min(last, secondLast)
    shift(by: lately - earliest, to: lately)
    return .shifted
  }

  /// What is seen from now on does not belong to what was seen before.
  ///
  /// A reading or two that were late at its end may have been a standstill that began there.
  @_noAllocation @_noLocks
  mutating func endStretch() {
    if count > 0, last - earliest > limit { uncertainty += last - earliest }
    count = 0
  }

  /// How much later than the earliest a reading usually is at most.
  private var limit: Double {
    @_noAllocation @_noLocks get {
      Self.least + 2 * scatter + Self.mostDrift * (lastElapsed - since)
    }
  }

  @_noAllocation @_noLocks
  private mutating func shift(by difference: Double, to beginning: Double) {
    duration += difference
    uncertainty += scatter + 100e-6
    restart(at: beginning, lastElapsed)
  }

  @_noAllocation @_noLocks
  private mutating func restart(at beginning: Double, _ elapsed: Double) {
    earliest = beginning
    since = elapsed
    count = 1
    windowCount = 0
    add(beginning)
  }

  @_noAllocation @_noLocks
  private mutating func add(_ beginning: Double) {
    if windowCount == 0 {
      windowEarliest = beginning
      windowLatest = beginning
      windowSince = lastElapsed
    }
    windowEarliest = min(windowEarliest, beginning)
    windowLatest = max(windowLatest, beginning)
    windowCount += 1
    if windowCount < Self.windowLength { return }
    earliest = windowEarliest
    since = windowSince
    scatter = windowLatest - windowEarliest
    windowCount = 0
  }
}
