// SPDX-License-Identifier: Apache-2.0
/// Takes the samples of input ports. Its methods run on the server's thread.
@safe
final class CaptureStream: RingOwner {
  let live: LiveRing
  private let buffer: PortBuffer
  private nonisolated(unsafe) var account = CaptureAccount()
  private nonisolated(unsafe) var pause = StreamPause()

  /// - Parameters:
  ///   - size: of the ring, in samples per channel.
  ///   - worth: how many samples per channel wake the session.
  init(_ buffer: consuming PortBuffer, ring size: Int, worth: Int, session: Wakeup) {
    live = LiveRing(for: buffer, size: size, worth: worth, session: session)
    self.buffer = buffer
  }

  /// Counts `count` samples per channel of missed cycles as lost.
  @_noAllocation @_noLocks
  func lose(_ count: Int, uncertainty: Int) {
    if unsafe pause.isActive { return }
    live.counters.add(.cycle)
    unsafe account.gap.add(.cycle, Int64(count), uncertainty: Int64(uncertainty), isNew: true)
  }

  /// Samples per channel of the stream so far, an open gap included.
  @_noAllocation @_noLocks
  func position() -> Int64 { unsafe account.position }

  /// Whether the samples of the next cycle have no room.
  @_noAllocation @_noLocks
  func isFull(_ count: Int) -> Bool {
    if live.isToStop() { return false }
    if live.isToPause() { return false }
    return live.ring.free() < count
  }

  /// Copies the samples of the present cycle.
  @_noAllocation @_noLocks
  func take(_ count: Int) {
    var channel = 0
    while channel < buffer.channelCount {
      let source = unsafe samples(of: buffer.ports[channel], count)
      var place = unsafe buffer.staging + channel
      var index = 0
      while index < count {
        // Without a buffer silence, not the samples of the cycle before.
        unsafe place.pointee = source?[index] ?? 0
        unsafe place += buffer.channelCount
        index &+= 1
      }
      channel &+= 1
    }
  }

  /// Hands over the copied samples of a cycle that was handled in time.
  @_noAllocation @_noLocks
  func finish(_ count: Int, at time: MonotonicTime) {
    if live.isToStop() { return }
    // Sound that comes meanwhile is not recorded, on purpose.
    if live.isToPause() { return unsafe pause.begin(live, at: time) }
    if unsafe pause.isActive {
      let nanoseconds = unsafe pause.end(live, at: time)
      unsafe live.tell(DevicePause(position: account.position, nanoseconds: nanoseconds))
    }
    if live.ring.free() < count {
      let isNew = unsafe !account.gap.isOpen
      if isNew { live.counters.add(.ringOverflow) }
      live.counters.overflowed.add(Int64(count))
      unsafe account.gap.add(.ringOverflow, Int64(count), isNew: isNew)
      return live.wakeSession()
    }
    // Without room for its report the gap goes on.
    guard unsafe account.endGap(to: live) else {
      return unsafe account.gap.add(.ringOverflow, Int64(count), isNew: false)
    }
    unsafe live.ring.append(count, from: buffer.staging)
    unsafe account.push(count)
    live.counters.moved.add(Int64(count))
    live.noteArrival(at: time)
    unsafe live.noteClock(account.delivered, at: time)
    live.wakeSession(after: count)
  }

  /// Reports a gap that no sample follows.
  @_noAllocation @_noLocks
  func end() { _ = unsafe account.endGap(to: live, isLast: true) }
}
