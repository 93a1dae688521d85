// SPDX-License-Identifier: Apache-2.0
/// A device's clock against the system's: its position, its drift and their uncertainty.
///
/// The model of the device's position is `rate · (1 + drift) · (time − start)`. `start` is the anchor: the start of
/// the device, or the earliest instant that an observation of the first second allows. Because every estimate starts
/// at the anchor, errors do not add up over gaps. If the clock stood still, later positions shift by that time.
///
/// `drift` is the slope of ordinary least squares over the earliest reading of each window (``ReadingWindow``). Each
/// *stretch* between two losses of unknown length has an intercept of its own. A normal prior draws the slope to 0
/// and decides while observations are few. (Ridge regression within groups; Hoerl and Kennard, Technometrics 12,
/// 1970.)
///
/// Every uncertainty holds in 999 of 1,000 cases, however few the readings are: Student's distribution widens the
/// chance agreement of a few.
///
/// Device thread only.
package struct DeviceClock {
  /// The standard deviation of a sound card's rate, as a fraction; hardly any card is off by three of them.
  private static let usualDrift = 200e-6
  /// The best resolution of an observation's time, in seconds.
  private static let timeResolution = 10e-6
  /// The seconds whose observations may set the anchor; 100 ppm of them are 100 µs.
  private static let anchorSpan = 1.0
  /// The least windows beyond the first of each stretch that determine a drift.
  private static let leastFreedom = 4.0

  private let sampleRate: Double
  /// The start of the device; times below are in seconds since then.
  private let started: MonotonicTime
  // The observation that sets the anchor: its time, and the device's running time at the nominal rate.
  private var anchorTime = 0.0
  private var anchorElapsed = 0.0
  private var anchorWindow: Double
  /// The earliest beginning in the first second; it may be later than the anchor.
  private var firstBeginning = Double.infinity
  private var isFirstStretch = true

  // The windows of the current stretch.
  private var count = 0.0
  private var meanElapsed = 0.0
  private var meanStart = 0.0
  // All stretches: squares and products of the deviations from the means of each stretch.
  private var elapsedElapsed = 0.0
  private var elapsedStart = 0.0
  private var startStart = 0.0
  /// Windows beyond the first of each stretch.
  private var freedom = 0.0
  /// Windows of stretches that have more than one.
  private var windowCount = 0.0
  private var standstill: Standstill
  private var pointer = PointerStep()
  private let isReadAtSteps: Bool
  /// The device's position at the last reading of the stretch.
  private var lastSamples: Int64 = -1

  private var firstTime = Double.infinity
  private var lastTime = -Double.infinity

  /// - Parameters:
  ///   - sampleRate: the nominal rate in hertz.
  ///   - started: the start of the device.
  ///   - window: the duration of that start, in seconds.
  ///   - step: the longest step of the device's pointer, in seconds.
  ///   - isReadAtSteps: whether each reading is made when the pointer moves, as the arrival of a packet is. Otherwise the
  ///     time since its last move is unknown.
  @_noAllocation @_noLocks
  package init(
    sampleRate: Int, started: MonotonicTime, window: Double, step: Double = 0,
    isReadAtSteps: Bool = false
  ) {
    self.isReadAtSteps = isReadAtSteps
    self.sampleRate = Double(sampleRate)
    self.started = started
    anchorWindow = window
    standstill = Standstill(step: step)
  }

  /// Notes that the device had delivered `samples` per channel since the start of the stretch.
  @_noAllocation @_noLocks
  package mutating func observe(_ reading: CaptureReading, samples: Int64) {
    // A device that delivered nothing new may be about to fail.
    if samples <= lastSamples { return }
    lastSamples = samples
    let elapsed = Double(samples) / sampleRate
    let time = reading.time.seconds(since: started)
    let start = time - elapsed
    if isFirstStretch, elapsed < Self.anchorSpan {
      firstBeginning = min(firstBeginning, start)
      if start < anchorTime - anchorElapsed {
        anchorTime = time
        anchorElapsed = elapsed
        anchorWindow = reading.window
      }
    }
    guard reading.isClean else { return }
    if !isReadAtSteps { pointer.observe(samples) }
    switch standstill.observe(beginning: start, elapsed: elapsed, step: pointerStep) {
    case .usual: break
    case .usualAndLast(let window): add(window)
    case .late: return
    case .shifted: beginGroup()
    }
    firstTime = min(firstTime, time)
    lastTime = max(lastTime, time)
  }

  @_noAllocation @_noLocks
  private mutating func add(_ window: ReadingWindow) {
    if count > 0 {
      freedom += 1
      windowCount += count == 1 ? 2 : 1
    }
    count += 1
    let elapsedDeviation = window.elapsed - meanElapsed
    let startDeviation = window.earliest - meanStart
    meanElapsed += elapsedDeviation / count
    meanStart += startDeviation / count
    elapsedElapsed += elapsedDeviation * (window.elapsed - meanElapsed)
    elapsedStart += elapsedDeviation * (window.earliest - meanStart)
    startStart += startDeviation * (window.earliest - meanStart)
  }

  /// Ends a stretch: the number of samples up to the next observation is unknown.
  @_noAllocation @_noLocks
  package mutating func endStretch() {
    isFirstStretch = false
    lastSamples = -1
    pointer.endStretch()
    standstill.endStretch()
    beginGroup()
  }

  /// Gives the observations from now on an intercept of their own.
  @_noAllocation @_noLocks
  private mutating func beginGroup() {
    count = 0
    meanElapsed = 0
    meanStart = 0
  }

  /// How much faster than nominal the device runs, as a fraction.
  package var drift: Double {
    @_noAllocation @_noLocks get {
      guard elapsedElapsed > 0 else { return 0 }
      let slope = elapsedStart / elapsedElapsed * trust
      return -slope / (1 + slope)
    }
  }

  /// The uncertainty of ``drift`` in either direction.
  package var driftUncertainty: Double {
    @_noAllocation @_noLocks get {
      normalQuantile * Self.usualDrift * squareRoot(1 - trust)
    }
  }

  /// The share of the slope that counts, from 0 to 1; the prior takes the rest.
  private var trust: Double {
    guard elapsedElapsed > 0, span > 0 else { return 0 }
    let prior = Self.usualDrift * Self.usualDrift
    // Readings in time with the pointer's steps are off by half a step either way. At worst all errors have the
    // sign of their time's deviation. Then, by Cauchy and Schwarz, the slope is off by at most this.
    let step = pointerStep / 2 * squareRoot(windowCount / elapsedElapsed) / normalQuantile
    return prior / (prior + variance / elapsedElapsed + step * step)
  }

  /// Whether the uncertainty of ``drift`` is reliable: a few observations may scatter little by chance.
  package var isDriftKnown: Bool {
    @_noAllocation @_noLocks get { freedom >= Self.leastFreedom && span > 0 }
  }

  /// The drift, if it is known to within 100 ppm.
  package var knownDrift: ClockDrift? {
    @_noAllocation @_noLocks get {
      let uncertainty = driftUncertainty
      guard isDriftKnown, uncertainty < 100e-6 else { return nil }
      return ClockDrift(
        partsPerMillion: drift * 1e6, uncertainty: uncertainty * 1e6, seconds: span)
    }
  }

  /// The time from the first observation to the last, in seconds.
  package var span: Double {
    @_noAllocation @_noLocks get { max(lastTime - firstTime, 0) }
  }

  /// The observed step of the device's pointer, in seconds.
  private var pointerStep: Double { Double(pointer.samples) / sampleRate }

  /// The position of a sample on the device's clock, in samples per channel since the start.
  ///
  /// - Parameters:
  ///   - samples: samples per channel that the device had delivered at the reading, counted from the sample in
  ///     question.
  ///   - restarted: the time by which the device had been restarted, an upper bound of the sample's time.
  ///   - restartWindow: the duration of the restart, in seconds; its start is a lower bound of the sample's time.
  @_noAllocation @_noLocks
  package func position(
    of reading: CaptureReading, samples: Int64, restarted: MonotonicTime, restartWindow: Double
  ) -> (samples: Double, uncertainty: Double) {
    let drift = drift
    let elapsed = Double(samples) / sampleRate
    let latest = restarted.seconds(since: started)
    let earliest = latest - restartWindow
    let observed = reading.time.seconds(since: started) - elapsed / (1 + drift)
    let begin = min(max(observed, earliest), latest)
    // The error bounds either way. A device that stopped again at once began earlier than it seems.
    var before = restartWindow
    var after = 0.0
    if reading.isRunning {
      let drifted = driftUncertainty * elapsed
      before = begin - earliest
      let last = max(observed, min(observed + drifted, latest))
      after = max(reading.window, last - begin)
    }
    let anchor = anchor(drift)
    let time = max(begin - anchor.time, 0)
    let timing = max(before, after) + anchor.uncertainty + standstill.uncertainty
    return (
      time * sampleRate * (1 + drift), 1 + sampleRate * (timing + driftUncertainty * time)
    )
  }

  /// The time of the device's first sample by the present knowledge, in seconds.
  ///
  /// If many readings find it later than the start, the device began later: a sound server takes some time. With few
  /// readings, the difference stays uncertain.
  @_noAllocation @_noLocks
  private func anchor(_ drift: Double) -> (time: Double, uncertainty: Double) {
    let time = anchorTime - anchorElapsed / (1 + drift) + standstill.duration
    let late = firstBeginning.isFinite ? max(firstBeginning - (anchorTime - anchorElapsed), 0) : 0
    if standstill.isScatterObserved, late > standstill.scatter + 1e-3 {
      return (time + late, anchorWindow + standstill.scatter)
    }
    return (time, anchorWindow + late)
  }

  /// The variance of a window's earliest beginning, in seconds squared; wide enough for ``normalQuantile``.
  private var variance: Double {
    // A device counts whole samples: the error is uniform over one, so its variance is a twelfth of that squared.
    let least = Self.timeResolution * Self.timeResolution + 1 / (12 * sampleRate * sampleRate)
    // A value within the scatter deviates from the middle by at most half of the scatter.
    let most = max(standstill.scatter * standstill.scatter / 4, least)
    guard freedom > 1, elapsedElapsed > 0 else { return most }
    let residue = startStart - elapsedStart * elapsedStart / elapsedElapsed
    let widening = studentQuantile(freedom - 1) / normalQuantile
    let seen = max(residue / (freedom - 1), least) * widening * widening
    return freedom < Self.leastFreedom ? max(min(seen, most), least) : seen
  }
}

/// The corresponding C function is `sqrt`: an exit from the proof.
@_semantics("no_performance_analysis")
private func squareRoot(_ number: Double) -> Double { number.squareRoot() }

/// The number of standard deviations within which 999 of 1,000 normal deviates lie.
private let normalQuantile = 3.2905

/// The number of standard deviations, estimated with `freedom` degrees of freedom, for 999 of 1,000 deviates.
///
/// Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5: within 7 % from four degrees on; less below.
@_noAllocation @_noLocks
private func studentQuantile(_ freedom: Double) -> Double {
  let x = normalQuantile
  let square = x * x
  let first = x * (square + 1) / 4
  let second = x * ((5 * square + 16) * square + 3) / 96
  let third = x * (((3 * square + 19) * square + 17) * square - 15) / 384
  return x + (first + (second + third / freedom) / freedom) / freedom
}

/// The step of a device's pointer: the greatest common divisor of its observed moves.
///
/// The pointer of one device counts every sample, another's only whole bursts or periods. Between two steps
/// the device seems to stand still, so a reading may be late by one step.
///
/// A device that fails or stands still reports the place of its stop, which may lie between two steps. So the
/// step shrinks only if two readings in a row say so.
///
/// Device thread only.
struct PointerStep {
  /// In samples per channel; 0 until the pointer has moved.
  private(set) var samples: Int64 = 0
  /// The first position of this stretch; −1 before it.
  private var origin: Int64 = -1
  /// The move at the last reading if it was no multiple of the step; else 0.
  private var between: Int64 = 0

  /// Notes that the device had delivered `position` samples per channel since the start of the stretch.
  @_noAllocation @_noLocks
  mutating func observe(_ position: Int64) {
    if origin < 0 {
      origin = position
      return
    }
    let moved = position - origin
    if samples == 0 || moved % samples == 0 {
      if samples == 0 { samples = moved }
      between = 0
    } else if between == 0 {
      between = moved
    } else {
      samples = commonDivisor(samples, commonDivisor(between, moved))
      between = 0
    }
  }

  /// Starts a new stretch, whose positions count from another sample.
  @_noAllocation @_noLocks
  mutating func endStretch() {
    origin = -1
    between = 0
  }
}

/// The greatest common divisor, by Euclid's algorithm.
@_noAllocation @_noLocks
private func commonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
  var larger = first
  var smaller = second
  while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
  return larger
}
