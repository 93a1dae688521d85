internal import Glibc
internal import Synchronization

extension CaptureLoop {
  /// The ring is full: the session thread does not keep up.
  ///
  /// A device that has given more than its clock allows is not bound to time (a file, a test) and can
  /// wait. Any other goes on: what it gives now is dropped here, where it is counted to the sample,
  /// rather than in the device, which may not even tell.
  @_noAllocation @_noLocks
  func makeRoom(elapsed: Int) {
    let rate = parameters.format.sampleRate
    let due = elapsed * rate / 1_000 + 2 * parameters.bufferSize
    if channel.counters.moved.load(ordering: .relaxed) > due + due / 2 {
      channel.signals.waitForSession(milliseconds: 10)
      return
    }
    var dropped = 0
    while channel.ring.free() == 0, !channel.isToStop() {
      let code = unsafe handle.read(into: overflow, parameters.periodSize)
      if code > 0 {
        dropped += code
        channel.counters.overflowed.wrappingAdd(code, ordering: .relaxed)
      } else {
        // Any failure meets the loop again, which deals with it.
        if code != -Int(EAGAIN) { break }
        if handle.waitUntilReady() < 0 { break }
        nap(milliseconds: 1)
      }
    }
    if dropped > 0 { channel.note(.ringOverflow, lost: Int64(dropped)) }
  }
}
