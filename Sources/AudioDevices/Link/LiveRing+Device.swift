// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import Synchronization

/// The ring between a device thread and the session thread.
extension LiveRing {
  init(
    _ options: AlsaOptions, _ direction: DeviceDirection, _ parameters: DeviceParameters,
    _ session: Wakeup
  ) {
    let size = options.ring(for: direction, at: parameters.format.sampleRate)
    self.init(
      ring: SampleRing(
        capacity: max(size, parameters.bufferSize), sampleFrameSize: parameters.sampleFrameSize),
      session: session)
  }

  /// The failure that ended the device thread; nil while it runs, and after an end on request. Any thread.
  func failure() -> DeviceFailure? {
    guard let code = ending(), code < 0 else { return nil }
    return DeviceFailure(errno: -code)
  }

  /// The device thread's last act, after its last use of the ring.
  ///
  /// - Parameter failure: the loss of the device; nil if the thread was asked to end.
  @_noAllocation @_noLocks
  func end(with failure: DeviceFailure?) {
    var code: CInt = 0
    if let failure { code = -failure.errno }
    end(with: code)
  }

  /// Reports a gap in a playback to the session thread; if there is no room, the gap is only counted. Device thread
  /// only.
  @_noAllocation @_noLocks
  func logGap(_ cause: DeviceGap.Cause) {
    let position = counters.moved.total
    let gap = DeviceGap(cause: cause, position: position, lostSamplesPerChannel: nil)
    _ = tell(GapMark(gap: gap, ringPosition: position))
  }

  /// Reads the device's position if its clock is watched. Device thread only, right after samples moved.
  @_noAllocation @_noLocks
  func readClock(of handle: borrowing PCMHandle, _ parameters: DeviceParameters) {
    if !isClockWatched() { return }
    let before = MonotonicTime.now
    let answer = handle.available()
    let duration = MonotonicTime.now.nanoseconds(since: before)
    // The loop meets and handles a failure again. Discard a reading that took 1 ms or more: its time is
    // uncertain.
    guard case .samples(let available) = answer, duration < 1_000_000 else { return }
    let waiting: Int
    switch handle.direction {
    case .capture: waiting = -available
    case .playback: waiting = max(parameters.bufferSize - available, 0)
    }
    noteClock(
      counters.moved.total - Int64(waiting),
      at: MonotonicTime(nanoseconds: before.nanoseconds + duration / 2),
      isRunning: handle.state() == SND_PCM_STATE_RUNNING)
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

  /// Waits while the device is to stand still. Device thread only.
  @_noAllocation @_noLocks
  func waitForResumption() {
    let began = MonotonicTime.now
    session.pause.beginPause()
    while isToPause(), !isToStop() { nap(milliseconds: 5) }
    session.pause.endPause()
    counters.addPause(nanoseconds: MonotonicTime.now.nanoseconds(since: began))
  }

  /// Runs `body`, the whole of a device thread, so that a pause waits for it. Device thread only.
  func whileRunning(_ body: () -> Void) {
    enter()
    body()
    leave()
  }
}

/// The wake-ups of a device thread by the session thread: samples to play came, or a command.
struct DeviceSignals: ~Copyable, Sendable {
  let device = Wakeup()
  private let isSessionAwaited = Atomic(false)

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
