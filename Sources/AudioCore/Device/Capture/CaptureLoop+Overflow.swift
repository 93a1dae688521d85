internal import Glibc
internal import Synchronization

extension CaptureLoop {
  /// The ring is full: the session thread does not keep up.
  ///
  /// A device that is not bound to time waits and loses nothing. Any other goes on: what it gives now
  /// is dropped here, where it is counted to the sample, rather than in the device, which may not even
  /// tell (a PulseAudio monitor does not).
  ///
  /// - Returns: 0, or the negative errno to recover from.
  @_noAllocation @_noLocks
  func waitForRoom(_ timeline: inout CaptureTimeline) -> Int {
    timeline.settlePacing()
    if timeline.isUnpaced {
      channel.signals.waitForSession(milliseconds: 10)
      return handle.diagnose(0)
    }
    var isNew = true
    while channel.ring.free() == 0, !channel.isToStop() {
      let wanted = min(parameters.periodSize, timeline.limit)
      let code = unsafe handle.read(into: overflow, wanted)
      if code > 0 {
        channel.counters.overflowed.wrappingAdd(code, ordering: .relaxed)
        if isNew { channel.count(.ringOverflow) }
        timeline.lose(code, .ringOverflow, isNew: isNew)
        isNew = false
        continue
      }
      if code == -Int(EINTR) { continue }
      if code != -Int(EAGAIN) { return code }
      let failure = handle.waitUntilReady()
      if failure < 0 { return failure }
      nap(milliseconds: 1)
    }
    return 0
  }
}
