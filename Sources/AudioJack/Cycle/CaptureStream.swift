// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Takes the samples of input ports. Its methods run on the server's thread.
@safe
final class CaptureStream: Sendable {
  let link: PortStream
  private nonisolated(unsafe) var gap = PendingGap()
  /// Samples per channel pushed to the ring, and in the gaps before them.
  private nonisolated(unsafe) var delivered: Int64 = 0
  private nonisolated(unsafe) var filled: Int64 = 0
  /// Samples per channel since the session was woken.
  private nonisolated(unsafe) var waiting = 0
  private nonisolated(unsafe) var pause = StreamPause()

  init(_ link: consuming PortStream) { self.link = link }

  /// Counts `count` samples per channel of missed cycles as lost.
  @_noAllocation @_noLocks
  func lose(_ count: Int, uncertainty: Int) {
    if unsafe pause.isActive { return }
    link.counters.missed.wrappingAdd(1, ordering: .relaxed)
    unsafe gap.add(.cycle, count, uncertainty: uncertainty, isNew: true)
  }

  /// Samples per channel of the stream so far, an open gap included.
  @_noAllocation @_noLocks
  func position() -> Int64 { unsafe delivered + filled + gap.lost }

  /// Whether the samples of the next cycle have no room.
  @_noAllocation @_noLocks
  func isFull(_ count: Int) -> Bool {
    if link.isToStop() { return false }
    if link.isToPause() { return false }
    return link.ring.free() < count
  }

  /// Copies the samples of the present cycle.
  @_noAllocation @_noLocks
  func take(_ count: Int) {
    var channel = 0
    while channel < link.channelCount {
      if let source = unsafe samples(of: link.ports[channel], count) {
        var place = unsafe link.staging + channel
        var index = 0
        while index < count {
          unsafe place.pointee = source[index]
          unsafe place += link.channelCount
          index &+= 1
        }
      }
      channel &+= 1
    }
  }

  /// Hands over the copied samples of a cycle that was handled in time.
  @_noAllocation @_noLocks
  func finish(_ count: Int, at time: MonotonicTime) {
    if link.isToStop() { return }
    // Sound that comes meanwhile is not recorded, on purpose.
    if link.isToPause() { return unsafe pause.begin(link, at: time) }
    if unsafe pause.isActive {
      let nanoseconds = unsafe pause.end(link, at: time)
      unsafe link.tell(
        PauseMark(position: delivered + filled + gap.lost, nanoseconds: nanoseconds))
    }
    if link.ring.free() < count {
      let isNew = unsafe !gap.isOpen
      if isNew { link.counters.overflows.wrappingAdd(1, ordering: .relaxed) }
      link.counters.overflowed.wrappingAdd(count, ordering: .relaxed)
      unsafe gap.add(.ringOverflow, count, isNew: isNew)
      return link.wakeSession()
    }
    if unsafe gap.isOpen {
      // Without room for the report the gap goes on.
      guard unsafe link.tell(gap.mark(at: delivered + filled, ringPosition: delivered)) else {
        unsafe gap.add(.ringOverflow, count, isNew: false)
        return
      }
      link.counters.gaps.wrappingAdd(1, ordering: .relaxed)
      unsafe filled += gap.lost
      unsafe gap = PendingGap()
    }
    push(count)
    unsafe delivered += Int64(count)
    link.counters.moved.wrappingAdd(count, ordering: .relaxed)
    link.noteCycle(at: time)
    unsafe link.readClock(delivered, at: time)
    unsafe waiting += count
    if unsafe waiting >= link.worth {
      unsafe waiting = 0
      link.wakeSession()
    }
  }

  /// Reports a gap that no sample follows.
  @_noAllocation @_noLocks
  func end() {
    if unsafe gap.isOpen {
      _ = unsafe link.tell(gap.mark(at: delivered + filled, ringPosition: delivered))
      unsafe gap = PendingGap()
    }
  }

  @_noAllocation @_noLocks
  private func push(_ count: Int) {
    let size = link.ring.sampleFrameSize
    var done = 0
    while done < count {
      let space = unsafe link.ring.writable()
      guard let place = space.baseAddress else { return }
      let part = min(space.count / size, count &- done)
      if part == 0 { return }
      unsafe copy(part &* size, from: link.staging + done &* link.channelCount, to: place)
      link.ring.push(part)
      done &+= part
    }
  }
}
