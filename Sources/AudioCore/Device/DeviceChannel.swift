internal import Synchronization

/// Everything that a device thread and the session thread share: the ring, the counts, the commands.
struct DeviceChannel: ~Copyable, Sendable {
  let ring: SampleRing
  let gaps = GapLog()
  let clock = ClockLog()
  let drift = DriftRecord()
  let counters = DeviceCounters()
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
    case .ringOverflow: break
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

  /// Whether the session thread wants everything written so far played, then the end. Any thread.
  @_noAllocation @_noLocks
  func isToFinish() -> Bool { mustFinish.load(ordering: .acquiring) }

  /// Whether the session thread wants the end at once. Any thread.
  @_noAllocation @_noLocks
  func isToStop() -> Bool { mustStop.load(ordering: .acquiring) }

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
