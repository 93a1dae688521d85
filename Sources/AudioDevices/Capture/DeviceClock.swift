// SPDX-License-Identifier: Apache-2.0
/// A device's clock against the system's: where it stands, how far it drifts, how well that is known.
///
/// The device's position is taken as `rate · (1 + drift) · (time − start)`. `start` is the anchor: when the device was
/// started, or the earliest instant that an observation of the first second allows. Because every estimate starts at
/// the anchor, errors do not add up over gaps. Where the device's clock was seen to stand still, everything behind is
/// later by as much.
///
/// `drift` is the slope of ordinary least squares over the earliest reading of each window (``ReadingWindow``), each
/// *stretch* between two losses of unknown length with an intercept of its own, drawn to 0 by a normal prior: as long as
/// little was observed that decides. (Ridge regression within groups; Hoerl and Kennard, Technometrics 12, 1970.)
///
/// Every uncertainty is to hold in 999 of 1,000 cases, however few the readings are: what a few of them agree in by
/// chance is widened by Student's distribution.
///
/// Device thread only.
struct DeviceClock {
  /// Standard deviation of a sound card's rate; hardly any is off by three of them.
  private static var usualDrift: Double {
    @_noAllocation @_noLocks get { 200e-6 }
  }
  /// How exactly the time of an observation can be known at best, in seconds.
  private static var timeResolution: Double {
    @_noAllocation @_noLocks get { 10e-6 }
  }
  /// The observations of how many seconds may set the anchor; 100 ppm of it are 100 µs.
  private static var anchorSpan: Double {
    @_noAllocation @_noLocks get { 1.0 }
  }
  /// How many windows beyond the first of each stretch tell a drift.
  private static var leastFreedom: Double {
    @_noAllocation @_noLocks get { 4 }
  }

  private let sampleRate: Double
  /// When the device was started; times below are in seconds since then.
  private let started: MonotonicTime
  // The observation that sets the anchor: its time, and how long the device had run at its nominal rate.
  private var anchorTime = 0.0
  private var anchorElapsed = 0.0
  private var anchorWindow: Double
  /// The earliest beginning that the first second showed, later than the anchor as it may be.
  private var firstBeginning = Double.infinity
  private var isFirstStretch = true

  // The windows of the current stretch.
  private var count = 0.0
  private var meanElapsed = 0.0
  private var meanStart = 0.0
  // All stretches: deviations from each one's means, squared and multiplied.
  private var elapsedElapsed = 0.0
  private var elapsedStart = 0.0
  private var startStart = 0.0
  /// Windows beyond the first of each stretch.
  private var freedom = 0.0
  /// Windows of stretches that have more than one.
  private var windowCount = 0.0
  private var standstill: Standstill
  private var pointer = PointerStep()
  /// Where the device stood at the last reading of the stretch.
  private var lastSamples: Int64 = -1

  private var firstTime = Double.infinity
  private var lastTime = -Double.infinity

  /// - Parameters:
  ///   - sampleRate: the nominal rate in hertz.
  ///   - started: when the device was started.
  ///   - window: how long starting it took, in seconds.
  ///   - step: the longest steps in which the device's pointer may move, in seconds.
  @_noAllocation @_noLocks
  init(sampleRate: Int, started: MonotonicTime, window: Double, step: Double = 0) {
    self.sampleRate = Double(sampleRate)
    self.started = started
    anchorWindow = window
    standstill = Standstill(step: step)
  }

  /// The device had given `samples` per channel since the stretch began.
  @_noAllocation @_noLocks
  mutating func observe(_ reading: CaptureReading, samples: Int64) {
    // One that gave nothing new may be about to fail, however often it is asked.
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
    pointer.observe(samples)
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

  /// Nobody knows how many samples lie between those observed so far and those to come.
  @_noAllocation @_noLocks
  mutating func endStretch() {
    isFirstStretch = false
    lastSamples = -1
    pointer.endStretch()
    standstill.endStretch()
    beginGroup()
  }

  /// Observations from now on have an intercept of their own.
  @_noAllocation @_noLocks
  private mutating func beginGroup() {
    count = 0
    meanElapsed = 0
    meanStart = 0
  }

  /// How much faster than nominal the device runs, as a fraction.
  var drift: Double {
    @_noAllocation @_noLocks get {
      guard elapsedElapsed > 0 else { return 0 }
      let slope = elapsedStart / elapsedElapsed * trust
      return -slope / (1 + slope)
    }
  }

  /// By how much ``drift`` may be off in either direction.
  var driftUncertainty: Double {
    @_noAllocation @_noLocks get {
      normalQuantile * Self.usualDrift * squareRoot(1 - trust)
    }
  }

  /// How much of the slope counts, from 0 to 1: the rest is the prior's.
  private var trust: Double {
    @_noAllocation @_noLocks get {
      guard elapsedElapsed > 0, span > 0 else { return 0 }
      let prior = Self.usualDrift * Self.usualDrift
      // Readings in time with the steps of a pointer are off by half a step in either direction, at worst all in one as
      // long as the deviation of their time has one sign: by Cauchy and Schwarz the slope is off by no more than this.
      let step = pointerStep / 2 * squareRoot(windowCount / elapsedElapsed) / normalQuantile
      return prior / (prior + variance / elapsedElapsed + step * step)
    }
  }

  /// Whether enough was observed to tell how well ``drift`` is known: what scatters little by chance among a few
  /// observations says nothing.
  var isDriftKnown: Bool {
    @_noAllocation @_noLocks get { freedom >= Self.leastFreedom && span > 0 }
  }

  /// From the first observation to the last, in seconds.
  var span: Double {
    @_noAllocation @_noLocks get { max(lastTime - firstTime, 0) }
  }

  /// In which steps the device's pointer was seen to move, in seconds.
  private var pointerStep: Double {
    @_noAllocation @_noLocks get { Double(pointer.samples) / sampleRate }
  }

  /// The position on the device's clock of a sample, in samples per channel since the start.
  ///
  /// - Parameters:
  ///   - samples: how many per channel the device had given at the reading, counted from the one in
  ///     question.
  ///   - restarted: when the device had been started again; the sample is no later.
  ///   - restartWindow: how long that took, in seconds; the sample is no earlier than it began.
  @_noAllocation @_noLocks
  func position(
    of reading: CaptureReading, samples: Int64, restarted: MonotonicTime, restartWindow: Double
  ) -> (samples: Double, uncertainty: Double) {
    let drift = drift
    let elapsed = Double(samples) / sampleRate
    let latest = restarted.seconds(since: started)
    let earliest = latest - restartWindow
    let observed = reading.time.seconds(since: started) - elapsed / (1 + drift)
    let begin = min(max(observed, earliest), latest)
    // How much earlier and how much later it may have been. A device that stood still again at once began earlier than
    // it seems.
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

  /// When the device gave its first sample, by what is known now, in seconds.
  ///
  /// One that many readings find later than its start began later: a sound server takes some time. Where a few do,
  /// nobody knows.
  @_noAllocation @_noLocks
  private func anchor(_ drift: Double) -> (time: Double, uncertainty: Double) {
    let time = anchorTime - anchorElapsed / (1 + drift) + standstill.duration
    let late = firstBeginning.isFinite ? max(firstBeginning - (anchorTime - anchorElapsed), 0) : 0
    if standstill.isScatterObserved, late > standstill.scatter + 1e-3 {
      return (time + late, anchorWindow + standstill.scatter)
    }
    return (time, anchorWindow + late)
  }

  /// Of the earliest beginning of a window, in seconds squared; wide enough for ``normalQuantile``.
  private var variance: Double {
    @_noAllocation @_noLocks get {
      // A device counts whole samples: the error is uniform over one, its variance a twelfth of that squared.
      let least = Self.timeResolution * Self.timeResolution + 1 / (12 * sampleRate * sampleRate)
      // What lies within the scatter deviates from its middle by no more than half of it.
      let most = max(standstill.scatter * standstill.scatter / 4, least)
      guard freedom > 1, elapsedElapsed > 0 else { return most }
      let residue = startStart - elapsedStart * elapsedStart / elapsedElapsed
      let widening = studentQuantile(freedom - 1) / normalQuantile
      let seen = max(residue / (freedom - 1), least) * widening * widening
      return freedom < Self.leastFreedom ? max(min(seen, most), least) : seen
    }
  }
}

/// Within how many standard deviations 999 of 1,000 normal deviates lie.
private var normalQuantile: Double {
  @_noAllocation @_noLocks get { 3.2905 }
}

/// Within how many standard deviations, estimated with `freedom` degrees of freedom, 999 of 1,000 deviates lie.
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
