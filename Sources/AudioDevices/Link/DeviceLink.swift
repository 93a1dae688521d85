// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import Synchronization

/// Everything that a device thread and the session thread share: the ring, the counts, the commands.
struct DeviceLink: ~Copyable, Sendable {
  let ring: SampleRing
  /// The gaps so far that the session thread has not taken yet.
  let gaps = RealTimeQueue<GapMark>(capacity: 1_024)
  /// The pauses likewise; those that find no room are only counted.
  let pauses = RealTimeQueue<PauseMark>(capacity: 1_024)
  private let clockReadings = RealTimeQueue<ClockReading>(capacity: 256)
  private let isClockWatched = Atomic<Bool>(false)
  let drift = DriftRecord()
  let counters = DeviceCounters()
  let wakeUps = WakeUpDelays()
  let signals: DeviceSignals
  /// Set by the session thread: play what is in the ring, then end.
  private let mustFinish = Atomic<Bool>(false)
  /// Set by the session thread: end at once.
  private let mustStop = Atomic<Bool>(false)
  /// A ``State``: 1, 0, or a negative errno.
  private let storedState = Atomic<CInt>(1)
  /// When the last sample was captured that was handed on, in nanoseconds of the monotonic clock.
  private let captured = Atomic<Int>(0)

  /// How far a device thread has come.
  enum State: BitwiseCopyable {
    case running
    /// It has ended as it was asked to.
    case ended
    /// It has ended because its device failed.
    case lost(DeviceFailure)
  }

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

  /// How far the device thread has come: all that it did before its end is visible to whoever sees the end.
  /// Any thread.
  func state() -> State {
    switch storedState.load(ordering: .acquiring) {
    case 1: .running
    case 0: .ended
    case let code: .lost(DeviceFailure(errno: -code))
    }
  }

  /// The device thread's last act, after its last use of the ring.
  ///
  /// - Parameter failure: for which the device is lost; nil where the thread was asked to end.
  @_noAllocation @_noLocks
  func end(with failure: DeviceFailure?) {
    var code: CInt = 0
    if let failure { code = -failure.errno }
    storedState.store(code, ordering: .releasing)
    signals.signalSession()
  }

  /// Notes when the last sample was captured that is handed on. Device thread, or before its start.
  @_noAllocation @_noLocks
  func noteCapture(at time: MonotonicTime) {
    captured.store(time.nanoseconds, ordering: .relaxed)
  }

  /// Any thread.
  func lastCapture() -> MonotonicTime {
    MonotonicTime(nanoseconds: captured.load(ordering: .relaxed))
  }

  /// Takes the thread for ended, stuck inside a driver as it may be. Session thread only.
  func giveUp() { storedState.store(0, ordering: .releasing) }

  /// Counts what went wrong. Device thread only.
  @_noAllocation @_noLocks
  func count(_ cause: DeviceGap.Cause) {
    switch cause {
    case .xrun: counters.xruns.wrappingAdd(1, ordering: .relaxed)
    case .suspend: counters.suspends.wrappingAdd(1, ordering: .relaxed)
    case .fault: counters.faults.wrappingAdd(1, ordering: .relaxed)
    case .ringOverflow: counters.overflows.wrappingAdd(1, ordering: .relaxed)
    // The session thread counts it.
    case .deviceLost: break
    }
  }

  /// Tells the session thread of a gap, before the samples that follow it are pushed. Device thread only.
  ///
  /// - Parameter isLast: whether nothing will follow; the last place is kept for such a gap.
  /// - Returns: false where there is no room.
  @_noAllocation @_noLocks
  func tell(_ mark: GapMark, isLast: Bool) -> Bool {
    gaps.append(mark, keeping: isLast ? 0 : 1)
  }

  /// Tells the session thread of a gap in what was played. Device thread only.
  ///
  /// Where there is no room, ``DeviceCounters`` alone know of it.
  @_noAllocation @_noLocks
  func logGap(_ cause: DeviceGap.Cause) {
    let position = Int64(counters.moved.load(ordering: .relaxed))
    let gap = DeviceGap(cause: cause, position: position, lostSamples: nil)
    _ = gaps.append(GapMark(gap: gap, ringPosition: position), keeping: 1)
  }

  /// Tells the session thread of a pause. Device thread only.
  @_noAllocation @_noLocks
  func tell(_ pause: PauseMark) { _ = pauses.append(pause, keeping: 0) }

  /// Reads where the device is, if somebody watches; one reading more than there is room for is dropped.
  /// Device thread only, right after samples moved.
  @_noAllocation @_noLocks
  func readClock(of handle: borrowing PCMHandle, _ parameters: AlsaParameters) {
    guard isClockWatched.load(ordering: .acquiring) else { return }
    let before = MonotonicTime.now
    let answer = handle.available()
    let duration = MonotonicTime.now.nanoseconds(since: before)
    // A failure meets the loop again, which deals with it. A reading whose time nobody knows is none.
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

  /// The device turned out to keep no time: no more readings. Device thread only.
  @_noAllocation @_noLocks
  func ignoreClock() { isClockWatched.store(false, ordering: .releasing) }

  /// From now on the clock is read. Session thread only, before the device's start.
  func watchClock() { isClockWatched.store(true, ordering: .releasing) }

  /// The latest reading of the clock since the last call; nil where there is none. Session thread only.
  func latestClockReading() -> ClockReading? {
    var latest: ClockReading?
    while let reading = clockReadings.takeFirst() { latest = reading }
    return latest
  }

  /// Notes how late the device thread woke. Device thread only.
  ///
  /// - Parameters:
  ///   - available: samples per channel that the device could move when the thread had woken.
  ///   - wanted: what it waited for.
  @_noAllocation @_noLocks
  func noteWakeUp(_ available: Int, wanted: Int, _ parameters: AlsaParameters) {
    let excess = available - wanted
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

/// How the session thread and a device thread wake each other.
struct DeviceSignals: ~Copyable, Sendable {
  /// Wakes the session thread: samples came, or room for them.
  let session: Wakeup
  /// Wakes the device thread: samples to play came, or a command.
  let device = Wakeup()
  private let isSessionAwaited = Atomic(false)

  init(session: Wakeup) { self.session = session }

  /// The session moved samples through the ring: wakes a device thread that waits for it, and none that rests.
  /// Session thread only.
  func signalProgress() {
    // Pairs with the fence of the device thread: either this sees that it waits, or that one sees the samples.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if isSessionAwaited.load(ordering: .relaxed) { device.signal() }
  }

  /// Whether the device thread needs the session to move samples. It is to look at the ring once more before it
  /// waits. Device thread only.
  @_noAllocation @_noLocks
  func awaitSession(_ isAwaited: Bool) {
    isSessionAwaited.store(isAwaited, ordering: .relaxed)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }
}

/// A gap on its way from the device thread to the session thread.
struct GapMark: BitwiseCopyable, Equatable {
  var gap: DeviceGap
  /// Samples per channel that go through the ring before the gap.
  var ringPosition: Int64

  @_noAllocation @_noLocks
  init(gap: DeviceGap, ringPosition: Int64) {
    self.gap = gap
    self.ringPosition = ringPosition
  }
}

/// A ``DevicePause`` on its way from the device thread to the session thread.
struct PauseMark: BitwiseCopyable {
  /// In samples per channel of the stream.
  var position: Int64
  var nanoseconds: Int

  @_noAllocation @_noLocks
  init(position: Int64, nanoseconds: Int) {
    self.position = position
    self.nanoseconds = nanoseconds
  }
}

extension RealTimeQueue {
  /// Adds an element where more than `reserve` places are free, in proved code.
  ///
  /// It stands beside its callers, for debug builds inline only what stands in the same file, and a generic
  /// function that is not inlined may allocate.
  ///
  /// - Returns: false where there is no room.
  @inline(__always)
  fileprivate func append(_ element: Element, keeping reserve: Int) -> Bool {
    guard let slot = unsafe ring.slot(keeping: reserve) else { return false }
    unsafe slot.storeBytes(of: element, as: Element.self)
    ring.push(1)
    return true
  }
}
