internal import CALSA
internal import Glibc
internal import Synchronization

extension PlaybackLoop {
  /// Lets the device play everything that was written, and nothing more.
  ///
  /// Repeats the non-blocking `snd_pcm_drain` for as long as the device gets on. Nothing is padded
  /// here: the start threshold does not matter, for draining starts a device that waits for it.
  ///
  /// - Returns: 0, or the negative errno of a device that was lost or got stuck before the end.
  @_noAllocation @_noLocks
  func drain() -> Int {
    if channel.counters.moved.load(ordering: .relaxed) == 0 {
      _ = handle.drop()
      return 0
    }
    if handle.state() == SND_PCM_STATE_PREPARED { _ = handle.start() }
    var leastDelay = Int.max
    var lastProgress = monotonicMilliseconds()
    while !channel.isToStop() {
      switch handle.state() {
      case SND_PCM_STATE_SETUP, SND_PCM_STATE_XRUN: return 0
      case SND_PCM_STATE_DISCONNECTED: return -Int(ENODEV)
      case SND_PCM_STATE_SUSPENDED:
        // Where the driver cannot resume, what its buffer held is gone.
        let code = handle.recover(from: -Int(ESTRPIPE), noting: channel)
        return code < 0 ? code : -Int(ESTRPIPE)
      default: break
      }
      let code = handle.drain()
      if code >= 0 || code == -Int(EPIPE) { return 0 }
      if code != -Int(EAGAIN) && code != -Int(EINTR) { return handle.diagnose(code) }
      let now = monotonicMilliseconds()
      let delay = handle.delay()
      if delay < leastDelay {
        leastDelay = delay
        lastProgress = now
      } else if now - lastProgress > min(stallLimit, 2_000) {
        return -Int(ETIMEDOUT)
      }
      nap(milliseconds: 5)
    }
    _ = handle.drop()
    return 0
  }
}
