// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import Synchronization

/// Everything that a device thread and the session thread share: the ring, the counts, the commands.
struct DeviceLink: ~Copyable, Sendable {
  let ring: SampleRing
  /// The gaps that the session thread has not taken yet.
  let gaps = RealTimeQueue<GapMark>(capacity: 1_024)
  /// The pauses that the session thread has not taken yet; if the queue is full, a pause is only counted.
  let pauses = RealTimeQueue<PauseMark>(capacity: 1_024)
  private let clockReadings = RealTimeQueue<ClockReading>(capacity: 256)
  private let isClockWatched = Atomic<Bool>(false)
  let drift = DriftRecord()
  let counters = DeviceCounters()
  let wakeUps = WakeUpDelays()
  let signals: DeviceSignals
  /// Set by the session thread: play the samples in the ring, then end.
  private let mustFinish = Atomic<Bool>(false)
  /// Set by the session thread: end at once.
  private let mustStop = Atomic<Bool>(false)
  /// A ``State``: 1, 0, or a negative errno.
  private let storedState = Atomic<CInt>(1)
  /// The capture time of the last sample handed on, in nanoseconds of the monotonic clock.
  private let captured = Atomic<Int>(0)

  /// The stage that a device thread has reached.
  enum State: BitwiseCopyable, Equatable {
    case running
    /// It ended on request.
    case ended
    /// It ended because its device failed.
    case lost(DeviceFailure)
  }

  init(ring: consuming SampleRing, wakeup: Wakeup) {
    self.ring = ring
    signals = DeviceSignals(session: wakeup)
  }

  /// The counts so far. Any thread.
  func statistics() -> DeviceStatistics {
    var statistics = counters.statistics()
    statistics.wakeUps = wakeUps.summary()
    return statistics
  }

  /// The samples per channel heard from a playing device, and the uncertainty of that count either way. Any
  /// thread.
  func heard() -> (samples: Int64, uncertainty: Int64) {
    (
      Int64(counters.heard.load(ordering: .relaxed)),
      Int64(counters.heardUncertainty.load(ordering: .relaxed))
    )
  }

  /// The stage of the device thread: a reader that sees its end sees all its earlier writes. Any thread.
  func state() -> State {
    switch storedState.load(ordering: .acquiring) {
    case 1: .running
    case 0: .ended
    case let code: .lost(DeviceFailure(errno: -code))
    }
  }

  /// The device thread's last act, after its last use of the ring.
  ///
  /// - Parameter failure: the loss of the device; nil if the thread was asked to end.
  @_noAllocation @_noLocks
  func end(with failure: DeviceFailure?) {
    var code: CInt = 0
    if let failure { code = -failure.errno }
    storedState.store(code, ordering: .releasing)
    signals.signalSession()
  }

  /// Stores the capture time of the last sample that is handed on. Device thread, or before its start.
  @_noAllocation @_noLocks
  func noteCapture(at time: MonotonicTime) {
    captured.store(time.nanoseconds, ordering: .relaxed)
  }

  /// Any thread.
  func lastCapture() -> MonotonicTime {
    MonotonicTime(nanoseconds: captured.load(ordering: .relaxed))
  }

  /// Marks the thread as ended although it may be stuck inside a driver. Session thread only.
  func giveUp() { storedState.store(0, ordering: .releasing) }

  /// Counts a failure by its cause. Device thread only.
  @_noAllocation @_noLocks
  func count(_ cause: DeviceGap.Cause) {
    switch cause {
    case .xrun: counters.xruns.wrappingAdd(1, ordering: .relaxed)
    case .suspend: counters.suspends.wrappingAdd(1, ordering: .relaxed)
    case .fault: counters.faults.wrappingAdd(1, ordering: .relaxed)
    case .ringOverflow: counters.overflows.wrappingAdd(1, ordering: .relaxed)
    // The session thread counts a loss, and a device has neither cycles nor packets.
    case .deviceLost, .cycle, .network: break
    }
  }

  /// Reports a gap to the session thread, before the samples that follow it are pushed. Device thread only.
  ///
  /// - Parameter isLast: whether nothing will follow; the last place is reserved for such a gap.
  /// - Returns: false if there is no room.
  @_noAllocation @_noLocks
  func tell(_ mark: GapMark, isLast: Bool) -> Bool {
    gaps.append(mark, keeping: isLast ? 0 : 1)
  }

  /// Reports a gap in a playback to the session thread. Device thread only.
  ///
  /// If there is no room, the gap is only counted in ``DeviceCounters``.
  @_noAllocation @_noLocks
  func logGap(_ cause: DeviceGap.Cause) {
    let position = Int64(counters.moved.load(ordering: .relaxed))
    let gap = DeviceGap(cause: cause, position: position, lostSamples: nil)
    _ = gaps.append(GapMark(gap: gap, ringPosition: position), keeping: 1)
  }

  /// Reports a pause to the session thread. Device thread only.
  @_noAllocation @_noLocks
  func tell(_ pause: PauseMark) { _ = pauses.append(pause, keeping: 0) }

  /// Reads the device's position if its clock is watched; drops the reading if the queue is full. Device
  /// thread only, right after samples moved.
  @_noAllocation @_noLocks
  func readClock(of handle: borrowing PCMHandle, _ parameters: DeviceParameters) {
    guard isClockWatched.load(ordering: .acquiring) else { return }
    let before = MonotonicTime.now
    let answer = handle.available()
    let duration = MonotonicTime.now.nanoseconds(since: before)
    // The loop meets and handles a failure again. Discard a reading that took 1 ms or more: its time is
    // uncertain.
    guard case .samples(let available) = answer, duration < 1_000_000 else { return }
    let moved = counters.moved.load(ordering: .relaxed)
    let waiting: Int
    switch handle.direction {
    case .capture: waiting = -available
    case .playback: waiting = max(parameters.bufferSize - available, 0)
    }
    let interruptions =
      counters.xruns.load(ordering: .relaxed) + counters.suspends.load(ordering: .relaxed)
      + counters.faults.load(ordering: .relaxed)
    let reading = ClockReading(
      time: MonotonicTime(nanoseconds: before.nanoseconds + duration / 2),
      position: Int64(moved - waiting), interruptions: interruptions,
      isRunning: handle.state() == SND_PCM_STATE_RUNNING)
    _ = clockReadings.append(reading, keeping: 0)
  }

  /// Stops the readings of a device that turned out to keep no time. Device thread only.
  @_noAllocation @_noLocks
  func ignoreClock() { isClockWatched.store(false, ordering: .releasing) }

  /// Starts the readings of the clock. Session thread only, before the device's start.
  func watchClock() { isClockWatched.store(true, ordering: .releasing) }

  /// The latest reading of the clock since the last call; nil if there is none. Session thread only.
  func latestClockReading() -> ClockReading? {
    var latest: ClockReading?
    while let reading = clockReadings.takeFirst() { latest = reading }
    return latest
  }

  /// Records how late the device thread woke. Device thread only.
  ///
  /// - Parameters:
  ///   - available: samples per channel that the device could move when the thread had woken.
  ///   - wanted: samples per channel that the thread waited for.
  @_noAllocation @_noLocks
  func noteWakeUp(_ available: Int, wanted: Int, _ parameters: DeviceParameters) {
    let excess = available - wanted
    if excess >= 0 {
      wakeUps.note(microseconds: excess * 1_000_000 / parameters.format.sampleRate)
    }
  }

  /// Whether the session thread wants the written samples played, then the end. Any thread.
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
    let began = MonotonicTime.now
    signals.session.pause.beginPause()
    while isToPause(), !isToStop() { nap(milliseconds: 5) }
    signals.session.pause.endPause()
    counters.pauses.wrappingAdd(1, ordering: .relaxed)
    counters.pausedNanoseconds.wrappingAdd(
      MonotonicTime.now.nanoseconds(since: began), ordering: .relaxed)
  }

  /// Runs `body`, the whole of a device thread, so that a pause waits for it. Device thread only.
  func whileRunning(_ body: () -> Void) {
    signals.session.pause.enter()
    body()
    signals.session.pause.leave()
  }

  /// Asks the device thread to play the written samples and then end. Session thread only.
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

/// The wake-ups between the session thread and a device thread.
struct DeviceSignals: ~Copyable, Sendable {
  /// Wakes the session thread: samples came, or room for them.
  let session: Wakeup
  /// Wakes the device thread: samples to play came, or a command.
  let device = Wakeup()
  private let isSessionAwaited = Atomic(false)

  init(session: Wakeup) { self.session = session }

  /// Wakes a device thread that waits for the session, not one that rests; called after samples passed the
  /// ring. Session thread only.
  func signalProgress() {
    // Pairs with the device thread's fence: either this thread sees that one wait, or that one sees the
    // samples.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if isSessionAwaited.load(ordering: .relaxed) { device.signal() }
  }

  /// Sets whether the device thread waits for the session to move samples. The device thread must look at the
  /// ring once more before it waits. Device thread only.
  @_noAllocation @_noLocks
  func awaitSession(_ isAwaited: Bool) {
    isSessionAwaited.store(isAwaited, ordering: .relaxed)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }
}

extension RealTimeQueue {
  /// Adds an element if more than `reserve` places are free, in proved code.
  ///
  /// It stays in this file because debug builds inline only code of the same file, and a generic function
  /// that is not inlined may allocate.
  ///
  /// - Returns: false if there is no room.
  @inline(__always)
  fileprivate func append(_ element: Element, keeping reserve: Int) -> Bool {
    guard let slot = unsafe ring.slot(keeping: reserve) else { return false }
    unsafe slot.storeBytes(of: element, as: Element.self)
    ring.push(1)
    return true
  }
}
