internal import CALSA
internal import Glibc
internal import Synchronization

// How much of what the device took was heard.
extension PlaybackLoop {
  /// The device said that it has room for `available` samples per channel; or, with a negative errno, nothing.
  @_noAllocation @_noLocks
  func noteHeard(available: Int) {
    guard available >= 0 else { return }
    let taken = channel.counters.moved.load(ordering: .relaxed)
    let queued = max(parameters.bufferSize - available, 0)
    unsafe heard.update(taken: taken, queued: queued, at: monotonicSeconds())
    store()
  }

  /// The device may have begun to play.
  @_noAllocation @_noLocks
  func noteStart() {
    if unsafe heard.isStarted { return }
    if handle.state() == SND_PCM_STATE_PREPARED { return }
    unsafe heard.start(at: monotonicSeconds())
    noteHeard(available: handle.available())
  }

  /// What the device holds is lost.
  ///
  /// - Parameter time: when that was known, in seconds.
  @_noAllocation @_noLocks
  func breakOff(from failure: Int, at time: Double) {
    let taken = channel.counters.moved.load(ordering: .relaxed)
    unsafe heard.breakOff(taken: taken, at: time, ranEmpty: failure == -Int(EPIPE))
    store()
  }

  @_noAllocation @_noLocks
  private func store() {
    channel.counters.heard.store(unsafe heard.count, ordering: .relaxed)
    channel.counters.heardUncertainty.store(unsafe heard.uncertainty, ordering: .relaxed)
  }
}
