// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import Glibc

extension PCMHandle {
  /// Waits until the device can move samples, for so many milliseconds at most.
  ///
  /// A failure is found from the state where the call alone does not tell: a dead USB card may answer
  /// −EBADFD, or only time out.
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

  /// The same, in view of how the device gets on.
  @_noAllocation @_noLocks
  borrowing func waitUntilReady(_ progress: inout DeviceProgress) -> Readiness {
    if progress.isSpinning() { nap(milliseconds: 1) }
    let readiness = waitUntilReady()
    progress.waited(readiness)
    if case .failed = readiness { return readiness }
    return progress.isStalled(at: .now) ? .failed(.stalled) : readiness
  }

  /// What is wrong by the state that the device is in; nil where nothing is.
  @_noAllocation @_noLocks
  borrowing func diagnose() -> DeviceFailure? {
    switch state() {
    case SND_PCM_STATE_DISCONNECTED: .disconnected
    case SND_PCM_STATE_SUSPENDED: .suspended
    case SND_PCM_STATE_XRUN: .xrun
    default: nil
    }
  }

  /// What `failure` means in the state that the device is in.
  @_noAllocation @_noLocks
  borrowing func diagnose(_ failure: DeviceFailure) -> DeviceFailure {
    if let known = diagnose() { return known }
    return failure
  }

  /// Brings the device back to work after `failure`, counting what happened.
  ///
  /// A card whose every start soon fails, with nothing or a few stray samples in between, gets eight
  /// attempts.
  @_noAllocation @_noLocks
  borrowing func recover(
    from failure: DeviceFailure, _ progress: inout DeviceProgress, noting link: borrowing DeviceLink
  ) -> Recovery {
    switch progress.attempt(after: failure, at: .now) {
    case .none: return .lost(failure)
    case .first: return recover(from: failure, isRepeated: false, noting: link)
    case .repeated:
      nap(milliseconds: 5)
      return recover(from: failure, isRepeated: true, noting: link)
    }
  }

  /// - Parameter isRepeated: nothing moved since the last recovery: the same gap goes on.
  @_noAllocation @_noLocks
  private borrowing func recover(
    from failure: DeviceFailure, isRepeated: Bool, noting link: borrowing DeviceLink
  ) -> Recovery {
    let diagnosis = diagnose(failure)
    guard let cause = diagnosis.cause else { return .lost(diagnosis) }
    link.count(cause)
    if case .playback = direction, !isRepeated { link.logGap(cause) }
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

  /// Tries for a second to go on where the sleep interrupted; not every driver can.
  ///
  /// - Returns: when it was asked to, where it does.
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
