// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import Glibc

extension PCMHandle {
  /// Waits until the device can move samples, for at most this many milliseconds.
  ///
  /// The device's state reveals failures that the call does not: a dead USB card may return −EBADFD or only time out.
  @_noAllocation @_noLocks
  borrowing func waitUntilReady(milliseconds: Int = 100) -> Readiness {
    switch wait(milliseconds: milliseconds) {
    case .ready: return .ready
    case .notYet:
      guard let failure = diagnose() else { return .notYet }
      return .failed(failure)
    case .failed(let failure): return .failed(diagnose(failure))
    }
  }

  /// Waits as above, and updates and heeds the device's progress.
  @_noAllocation @_noLocks
  borrowing func waitUntilReady(_ progress: inout DeviceProgress) -> Readiness {
    if progress.isSpinning() { nap(milliseconds: 1) }
    let readiness = waitUntilReady()
    progress.waited(readiness)
    if case .failed = readiness { return readiness }
    return progress.isStalled(at: .now) ? .failed(.stalled) : readiness
  }

  /// The failure that the device's state shows; nil if there is none.
  @_noAllocation @_noLocks
  borrowing func diagnose() -> DeviceFailure? {
    switch state() {
    case SND_PCM_STATE_DISCONNECTED: .disconnected
    case SND_PCM_STATE_SUSPENDED: .suspended
    case SND_PCM_STATE_XRUN: .xrun
    default: nil
    }
  }

  /// The failure that the device's state shows, else `failure`.
  @_noAllocation @_noLocks
  borrowing func diagnose(_ failure: DeviceFailure) -> DeviceFailure {
    if let known = diagnose() { return known }
    return failure
  }

  /// Recovers the device from `failure` and counts the failure.
  ///
  /// A card whose every start soon fails, after no or a few stray samples, gets eight attempts.
  @_noAllocation @_noLocks
  borrowing func recover(
    from failure: DeviceFailure, _ progress: inout DeviceProgress, noting live: borrowing LiveRing
  ) -> Recovery {
    switch progress.attempt(after: failure, at: .now) {
    case .none: return .lost(failure)
    case .first: return recover(from: failure, isRepeated: false, noting: live)
    case .repeated:
      nap(milliseconds: 5)
      return recover(from: failure, isRepeated: true, noting: live)
    }
  }

  /// - Parameter isRepeated: whether nothing moved since the last recovery, so that the gap continues.
  @_noAllocation @_noLocks
  private borrowing func recover(
    from failure: DeviceFailure, isRepeated: Bool, noting live: borrowing LiveRing
  ) -> Recovery {
    let diagnosis = diagnose(failure)
    guard let cause = diagnosis.cause else { return .lost(diagnosis) }
    live.counters.add(cause)
    if case .playback = direction, !isRepeated { live.logGap(cause) }
    if case .suspend = cause, let asked = resumeAfterSuspend() { return .resumed(asked: asked) }
    if let failure = prepare() { return .lost(diagnose(failure)) }
    let asked = MonotonicTime.now
    switch direction {
    case .playback: return .restarted(asked: asked)  // It starts when its buffer has filled again.
    case .capture:
      if let failure = start() { return .lost(diagnose(failure)) }
      return .restarted(asked: asked)
    }
  }

  /// Tries for a second to resume after a system sleep; some drivers cannot.
  ///
  /// - Returns: the time of the successful request; nil if the device did not resume.
  @_noAllocation @_noLocks
  borrowing func resumeAfterSuspend() -> MonotonicTime? {
    var attempts = 0
    while attempts < 100 {
      let asked = MonotonicTime.now
      guard let failure = resume() else { return asked }
      guard case .other(EAGAIN) = failure else { return nil }
      nap(milliseconds: 10)
      attempts += 1
    }
    return nil
  }
}
