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
  /// What no scatter is, in seconds.
  private static var least: Double {
    @_noAllocation @_noLocks get { 1e-3 }
  }
  /// More than any clock drifts.
  private static var mostDrift: Double {
    @_noAllocation @_noLocks get { 1e-3 }
  }
  /// How much of the largest scatter is still believed a window later.
  private static var memory: Double {
    @_noAllocation @_noLocks get { 0.95 }
  }

  /// What a reading says.
  enum Finding: BitwiseCopyable {
    /// It is as those before.
    case usual
    /// It is as those before, and the last of a window.
    case usualAndLast(of: ReadingWindow)
    /// It is late, which may be scatter or a standstill.
    case late
    /// The clock stood still or caught up.
    case shifted
  }

  /// How much later samples are than the device's clock alone would say, in seconds.
  private(set) var duration = 0.0
  /// How well that is known.
  private(set) var uncertainty = 0.0
  /// How late a reading may be by itself, in seconds.
  private(set) var scatter: Double
  /// Whether ``scatter`` was observed, and is not only what the device's period allows.
  private(set) var isScatterObserved = false

  /// The earliest beginning of the readings before, and when the first of these was.
  private var earliest = 0.0
  private var since = 0.0
  private var count = 0
  private var window = ReadingWindow()
  // The last three beginnings.
  private var last = 0.0
  private var secondLast = 0.0
  private var thirdLast = 0.0
  private var lastElapsed = 0.0

  /// - Parameter step: the longest steps in which the device's pointer may move, in seconds.
  @_noAllocation @_noLocks
  init(step: Double) {
    scatter = step
  }

  /// A reading of the current stretch.
  ///
  /// - Parameters:
  ///   - beginning: its time less what the device ran, in seconds.
  ///   - elapsed: what the device ran.
  ///   - step: in which steps the pointer was seen to move, in seconds.
  @_noAllocation @_noLocks
  mutating func observe(beginning: Double, elapsed: Double, step: Double) -> Finding {
    thirdLast = secondLast
    secondLast = last
    last = beginning
    lastElapsed = elapsed
    count += 1
    if isScatterObserved { scatter = max(scatter, step) }
    if count == 1 {
      restart(at: beginning, elapsed)
      return .usual
    }
    let limit = limit
    if earliest - last > limit, duration > 0 {
      shift(by: -min(duration, earliest - last), to: last)
      return .shifted
    }
    if last - earliest <= limit { return add(beginning) }
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
    window = ReadingWindow()
    window.add(beginning, elapsed: elapsed)
  }

  @_noAllocation @_noLocks
  private mutating func add(_ beginning: Double) -> Finding {
    window.add(beginning, elapsed: lastElapsed)
    guard window.isFull else { return .usual }
    let full = window
    earliest = full.earliest
    since = full.since
    scatter = isScatterObserved ? max(full.range, scatter * Self.memory) : full.range
    isScatterObserved = true
    window = ReadingWindow()
    return .usualAndLast(of: full)
  }
}
