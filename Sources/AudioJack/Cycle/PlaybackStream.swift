// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Fills output ports. Its methods run on the server's thread.
///
/// Playing begins when ``reserve`` samples wait, or at the end of a shorter stream. If they run out, silence is played
/// until as many wait again, and that silence is a gap.
@safe
final class PlaybackStream: Sendable {
  let link: PortStream
  /// Samples per channel. At least a cycle's.
  let reserve: Int
  private nonisolated(unsafe) var gap = PendingGap()
  /// Samples per channel in ``PortStream/staging`` that no cycle has played yet.
  private nonisolated(unsafe) var staged = 0
  /// Samples per channel played so far.
  private nonisolated(unsafe) var played: Int64 = 0
  private nonisolated(unsafe) var isPlaying = false
  /// Whether the present cycle ended the stream or ran out of samples.
  private nonisolated(unsafe) var isShort = false
  /// Whether the present cycle is silent on request.
  private nonisolated(unsafe) var isSilent = false
  /// Samples per channel of silence after the last sample, while that is on its way to the loudspeaker.
  private nonisolated(unsafe) var tail = -1
  private nonisolated(unsafe) var waiting = 0
  private nonisolated(unsafe) var pause = StreamPause()
  /// Samples per channel that the session is to skip, and that it has skipped.
  private let unheard = Atomic<Int>(0)
  private let skipped = Atomic<Int>(0)
  private nonisolated(unsafe) var lastLag = -1
  /// Samples per channel between a capture of this client and this stream; −1 until both run.
  let lag = Atomic<Int>(-1)
  /// Samples per channel from the ports to the loudspeaker.
  let latency = Atomic<Int>(0)

  init(_ link: consuming PortStream, reserve: Int) {
    self.link = link
    self.reserve = reserve
  }

  /// Whether the next cycle needs samples that are not there.
  @_noAllocation @_noLocks
  func lacks(_ count: Int) -> Bool {
    if link.isToFinish() { return false }
    if link.isToStop() { return false }
    if link.isToPause() { return false }
    if unsafe !isPlaying { return false }
    return unsafe staged &+ link.ring.filled() < count
  }

  /// Counts `count` samples per channel of missed cycles, in which nothing of the stream was heard.
  ///
  /// - Parameter keepsTime: whether the session is to skip as many samples, so that the stream stays as far behind its
  ///   capture as before. The capture has silence for them. Otherwise the stream goes on where it was.
  @_noAllocation @_noLocks
  func lose(_ count: Int, uncertainty: Int, keepsTime: Bool) {
    if unsafe pause.isActive { return }
    if unsafe !isPlaying { return }
    link.counters.missed.wrappingAdd(1, ordering: .relaxed)
    unsafe gap.add(.cycle, count, uncertainty: uncertainty, isNew: true)
    if keepsTime { unheard.wrappingAdd(count, ordering: .relaxed) }
  }

  /// Notes how far the stream is behind a capture of the same client, when its first sample is played or silence has
  /// made it later.
  ///
  /// - Parameter captured: the capture's position before the present cycle, in samples per channel.
  @_noAllocation @_noLocks
  func noteLag(behind captured: Int64) {
    guard unsafe isPlaying else { return }
    let count = unsafe Int(captured - played) - skipped.load(ordering: .relaxed)
    if unsafe count == lastLag { lag.store(count, ordering: .relaxed) }
    unsafe lastLag = count
  }

  /// Fills the ports for the present cycle.
  @_noAllocation @_noLocks
  func fill(_ count: Int) {
    unsafe isShort = false
    unsafe isSilent = link.isToPause() ? true : link.isToStop()
    if unsafe isSilent { return silence(count) }
    // Read before the ring, so that the samples written before are seen.
    let isLast = link.isToFinish()
    let held = unsafe staged &+ link.ring.filled()
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
    while channel < link.channelCount {
      if let place = unsafe samples(of: link.ports[channel], count) {
        var source = unsafe UnsafePointer(link.staging) + channel
        var index = 0
        while index < given {
          unsafe place[index] = source.pointee
          unsafe source += link.channelCount
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
      if !link.isToStop() { unsafe pause.begin(link, at: time) }
      return
    }
    if unsafe pause.isActive { _ = unsafe pause.end(link, at: time) }
    let given = unsafe isPlaying ? min(staged, count) : 0
    if given > 0 {
      closeGap()
      unsafe link.readClock(played, at: time)
      unsafe played += Int64(given)
      link.counters.moved.wrappingAdd(given, ordering: .relaxed)
      shift(given)
    }
    if link.isToFinish() {
      if unsafe isShort { drain(count &- given) }
    } else if unsafe isShort, unsafe isPlaying {
      unsafe isPlaying = false
      link.counters.xruns.wrappingAdd(1, ordering: .relaxed)
      unsafe gap.add(.xrun, count &- given, isNew: true)
    } else if unsafe !isPlaying, unsafe gap.isOpen {
      unsafe gap.add(.xrun, count, isNew: false)
    }
    unsafe waiting += count
    if unsafe waiting >= link.worth {
      unsafe waiting = 0
      link.wakeSession()
    }
  }

  /// Moves samples from the ring to the staging memory, up to `count` per channel in all.
  @_noAllocation @_noLocks
  private func stage(_ count: Int) {
    let size = link.ring.sampleFrameSize
    while unsafe staged < count {
      let held = unsafe link.ring.readable()
      guard let place = held.baseAddress else { return }
      let part = unsafe min(held.count / size, count &- staged)
      if part == 0 { return }
      unsafe copy(part &* size, from: place, to: link.staging + staged &* link.channelCount)
      link.ring.pop(part)
      unsafe staged &+= part
    }
  }

  /// Removes the played samples. Others are left only if the period became shorter after a missed cycle.
  @_noAllocation @_noLocks
  private func shift(_ count: Int) {
    unsafe staged &-= count
    var index = 0
    let left = unsafe staged &* link.channelCount
    let begin = count &* link.channelCount
    while index < left {
      unsafe link.staging[index] = link.staging[begin &+ index]
      index &+= 1
    }
  }

  @_noAllocation @_noLocks
  private func silence(_ count: Int) {
    var channel = 0
    while channel < link.channelCount {
      if let place = unsafe samples(of: link.ports[channel], count) { unsafe clear(place, count) }
      channel &+= 1
    }
  }

  @_noAllocation @_noLocks
  private func closeGap() {
    guard unsafe gap.isOpen else { return }
    // If there is no room, the gap is only counted.
    _ = unsafe link.tell(gap.mark(at: played, ringPosition: played))
    link.counters.gaps.wrappingAdd(1, ordering: .relaxed)
    unsafe gap = PendingGap()
  }

  /// - Parameter silence: samples per channel of this cycle after the last one of the stream.
  @_noAllocation @_noLocks
  private func drain(_ silence: Int) {
    if unsafe tail < 0 { unsafe tail = 0 }
    unsafe tail &+= silence
    if unsafe tail >= latency.load(ordering: .relaxed), !link.isFinished() { link.tellFinished() }
  }
}
