// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// The device thread of a capture: moves samples from the device to the ring, keeps account of lost samples, and does
/// nothing else.
@safe
final class CaptureLoop: RingOwner {
  let live: LiveRing
  let signals = DeviceSignals()
  private let handle: PCMHandle
  private let parameters: DeviceParameters
  private let status: DeviceStatus
  private nonisolated(unsafe) var schedule: PollSchedule
  /// Nanoseconds.
  private let stallLimit: Int
  /// Memory of one period, for samples that find no room in the ring.
  private nonisolated(unsafe) let overflow: UnsafeMutableRawPointer
  /// When the device was asked to start. Written before the thread begins.
  private nonisolated(unsafe) var asked = MonotonicTime(nanoseconds: 0)
  /// The time for which the device was paused on request, in nanoseconds. Device thread only.
  private nonisolated(unsafe) var paused = 0

  /// - Parameter stallLimit: the longest time without a sample.
  init(
    _ handle: consuming PCMHandle, _ live: consuming LiveRing, _ parameters: DeviceParameters,
    _ status: consuming DeviceStatus, _ schedule: PollSchedule, stallLimit: Duration
  ) {
    self.handle = handle
    self.live = live
    self.parameters = parameters
    self.status = status
    unsafe self.schedule = schedule
    self.stallLimit = stallLimit.inNanoseconds
    unsafe overflow = .allocate(
      byteCount: parameters.periodSize * parameters.sampleFrameSize, alignment: 64)
  }

  deinit { unsafe overflow.deallocate() }

  /// Starts the device; then run the thread.
  func start() throws(AudioError) {
    unsafe asked = .now
    try callALSA("snd_pcm_start", cannot: "start device", handle.name) {
      handle.start().map { -$0.errno } ?? 0
    }
    live.begin(at: .now)
  }

  /// Runs until the session says so or the device is lost. [device thread]
  @_noAllocation @_noLocks
  func run() {
    var timeline = unsafe CaptureTimeline(parameters, asked: asked, started: live.started())
    var progress = DeviceProgress(
      proof: parameters.periodSize, stallLimit: stallLimit, at: .now)
    // Samples per channel that the thread has waited for.
    var awaited = 0
    while !live.isToStop() {
      guard let failure = step(&timeline, &progress, &awaited) else { continue }
      awaited = 0
      if let loss = recover(from: failure, &timeline, &progress) {
        return end(with: loss, &timeline)
      }
      live.readClock(of: handle, parameters)
    }
    readRemainder(&timeline)
    end(with: nil, &timeline)
  }

  /// Pauses, waits for room in the ring, or moves samples.
  ///
  /// - Returns: the failure to recover from; nil if nothing failed.
  @_noAllocation @_noLocks
  private func step(
    _ timeline: inout CaptureTimeline, _ progress: inout DeviceProgress, _ awaited: inout Int
  ) -> DeviceFailure? {
    if live.isToPause() {
      let failure = pause(at: timeline.position)
      progress.rested(at: .now)
      return failure
    }
    let space = unsafe live.ring.writable()
    guard let place = space.baseAddress, space.count > 0 else {
      let failure = waitForRoom(&timeline)
      if timeline.isUnpaced { live.ignoreClock() }
      progress.rested(at: .now)
      return failure
    }
    let room = min(space.count / live.ring.sampleFrameSize, parameters.bufferSize)
    let wanted = min(room, timeline.limit)
    switch unsafe handle.read(into: place, wanted) {
    case .interrupted: return nil
    case .samples(let count):
      if awaited > 0, count < wanted { live.noteWakeUp(count, wanted: awaited, parameters) }
      awaited = 0
      var left = 0
      if count > 0 {
        left = unsafe take(count, at: place, &timeline)
        progress.moved(count, at: .now)
        live.readClock(of: handle, parameters)
      }
      if count == wanted { return nil }
      // After a short read, too, the next period is worth waiting for.
      if count > 0, !timeline.isUnpaced {
        switch unsafe schedule.nextRest(holding: left) {
        case .none: break
        case .readAgain: return nil
        case .samples(let rest):
          unsafe signals.waitForSession(milliseconds: schedule.milliseconds(of: rest))
          awaited = rest
          return nil
        }
      }
    case .notReady: break
    case .failed(let failure): return failure
    }
    awaited = parameters.periodSize
    switch handle.waitUntilReady(&progress) {
    case .ready: break
    case .notYet: awaited = 0
    case .failed(let failure): return failure
    }
    return nil
  }

  /// Reads the samples that the device still holds at the end: a thread that rests has not seen them.
  @_noAllocation @_noLocks
  private func readRemainder(_ timeline: inout CaptureTimeline) {
    if unsafe !schedule.hasRests { return }
    var left = parameters.bufferSize
    while left > 0 {
      let space = unsafe live.ring.writable()
      let wanted = min(min(space.count / live.ring.sampleFrameSize, timeline.limit), left)
      guard let place = space.baseAddress, wanted > 0,
        case .samples(let count) = unsafe handle.read(into: place, wanted), count > 0
      else { return }
      _ = unsafe take(count, at: place, &timeline)
      left -= count
    }
  }

  /// Hands on `count` samples per channel that were read to `place`.
  ///
  /// - Returns: the samples per channel that the device still holds.
  @_noAllocation @_noLocks
  private func take(
    _ count: Int, at place: UnsafeMutableRawPointer, _ timeline: inout CaptureTimeline
  ) -> Int {
    let read = now()
    let reading = readDevice()
    timeline.pace(count, reading)
    let lost = loseOverwritten(count, read: read, reading, &timeline)
    let kept = count - lost
    if kept == 0 { return reading.available }
    if lost > 0 {
      let size = live.ring.sampleFrameSize
      unsafe place.copyMemory(from: place + lost * size, byteCount: kept * size)
    }
    // If the queue is full the gap stays open: it is reported, and filled, once there is room again.
    if timeline.read(kept, reading) { timeline.endGap(to: live) }
    live.ring.push(kept)
    timeline.push(kept)
    live.counters.moved.add(Int64(kept))
    let waiting = reading.available * 1_000_000_000 / parameters.format.sampleRate
    unsafe live.noteArrival(
      at: MonotonicTime(nanoseconds: reading.time.nanoseconds + paused - waiting))
    if unsafe schedule.isWakeUpDue(after: kept, at: reading.time) {
      live.wakeSession()
    }
    return reading.available
  }

  /// - Returns: the failure for which the device is lost; nil if it works again.
  @_noAllocation @_noLocks
  private func recover(
    from failure: DeviceFailure, _ timeline: inout CaptureTimeline,
    _ progress: inout DeviceProgress
  ) -> DeviceFailure? {
    let cause = handle.diagnose(failure).cause
    // A device that resumes still has what it holds now.
    var held = 0
    var stopped: CaptureReading?
    if case .suspend = cause {
      let reading = readDevice()
      held = reading.available
      stopped = reading
    }
    let recovery = handle.recover(from: failure, &progress, noting: live)
    let restarted = now()
    var asked = restarted
    switch recovery {
    case .resumed(let instant):
      asked = onDeviceClock(instant)
      if held > 0, timeline.isHolding {
        // The device slept again before this was read: it holds samples from before and after a gap. The two cannot be
        // told apart, so they become a part of the gap.
        _ = handle.skip(held)
        held = 0
      }
    case .restarted(let instant):
      asked = onDeviceClock(instant)
      held = 0
    case .lost: held = 0
    }
    if let cause {
      timeline.beginGap(cause, held: held, stopped: stopped, asked: asked, restarted: restarted)
    }
    unsafe schedule.lookClosely()
    if case .lost(let loss) = recovery { return loss }
    return nil
  }

  /// - Parameter failure: for which the device is lost; nil if the thread was asked to end.
  @_noAllocation @_noLocks
  private func end(with failure: DeviceFailure?, _ timeline: inout CaptureTimeline) {
    if timeline.isInGap {
      // The length of a gap at a lost device is unknown.
      if case .none = failure, case .none = handle.diagnose() { timeline.end(readDevice()) }
      timeline.end()
      timeline.endGap(to: live, isLast: true)
    }
    live.drift.store(timeline.drift)
    _ = handle.drop()
    live.end(with: failure)
  }

  /// The ring is full: the session thread does not keep up.
  ///
  /// A device that is not bound to time waits and loses nothing. Any other goes on: its samples are dropped here, and
  /// counted, rather than in the device, which may not even tell (a PulseAudio monitor does not).
  ///
  /// - Returns: the failure to recover from; nil if nothing failed.
  @_noAllocation @_noLocks
  private func waitForRoom(_ timeline: inout CaptureTimeline) -> DeviceFailure? {
    timeline.settlePacing()
    if timeline.isUnpaced {
      signals.awaitSession(true)
      if live.ring.free() == 0 { signals.waitForSession(milliseconds: 10) }
      signals.awaitSession(false)
      return handle.diagnose()
    }
    var isNew = true
    while live.ring.free() == 0, !live.isToStop() {
      let wanted = min(parameters.periodSize, timeline.limit)
      switch unsafe handle.read(into: overflow, wanted) {
      case .interrupted: continue
      case .failed(let failure): return failure
      case .samples(let count):
        if count == 0 { return nil }
        live.counters.overflowed.add(Int64(count))
        if isNew { live.counters.add(.ringOverflow) }
        timeline.lose(count, .ringOverflow, isNew: isNew)
        isNew = false
      case .notReady:
        if case .failed(let failure) = handle.waitUntilReady() { return failure }
        nap(milliseconds: 1)
      }
    }
    return nil
  }

  /// The device's position, and its time on a clock that stands still while the device is paused.
  @_noAllocation @_noLocks
  private func readDevice() -> CaptureReading {
    var reading = handle.readPosition(status)
    unsafe reading.time.nanoseconds -= paused
    return reading
  }

  /// The present on that clock.
  @_noAllocation @_noLocks
  private func now() -> MonotonicTime { onDeviceClock(.now) }

  @_noAllocation @_noLocks
  private func onDeviceClock(_ instant: MonotonicTime) -> MonotonicTime {
    unsafe MonotonicTime(nanoseconds: instant.nanoseconds - paused)
  }

  /// Counts samples as lost that the device had overwritten before they were read.
  ///
  /// The device's buffer holds the samples that lie within its own length behind its pointer. Samples that lay further
  /// behind when reading had ended may be newer ones.
  ///
  /// - Parameters:
  ///   - count: samples per channel that were read.
  ///   - read: the time at which that had ended.
  ///   - reading: the device's state after that.
  /// - Returns: the number of lost samples per channel, the first ones of `count`.
  @_noAllocation @_noLocks
  private func loseOverwritten(
    _ count: Int, read: MonotonicTime, _ reading: CaptureReading, _ timeline: inout CaptureTimeline
  ) -> Int {
    if timeline.isUnpaced { return 0 }
    // DMA may have written so many samples per channel further than the device's pointer says.
    let burst = 64
    let held = reading.mostHeld(
      at: read, sampleRate: parameters.format.sampleRate, step: max(burst, parameters.periodSize))
    let excess = held + count - parameters.bufferSize
    if excess <= 0 { return 0 }
    let isNew = !timeline.isLosing
    if isNew { live.counters.add(.xrun) }
    let overwritten = min(excess + burst, count)
    let unread = excess - count
    let skipped = unread > 0 ? handle.skip(unread) : 0
    timeline.lose(overwritten + skipped, .xrun, isNew: isNew)
    return overwritten
  }

  /// Stands still until the session goes on. Sound that comes meanwhile is not recorded, on purpose.
  ///
  /// - Parameter position: of the stream, in samples per channel.
  /// - Returns: the failure to recover from; nil if nothing failed.
  @_noAllocation @_noLocks
  private func pause(at position: Int64) -> DeviceFailure? {
    let stopped = readDevice()
    _ = handle.drop()
    live.waitForResumption()
    if let failure = handle.prepare() { return handle.diagnose(failure) }
    let failure = handle.start()
    // The samples that the device held are a part of the pause.
    let held = stopped.available * 1_000_000_000 / parameters.format.sampleRate
    let nanoseconds = now().nanoseconds(since: stopped.time) + held
    unsafe paused += nanoseconds
    live.tell(DevicePause(position: position, nanoseconds: nanoseconds))
    guard let failure else { return nil }
    return handle.diagnose(failure)
  }
}
