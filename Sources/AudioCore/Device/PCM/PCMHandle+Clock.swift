internal import CALSA
internal import Synchronization

extension PCMHandle {
  /// Reads where the device is, if somebody watches. Device thread only, right after samples moved.
  @_noAllocation @_noLocks
  borrowing func readClock(
    _ parameters: AlsaParameters, into channel: borrowing DeviceChannel
  ) {
    guard channel.clock.isWatched() else { return }
    let before = monotonicNanoseconds()
    let available = available()
    let after = monotonicNanoseconds()
    // A failure meets the loop again, which deals with it. A reading whose time nobody knows is none.
    guard available >= 0, after - before < 1_000_000 else { return }
    let moved = channel.counters.moved.load(ordering: .relaxed)
    let waiting: Int
    switch direction {
    case .capture: waiting = -available
    case .playback: waiting = max(parameters.bufferSize - available, 0)
    }
    let interruptions =
      channel.counters.xruns.load(ordering: .relaxed)
      + channel.counters.suspends.load(ordering: .relaxed)
      + channel.counters.faults.load(ordering: .relaxed)
    channel.clock.append(
      ClockReading(
        time: before + (after - before) / 2, position: Int64(moved - waiting),
        interruptions: interruptions, isRunning: state() == SND_PCM_STATE_RUNNING))
  }
}
