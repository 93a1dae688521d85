// SPDX-License-Identifier: Apache-2.0
/// A device's clock against the system's: where it stands, how far it drifts, how well that is known.
///
/// The device's position is taken as `rate · (1 + drift) · (time − start)`. `start` is the anchor: the
/// earliest instant that an observation of the first second allows. `drift` is the slope of ordinary least
/// squares over all observations, each *stretch* between two losses of unknown length with an intercept of
/// its own, drawn to 0 by a prior of 100 ppm, which no sound card's quartz is far beyond: after a few
/// milliseconds the prior decides, after a second the observations do. (Ridge regression within groups;
/// Hoerl and Kennard, Technometrics 12, 1970.) Because every estimate starts at the anchor, errors do not
/// add up over gaps. Where the device's clock was seen to stand still, everything behind is later by as much.
///
/// Device thread only.
struct DeviceClock {
  /// Standard deviation of a sound card's rate.
  private static var usualDrift: Double {
    @_noAllocation @_noLocks get { 100e-6 }
  }
  /// How exactly the time of an observation can be known at best, in seconds.
  private static var timeResolution: Double {
    @_noAllocation @_noLocks get { 10e-6 }
  }
  /// The observations of how many seconds may set the anchor; 100 ppm of it are 100 µs.
  private static var anchorSpan: Double {
    @_noAllocation @_noLocks get { 1.0 }
  }

  private let sampleRate: Double
  /// When the device was started; times below are in seconds since then.
  private let started: MonotonicTime
  // The observation that sets the anchor: its time, and how long the device had run at its nominal rate.
  private var anchorTime = 0.0
  private var anchorElapsed = 0.0
  private var anchorWindow: Double
  private var isFirstStretch = true

  // The current stretch.
  private var count = 0.0
  private var meanElapsed = 0.0
  private var meanStart = 0.0
  // All stretches: deviations from each one's means, squared and multiplied.
  private var elapsedElapsed = 0.0
  private var elapsedStart = 0.0
  private var startStart = 0.0
  /// Observations beyond the first of each stretch.
  private var freedom = 0.0
  private var standstill: Standstill

  private var firstTime = Double.infinity
  private var lastTime = -Double.infinity

  /// - Parameters:
  ///   - sampleRate: the nominal rate in hertz.
  ///   - started: when the device was started.
  ///   - window: how long starting it took, in seconds.
  ///   - step: the steps in which the device's pointer may move, in seconds.
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
    let elapsed = Double(samples) / sampleRate
    let time = reading.time.seconds(since: started)
    let start = time - elapsed
    if isFirstStretch, elapsed < Self.anchorSpan, start < anchorTime - anchorElapsed {
      anchorTime = time
      anchorElapsed = elapsed
      anchorWindow = reading.window
    }
    guard reading.isClean else { return }
    switch standstill.observe(beginning: start, elapsed: elapsed) {
    case .usual: break
    case .late: return
    case .shifted: beginGroup()
    }
    firstTime = min(firstTime, time)
    lastTime = max(lastTime, time)
    if count > 0 { freedom += 1 }
    count += 1
    let elapsedDeviation = elapsed - meanElapsed
    let startDeviation = start - meanStart
    meanElapsed += elapsedDeviation / count
    meanStart += startDeviation / count
    elapsedElapsed += elapsedDeviation * (elapsed - meanElapsed)
    elapsedStart += elapsedDeviation * (start - meanStart)
    startStart += startDeviation * (start - meanStart)
  }

  /// Nobody knows how many samples lie between those observed so far and those to come.
  @_noAllocation @_noLocks
  mutating func endStretch() {
    isFirstStretch = false
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
      let slope = elapsedStart / (elapsedElapsed + priorWeight)
      return -slope / (1 + slope)
    }
  }

  /// Twice the standard deviation of ``drift``.
  var driftUncertainty: Double {
    @_noAllocation @_noLocks get {
      2 * squareRoot(variance / (elapsedElapsed + priorWeight))
    }
  }

  /// Whether enough was observed to tell how well ``drift`` is known: what scatters little by chance among a few
  /// observations says nothing.
  var isDriftKnown: Bool {
    @_noAllocation @_noLocks get { freedom >= 8 && span > 0 }
  }

  /// From the first observation to the last, in seconds.
  var span: Double {
    @_noAllocation @_noLocks get { max(lastTime - firstTime, 0) }
  }

  /// The position on the device's clock of a sample, in samples per channel since the start.
  ///
  /// - Parameters:
  ///   - samples: how many per channel the device had given at the reading, counted from the one in
  ///     question.
  ///   - restarted: when the device had been started again; the sample is no later.
  ///   - restartWindow: how long that took, in seconds.
  @_noAllocation @_noLocks
  func position(
    of reading: CaptureReading, samples: Int64, restarted: MonotonicTime, restartWindow: Double
  ) -> (samples: Double, uncertainty: Double) {
    let drift = drift
    let elapsed = Double(samples) / sampleRate
    let observed = reading.time.seconds(since: started) - elapsed / (1 + drift)
    let begin = min(observed, restarted.seconds(since: started))
    let window = reading.isRunning ? max(reading.window, observed - begin) : restartWindow
    let anchor = anchorTime - anchorElapsed / (1 + drift) + standstill.duration
    let time = max(begin - anchor, 0)
    let timing = window + anchorWindow + 2 * squareRoot(variance) + standstill.uncertainty
    return (
      time * sampleRate * (1 + drift),
      1 + sampleRate * (timing + driftUncertainty * time)
    )
  }

  /// Of a single observation, in seconds squared.
  private var variance: Double {
    @_noAllocation @_noLocks get {
      // A device counts whole samples: the error is uniform over one, its variance a twelfth of that squared.
      let least = Self.timeResolution * Self.timeResolution + 1 / (12 * sampleRate * sampleRate)
      guard freedom > 1, elapsedElapsed > 0 else { return least }
      let residue = startStart - elapsedStart * elapsedStart / elapsedElapsed
      return max(residue / (freedom - 1), least)
    }
  }

  private var priorWeight: Double {
    @_noAllocation @_noLocks get { variance / (Self.usualDrift * Self.usualDrift) }
  }
}

/// How far a capturing device had come at an instant, and how well that is known: what a capture keeps
/// account of its samples by. Those who follow a device's clock get a ``ClockReading`` instead.
struct CaptureReading: BitwiseCopyable {
  /// Of a monotonic clock that stands still while the device is paused.
  var time: MonotonicTime
  /// How long the question took, in seconds: the device may have come so far this much earlier.
  var window: Double
  /// Samples per channel that the device held then.
  var available: Int
  /// Whether the device was at work: of one that had stopped, nobody knows when it stood there.
  var isRunning: Bool

  @_noAllocation @_noLocks
  init(time: MonotonicTime, window: Double, available: Int, isRunning: Bool) {
    self.time = time
    self.window = window
    self.available = available
    self.isRunning = isRunning
  }

  /// Above this the thread was interrupted in between.
  static var longestCleanWindow: Double {
    @_noAllocation @_noLocks get { 100e-6 }
  }

  var isClean: Bool {
    @_noAllocation @_noLocks get { isRunning && window <= Self.longestCleanWindow }
  }
}
