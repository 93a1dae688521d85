internal import Synchronization

/// Everything that a device thread and the session thread share: the ring, the counts, the commands.
struct DeviceChannel: ~Copyable, Sendable {
  let ring: SampleRing
  let gaps = GapLog()
  let pauses = PauseLog()
  let clock = ClockLog()
  let drift = DriftRecord()
  let counters = DeviceCounters()
  let wakeUps = WakeUpDelays()
  let signals: DeviceSignals
  /// Set by the session thread: play what is in the ring, then end.
  private let mustFinish = Atomic<Bool>(false)
  /// Set by the session thread: end at once.
  private let mustStop = Atomic<Bool>(false)
  /// 1 while the thread runs, then 0 or the negative errno that ended it. Stored after the thread's
  /// last use of the ring.
  let outcome = Atomic<Int>(1)

  init(ring: consuming SampleRing, wakeup: Wakeup) {
    self.ring = ring
    signals = DeviceSignals(session: wakeup)
  }

  /// What happened so far. Any thread.
  func statistics() -> DeviceStatistics {
    var statistics = counters.statistics()
    statistics.wakeUps = wakeUps.summary()
    return statistics
  }

  /// How many samples per channel a playing device let be heard, and by how much that may be wrong. Any
  /// thread.
  func heard() -> (samples: Int64, uncertainty: Int64) {
    (
      Int64(counters.heard.load(ordering: .relaxed)),
      Int64(counters.heardUncertainty.load(ordering: .relaxed))
    )
  }

  /// The device thread's last act.
  @_noAllocation @_noLocks
  func end(with code: Int) {
    outcome.store(min(code, 0), ordering: .releasing)
    signals.signalSession()
  }

  /// Counts what went wrong. Device thread only.
  @_noAllocation @_noLocks
  func count(_ cause: DeviceGap.Cause) {
    switch cause {
    case .xrun: counters.xruns.wrappingAdd(1, ordering: .relaxed)
    case .suspend: counters.suspends.wrappingAdd(1, ordering: .relaxed)
    case .fault: counters.faults.wrappingAdd(1, ordering: .relaxed)
    case .ringOverflow: counters.overflows.wrappingAdd(1, ordering: .relaxed)
    }
  }

  /// Logs a gap in what was played. Device thread only.
  ///
  /// Where the log is full, ``DeviceCounters`` alone know of it.
  @_noAllocation @_noLocks
  func logGap(_ cause: DeviceGap.Cause) {
    let position = Int64(counters.moved.load(ordering: .relaxed))
    let gap = DeviceGap(cause: cause, position: position, lostSamples: nil)
    _ = gaps.append(GapMark(gap: gap, ringPosition: position), isLast: false)
  }

  /// Notes how late the device thread woke. Device thread only.
  ///
  /// - Parameter available: samples per channel that the device could move when the thread had woken; a
  ///   period of them is what it waited for.
  @_noAllocation @_noLocks
  func noteWakeUp(available: Int, _ parameters: AlsaParameters) {
    let excess = available - parameters.periodSize
    if excess >= 0 {
      wakeUps.note(microseconds: excess * 1_000_000 / parameters.format.sampleRate)
    }
  }

  /// Whether the session thread wants everything written so far played, then the end. Any thread.
  @_noAllocation @_noLocks
  func isToFinish() -> Bool { mustFinish.load(ordering: .acquiring) }

  /// Whether the session thread wants the end at once. Any thread.
  @_noAllocation @_noLocks
  func isToStop() -> Bool { mustStop.load(ordering: .acquiring) }

  /// Whether the device is to stand still. Any thread.
  @_noAllocation @_noLocks
  func isToPause() -> Bool { signals.session.pause.isActive() }

  /// Waits while the device is to stand still. Device thread only.
  @_noAllocation @_noLocks
  func waitForResumption() {
    let began = monotonicMilliseconds()
    signals.session.pause.beginPause()
    while isToPause(), !isToStop() { nap(milliseconds: 5) }
    signals.session.pause.endPause()
    counters.pauses.wrappingAdd(1, ordering: .relaxed)
    counters.pausedMilliseconds.wrappingAdd(
      monotonicMilliseconds() - began, ordering: .relaxed)
  }

  /// Runs `body`, the whole of a device thread, so that a pause waits for it. Device thread only.
  func whileRunning(_ body: () -> Void) {
    signals.session.pause.enter()
    body()
    signals.session.pause.leave()
  }

  /// Asks the device thread to play what was written and then end. Session thread only.
  func finish() {
    mustFinish.store(true, ordering: .releasing)
    signals.device.signal()
  }

  /// Asks the device thread to end. Session thread only.
  func stop() {
    mustStop.store(true, ordering: .releasing)
    signals.device.signal()
  }
}
