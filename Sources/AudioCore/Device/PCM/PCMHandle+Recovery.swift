internal import CALSA
internal import Glibc

extension PCMHandle {
  /// Waits until the device can move samples, at most 100 ms.
  ///
  /// - Returns: 1 when it is ready, 0 when it is not yet, a negative errno when it needs recovery. The
  ///   errno is found from the state where the call alone does not tell: a dead USB card may answer
  ///   −EBADFD, or only time out.
  @_noAllocation @_noLocks
  borrowing func waitUntilReady() -> Int {
    let code = wait(milliseconds: 100)
    if code == -Int(EINTR) || code == -Int(EAGAIN) { return 0 }
    if code == 1 { return 1 }
    return code < 0 ? diagnose(code) : diagnose(0)
  }

  /// What `code`, a failure or 0, means in the state that the device is in.
  @_noAllocation @_noLocks
  borrowing func diagnose(_ code: Int) -> Int {
    switch state() {
    case SND_PCM_STATE_DISCONNECTED: return -Int(ENODEV)
    case SND_PCM_STATE_SUSPENDED: return -Int(ESTRPIPE)
    case SND_PCM_STATE_XRUN: return -Int(EPIPE)
    default: return code
    }
  }

  /// What kind of gap `code` makes; nil where it means that the device is lost.
  @_noAllocation @_noLocks
  borrowing func cause(of code: Int) -> DeviceGap.Cause? {
    switch -CInt(diagnose(code)) {
    case EPIPE: .xrun
    case ESTRPIPE: .suspend
    case EIO, EBADFD: .fault
    default: nil
    }
  }

  /// Brings the device back to work after `code`, counting what happened.
  ///
  /// - Parameter isRepeated: nothing moved since the last recovery: the same gap goes on.
  /// - Returns: 0 when it was started anew, 1 when it went on where the sleep interrupted it, or the
  ///   negative errno for which it is lost.
  @_noAllocation @_noLocks
  borrowing func recover(
    from code: Int, isRepeated: Bool, noting channel: borrowing DeviceChannel
  ) -> Int {
    guard let cause = cause(of: code) else { return diagnose(code) }
    channel.count(cause)
    if case .playback = direction, !isRepeated { channel.logGap(cause) }
    if case .suspend = cause, resumeAfterSuspend() == 0 { return 1 }
    let prepared = prepare()
    if prepared < 0 { return diagnose(prepared) }
    switch direction {
    case .playback: return 0  // It starts when its buffer has filled again.
    case .capture:
      let started = start()
      return started < 0 ? diagnose(started) : 0
    }
  }

  /// Tries for a second to go on where the sleep interrupted; not every driver can.
  @_noAllocation @_noLocks
  borrowing func resumeAfterSuspend() -> Int {
    var attempts = 0
    while attempts < 100 {
      let code = resume()
      if code != -Int(EAGAIN) { return code }
      nap(milliseconds: 10)
      attempts += 1
    }
    return -Int(ETIMEDOUT)
  }
}
