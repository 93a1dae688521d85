internal import CALSA
internal import Glibc
internal import Synchronization

extension PlaybackLoop {
  /// Lets the device play everything that was written, and nothing more.
  ///
  /// Nothing is padded: a device that still waits for its start threshold is started, and
  /// `snd_pcm_drain` plays a last part of any length. It is called as late as possible, for some
  /// plugins block in it, and answer 0 where the device fails meanwhile.
  ///
  /// - Returns: 0, or the negative errno of a device that was lost or got stuck before the end.
  @_noAllocation @_noLocks
  func drain() -> Int {
    if channel.counters.moved.load(ordering: .relaxed) == 0 { return complete() }
    if handle.state() == SND_PCM_STATE_PREPARED {
      let started = handle.start()
      if started < 0 { return handle.diagnose(started) }
      noteStart()
    }
    // Early enough for plugins that hold back less than a period of their own until they drain.
    let playing = waitUntilQueued(atMost: 2 * parameters.periodSize)
    if playing == -Int(EPIPE) { return complete() }
    if playing < 0 { return playing }
    let held = parameters.bufferSize - handle.available()
    let began = monotonicSeconds()
    let code = handle.drain()
    if code == -Int(EAGAIN) {
      let draining = waitUntilQueued(atMost: 0)
      if draining < 0, draining != -Int(EPIPE) { return draining }
    } else if code < 0, code != -Int(EPIPE) {
      return handle.diagnose(code)
    }
    // libasound answers 0 for a plugin whose device goes away meanwhile, and its state says nothing then.
    let passed = (monotonicSeconds() - began) * Double(parameters.format.sampleRate)
    let isTooSoon = code == 0 && Int(passed) < held
    if isTooSoon, handle.prepare() == -Int(ENODEV) { return -Int(ENODEV) }
    return complete()
  }

  /// Waits while the device plays down to `limit` samples per channel.
  ///
  /// - Returns: 0; −EPIPE when it played everything and stopped; −ETIMEDOUT when it plays no more; or
  ///   what it failed with.
  @_noAllocation @_noLocks
  private func waitUntilQueued(atMost limit: Int) -> Int {
    var leastQueued = Int.max
    var lastProgress = monotonicMilliseconds()
    while !channel.isToStop() {
      if channel.isToPause() {
        let failure = pause()
        if failure < 0 { return failure }
        lastProgress = monotonicMilliseconds()
      }
      let available = handle.available()
      switch handle.state() {
      case SND_PCM_STATE_SETUP, SND_PCM_STATE_XRUN: return -Int(EPIPE)
      case SND_PCM_STATE_DISCONNECTED: return -Int(ENODEV)
      case SND_PCM_STATE_SUSPENDED:
        channel.count(.suspend)
        channel.logGap(.suspend)
        // Where the driver cannot resume, what its buffer held is gone.
        if handle.resumeAfterSuspend() < 0 { return -Int(ESTRPIPE) }
        leastQueued = Int.max
      default: if available < 0 { return available }
      }
      noteHeard(available: available)
      let now = monotonicMilliseconds()
      let queued = max(parameters.bufferSize - available, 0)
      if queued <= limit { return 0 }
      if queued < leastQueued {
        leastQueued = queued
        lastProgress = now
      } else if now - lastProgress > stallLimit {
        return -Int(ETIMEDOUT)
      }
      nap(milliseconds: 5)
    }
    return 0
  }

  /// Stops what is still running; plugins that hold back samples of their own hand them on now.
  @_noAllocation @_noLocks
  private func complete() -> Int {
    _ = handle.drop()
    return 0
  }
}
