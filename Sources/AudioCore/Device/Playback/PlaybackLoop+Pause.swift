internal import CALSA
internal import Glibc

extension PlaybackLoop {
  /// Stands still until the session goes on, losing nothing and counting no underrun.
  ///
  /// A device that can pause keeps what its buffer holds. Any other plays it and then waits: nothing is
  /// dropped, for nobody could say to the sample how much of it was heard.
  ///
  /// - Returns: 0, or the negative errno to recover from.
  @_noAllocation @_noLocks
  func pause() -> Int {
    var isHeld = handle.state() == SND_PCM_STATE_RUNNING
    if !parameters.canPause { isHeld = false }
    if isHeld { isHeld = handle.pause(true) == 0 }
    channel.waitForResumption()
    if isHeld {
      let code = handle.pause(false)
      return code < 0 ? handle.diagnose(code) : 0
    }
    // Asking is what makes a device notice that it has run empty.
    let code = handle.available()
    var isEmpty = code == -Int(EPIPE)
    if handle.state() == SND_PCM_STATE_XRUN { isEmpty = true }
    return isEmpty ? handle.prepare() : 0
  }
}
