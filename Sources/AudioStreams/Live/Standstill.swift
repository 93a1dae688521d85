// SPDX-License-Identifier: Apache-2.0
/// Finds the times at which a device's clock stood still, or caught up, against the system's.
///
/// The *beginning* of a reading is its time less the time that the device ran. Drift moves it slowly. A late
/// reading or a step of the pointer may move it later, never earlier. So the clock stood still if three
/// readings in a row are later than the earliest reading before by more than the scatter. It has caught up if
/// one reading is earlier by as much. Fewer than three late readings are indistinguishable from scatter.
///
/// Device thread only.
struct Standstill {
  /// The least shift that is never scatter, in seconds.
  private static let least = 1e-3
  /// More than the drift of any clock, as a fraction.
  private static let mostDrift = 1e-3
  /// The share of the largest scatter that still counts a window later.
  private static let memory = 0.95

  /// The meaning of a reading.
  enum Finding: BitwiseCopyable {
    /// It agrees with the readings before.
    case usual
    /// It agrees with the readings before, and ends a window.
    case usualAndLast(of: ReadingWindow)
    /// It is late, by scatter or a standstill.
    case late
    /// The clock stood still or caught up.
    case shifted
  }

  /// The total shift of the beginnings against the device's clock, in seconds.
  private(set) var duration = 0.0
  /// The uncertainty of ``duration``, in seconds.
  private(set) var uncertainty = 0.0
  /// The lateness that a reading may have without a standstill, in seconds.
  private(set) var scatter: Double
  /// Whether ``scatter`` was observed; until then it is the step of the device's pointer.
  private(set) var isScatterObserved = false

  /// The earliest beginning of the readings before, and the device's running time at their first.
  private var earliest = 0.0
  private var since = 0.0
  private var count = 0
  private var window = ReadingWindow()
  // The last three beginnings.
  private var last = 0.0
  private var secondLast = 0.0
  private var thirdLast = 0.0
  private var lastElapsed = 0.0

  /// - Parameter step: the longest step of the device's pointer, in seconds.
  @_noAllocation @_noLocks
  init(step: Double) {
    scatter = step
  }

  /// Adds a reading of the current stretch.
  ///
  /// - Parameters:
  ///   - beginning: the reading's time less the time that the device ran, in seconds.
  ///   - elapsed: the time that the device ran, in seconds.
  ///   - step: the observed step of the pointer, in seconds.
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

  /// Separates the readings before from those to come.
  ///
  /// One or two late readings at the end may be the start of a standstill.
  @_noAllocation @_noLocks
  mutating func endStretch() {
    if count > 0, last - earliest > limit { uncertainty += last - earliest }
    count = 0
  }

  /// The usual lateness of a reading against the earliest, at most.
  private var limit: Double {
    Self.least + 2 * scatter + Self.mostDrift * (lastElapsed - since)
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

/// A few consecutive readings of a device's clock, reduced to the earliest *beginning*: the time of a reading
/// less the time that the device ran.
///
/// A reading may be late and is never early. So the earliest of a few is nearly free of chance, and a reading
/// of a device about to fail changes nothing.
///
/// Device thread only.
struct ReadingWindow {
  /// The readings in a window.
  private static let length = 8

  /// The earliest beginning, in seconds.
  private(set) var earliest = 0.0
  /// The device's running time at the earliest reading, in seconds.
  private(set) var elapsed = 0.0
  /// The device's running time at the first reading, in seconds.
  private(set) var since = 0.0
  private var latest = 0.0
  private var count = 0

  var isFull: Bool { count >= Self.length }

  /// The spread of the beginnings, in seconds.
  var range: Double { latest - earliest }

  @_noAllocation @_noLocks
  mutating func add(_ beginning: Double, elapsed: Double) {
    if count == 0 {
      since = elapsed
      latest = beginning
    }
    if count == 0 || beginning < earliest {
      earliest = beginning
      self.elapsed = elapsed
    }
    latest = max(latest, beginning)
    count += 1
  }
}
