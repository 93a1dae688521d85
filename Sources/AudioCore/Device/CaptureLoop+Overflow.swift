internal import Glibc
internal import Synchronization

extension CaptureLoop {
  /// Whether the device has given more than a clock allows.
  ///
  /// Such a device is not bound to time: a file, a test. Ask when the ring is full for the first time;
  /// afterwards the reader's pace tells nothing about the device's.
  ///
  /// - Parameter elapsed: milliseconds since the start.
  @_noAllocation @_noLocks
  func hasOutrunClock(elapsed: Int) -> Bool {
    let due = elapsed * parameters.format.sampleRate / 1_000
    let moved = channel.counters.moved.load(ordering: .relaxed)
    return moved > due + due / 2 + parameters.bufferSize / 2
  }

  /// The ring is full: the session thread does not keep up.
  ///
  /// A device that is not bound to time waits and loses nothing. Any other goes on: what it gives now
  /// is dropped here, where it is counted to the sample, rather than in the device, which may not even
  /// tell (a PulseAudio monitor does not).
  @_noAllocation @_noLocks
  func waitForRoom(isPaced: Bool) {
    if !isPaced { return channel.signals.waitForSession(milliseconds: 10) }
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
