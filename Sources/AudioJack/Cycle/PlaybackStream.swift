// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Fills output ports. Its methods run on the server's thread.
///
/// Every cycle fills them: with silence before ``begin()`` and after the stop. Playing begins when ``reserve`` samples
/// wait, or at the end of a shorter stream. If they run out, silence is played until as many wait again, and that silence
/// is a gap.
@safe
final class PlaybackStream: RingOwner {
  let live: LiveRing
  private let buffer: PortBuffer
  /// Samples per channel. At least a cycle's.
  let reserve: Int
  private nonisolated(unsafe) var gap = PendingGap()
  /// Samples per channel in ``PortBuffer/staging`` that no cycle has played yet.
  private nonisolated(unsafe) var staged = 0
  /// Samples per channel played so far.
  private nonisolated(unsafe) var played: Int64 = 0
  private nonisolated(unsafe) var isPlaying = false
  /// Whether the present cycle ended the stream or ran out of samples.
  private nonisolated(unsafe) var isShort = false
  /// Whether the present cycle is silent on request: before the beginning, in a pause or after the stop.
  private nonisolated(unsafe) var isSilent = false
  private let hasBegun = Atomic<Bool>(false)
  private let wasSilenced = Atomic<Bool>(false)
  /// Samples per channel of silence after the last sample, while that is on its way to the loudspeaker.
  private nonisolated(unsafe) var tail = -1
  private nonisolated(unsafe) var pause = StreamPause()
  /// Samples per channel that the session is to skip, and that it has skipped.
  private let unheard = Atomic<Int>(0)
  private let skipped = Atomic<Int>(0)
  private nonisolated(unsafe) var lastLag = -1
  /// Samples per channel between a capture of this client and this stream; −1 until both run.
  let lag = Atomic<Int>(-1)
  /// Samples per channel from the ports to the loudspeaker.
  let latency = Atomic<Int>(0)

  /// - Parameters:
  ///   - size: of the ring, in samples per channel.
  ///   - worth: how many samples per channel wake the session.
  init(
    _ buffer: consuming PortBuffer, ring size: Int, worth: Int, session: Wakeup, reserve: Int
  ) {
    live = LiveRing(for: buffer, size: size, worth: worth, session: session)
    self.buffer = buffer
    self.reserve = reserve
  }

  /// Plays from the next cycle on. Session thread only.
  func begin() {
    live.enter()
    hasBegun.store(true, ordering: .releasing)
  }

  /// Whether a cycle after the stop has filled the ports with silence. Any thread.
  var isSilenced: Bool { wasSilenced.load(ordering: .acquiring) }

  /// Whether the next cycle needs samples that are not there.
  @_noAllocation @_noLocks
  func lacks(_ count: Int) -> Bool {
    if live.isToFinish() { return false }
    if live.isToStop() { return false }
    if live.isToPause() { return false }
    if unsafe !isPlaying { return false }
    return unsafe staged &+ live.ring.filled() < count
  }

  /// Counts `count` samples per channel of missed cycles, in which nothing of the stream was heard.
  ///
  /// - Parameter keepsTime: whether the session is to skip as many samples, so that the stream stays as far behind its
  ///   capture as before. The capture has silence for them. Otherwise the stream goes on where it was.
  @_noAllocation @_noLocks
  func lose(_ count: Int, uncertainty: Int, keepsTime: Bool) {
    if unsafe pause.isActive { return }
    if unsafe !isPlaying { return }
    if live.isToStop() { return }
    live.counters.add(.cycle)
    unsafe gap.add(.cycle, Int64(count), uncertainty: Int64(uncertainty), isNew: true)
    if keepsTime { unheard.wrappingAdd(count, ordering: .relaxed) }
  }

  /// Notes how far the stream is behind a capture of the same client, when its first sample is played or silence has
  /// made it later.
  ///
  /// - Parameter captured: the capture's position before the present cycle, in samples per channel.
  @_noAllocation @_noLocks
  func noteLag(behind captured: Int64) {
    guard unsafe isPlaying else { return }
    if live.isToStop() { return }
    let count = unsafe Int(captured - played) - skipped.load(ordering: .relaxed)
    if unsafe count == lastLag { lag.store(count, ordering: .relaxed) }
    unsafe lastLag = count
  }

  /// Fills the ports for the present cycle.
  @_noAllocation @_noLocks
  func fill(_ count: Int) {
    unsafe isShort = false
    let isOver = live.isToStop()
    let isIdle = isOver ? true : !hasBegun.load(ordering: .acquiring)
    unsafe isSilent = isIdle ? true : live.isToPause()
    if unsafe isSilent {
      silence(count)
      if isOver { wasSilenced.store(true, ordering: .releasing) }
      return
    }
    // Read before the ring, so that the samples written before are seen.
    let isLast = live.isToFinish()
    let held = unsafe staged &+ live.ring.filled()
    if unsafe !isPlaying {
      let isEnough = isLast ? held > 0 : held >= max(reserve, count)
      guard isEnough else {
        unsafe isShort = isLast
        return silence(count)
      }
      unsafe isPlaying = true
    }
    stage(count)
    let given = unsafe min(staged, count)
    unsafe isShort = staged < count
    var channel = 0
    while channel < buffer.channelCount {
      if let place = unsafe samples(of: buffer.ports[channel], count) {
        var source = unsafe UnsafePointer(buffer.staging) + channel
        var index = 0
        while index < given {
          unsafe place[index] = source.pointee
          unsafe source += buffer.channelCount
          index &+= 1
        }
        if given < count { unsafe clear(place + given, count &- given) }
      }
      channel &+= 1
    }
  }

  /// Samples per channel that were due in missed cycles and are still to be skipped. Session thread only.
  var toSkip: Int { unheard.load(ordering: .relaxed) }

  /// Notes that the session skipped `count` samples per channel.
  func skip(_ count: Int) {
    unheard.wrappingSubtract(count, ordering: .relaxed)
    skipped.wrappingAdd(count, ordering: .relaxed)
  }

  /// Accounts for a cycle that was handled in time.
  @_noAllocation @_noLocks
  func finish(_ count: Int, at time: MonotonicTime) {
    if unsafe isSilent {
      if live.isToStop() { return }
      if hasBegun.load(ordering: .acquiring), live.isToPause() {
        unsafe pause.begin(live, at: time)
      }
      return
    }
    if unsafe pause.isActive { _ = unsafe pause.end(live, at: time) }
    let given = unsafe isPlaying ? min(staged, count) : 0
    if given > 0 {
      closeGap()
      unsafe live.noteClock(played, at: time)
      unsafe played += Int64(given)
      live.counters.moved.add(Int64(given))
      shift(given)
    }
    if live.isToFinish() {
      if unsafe isShort { drain(count &- given) }
    } else if unsafe isShort, unsafe isPlaying {
      unsafe isPlaying = false
      live.counters.add(.xrun)
      unsafe gap.add(.xrun, Int64(count &- given), isNew: true)
    } else if unsafe !isPlaying, unsafe gap.isOpen {
      unsafe gap.add(.xrun, Int64(count), isNew: false)
    }
    live.wakeSession(after: count)
  }

  /// Moves samples from the ring to the staging memory, up to `count` per channel in all.
  @_noAllocation @_noLocks
  private func stage(_ count: Int) {
    let size = live.ring.sampleFrameSize
    while unsafe staged < count {
      let held = unsafe live.ring.readable()
      guard let place = held.baseAddress else { return }
      let part = unsafe min(held.count / size, count &- staged)
      if part == 0 { return }
      unsafe copy(part &* size, from: place, to: buffer.staging + staged &* buffer.channelCount)
      live.ring.pop(part)
      unsafe staged &+= part
    }
  }

  /// Removes the played samples. Others are left only if the period became shorter after a missed cycle.
  @_noAllocation @_noLocks
  private func shift(_ count: Int) {
    unsafe staged &-= count
    var index = 0
    let left = unsafe staged &* buffer.channelCount
    let begin = count &* buffer.channelCount
    while index < left {
      unsafe buffer.staging[index] = buffer.staging[begin &+ index]
      index &+= 1
    }
  }

  /// Fills the ports with zeros for the present cycle.
  @_noAllocation @_noLocks
  func silence(_ count: Int) {
    var channel = 0
    while channel < buffer.channelCount {
      if let place = unsafe samples(of: buffer.ports[channel], count) { unsafe clear(place, count) }
      channel &+= 1
    }
  }

  @_noAllocation @_noLocks
  private func closeGap() {
    guard unsafe gap.isOpen else { return }
    // If there is no room, the gap is only counted.
    _ = unsafe live.tell(GapMark(gap: gap.ended(at: played), ringPosition: played))
    unsafe gap = PendingGap()
  }

  /// - Parameter silence: samples per channel of this cycle after the last one of the stream.
  @_noAllocation @_noLocks
  private func drain(_ silence: Int) {
    if unsafe tail < 0 { unsafe tail = 0 }
    unsafe tail &+= silence
    if unsafe tail >= latency.load(ordering: .relaxed), live.ending() == nil { live.end() }
  }
}
