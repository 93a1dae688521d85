internal import Glibc
internal import Synchronization

/// The device thread of a capture: moves samples from the device to the ring, keeps account of what was
/// lost on the way, and does nothing else.
@safe
final class CaptureLoop: Sendable {
  let handle: PCMHandle
  let channel: DeviceChannel
  let parameters: AlsaParameters
  let status: DeviceStatus
  private let stallLimit: Int
  /// Where samples go that find no room; one period.
  nonisolated(unsafe) let overflow: UnsafeMutableRawPointer
  /// When the device was asked to start, and when it had; in seconds. Written before the thread begins.
  nonisolated(unsafe) private var asked = 0.0
  nonisolated(unsafe) private var started = 0.0
  /// For how long the device stood still because it was asked to, in seconds. Device thread only.
  nonisolated(unsafe) var paused = 0.0

  /// - Parameter stallLimit: in milliseconds.
  init(
    _ handle: consuming PCMHandle, _ channel: consuming DeviceChannel, _ parameters: AlsaParameters,
    _ status: consuming DeviceStatus, stallLimit: Int
  ) {
    self.handle = handle
    self.channel = channel
    self.parameters = parameters
    self.status = status
    self.stallLimit = stallLimit
    unsafe overflow = .allocate(
      byteCount: parameters.periodSize * parameters.sampleFrameSize, alignment: 64)
  }

  deinit { unsafe overflow.deallocate() }

  /// Starts the device; then run the thread.
  func start() throws(AudioError) {
    unsafe asked = monotonicSeconds()
    try callALSA("snd_pcm_start", cannot: "start device", handle.name) { CInt(handle.start()) }
    unsafe started = monotonicSeconds()
  }

  /// Runs until the session says so or the device is lost. [device thread]
  @_noAllocation @_noLocks
  func run() {
    var timeline = unsafe CaptureTimeline(parameters, asked: asked, started: started)
    var progress = DeviceProgress(proof: parameters.periodSize, stallLimit: stallLimit)
    while !channel.isToStop() {
      if channel.isToPause() {
        let failure = pause(at: timeline.position)
        progress.rested()
        if failure >= 0 { continue }
        let outcome = recover(from: failure, &timeline, &progress)
        if outcome < 0 { return end(with: outcome, &timeline) }
        continue
      }
      let space = unsafe channel.ring.writable()
      guard let place = space.baseAddress, space.count > 0 else {
        let failure = waitForRoom(&timeline)
        if timeline.isUnpaced { channel.clock.giveUp() }
        progress.rested()
        if failure >= 0 { continue }
        let outcome = recover(from: failure, &timeline, &progress)
        if outcome < 0 { return end(with: outcome, &timeline) }
        continue
      }
      let room = min(space.count / channel.ring.sampleFrameSize, parameters.bufferSize)
      let wanted = min(room, timeline.limit)
      let code = unsafe handle.read(into: place, wanted)
      if code > 0 {
        unsafe take(code, at: place, &timeline)
        progress.moved(code)
        handle.readClock(parameters, into: channel)
        if code == wanted { continue }
      }
      if code == -Int(EINTR) { continue }
      // After a short read, too, the next period is worth waiting for.
      let mustWait = code >= 0 || code == -Int(EAGAIN)
      let failure = mustWait ? progress.wait(for: handle) : code
      if failure > 0 { channel.noteWakeUp(available: handle.available(), parameters) }
      if failure >= 0 { continue }
      let outcome = recover(from: failure, &timeline, &progress)
      if outcome < 0 { return end(with: outcome, &timeline) }
      handle.readClock(parameters, into: channel)
    }
    end(with: 0, &timeline)
  }

  /// Hands on `count` samples per channel that were read to `place`.
  @_noAllocation @_noLocks
  private func take(
    _ count: Int, at place: UnsafeMutableRawPointer, _ timeline: inout CaptureTimeline
  ) {
    let read = now()
    let reading = readDevice()
    timeline.pace(count, reading)
    let lost = loseOverwritten(count, read: read, reading, &timeline)
    let kept = count - lost
    if kept == 0 { return }
    if lost > 0 {
      let size = channel.ring.sampleFrameSize
      unsafe place.copyMemory(from: place + lost * size, byteCount: kept * size)
    }
    // Where the log is full the gap stays open: it is told, and filled, where there is room again.
    if timeline.read(kept, reading), channel.gaps.append(timeline.mark(), isLast: false) {
      timeline.close()
    }
    channel.ring.push(kept)
    timeline.push(kept)
    channel.counters.moved.wrappingAdd(kept, ordering: .relaxed)
    channel.signals.signalSession()
  }

  @_noAllocation @_noLocks
  private func recover(
    from failure: Int, _ timeline: inout CaptureTimeline, _ progress: inout DeviceProgress
  ) -> Int {
    let cause = handle.cause(of: failure)
    // A device that resumes still has these.
    var held = 0
    if case .suspend = cause { held = readDevice().available }
    let failed = now()
    let outcome = progress.recover(handle, from: failure, noting: channel)
    if outcome == 1, held > 0, timeline.isHolding {
      // It slept again before this was read: what it holds is of before and after a gap. Not to be told
      // apart, it becomes a part of the gap.
      _ = handle.skip(held)
      held = 0
    }
    if let cause {
      timeline.breakOff(
        cause, held: outcome == 1 ? held : 0, failed: failed, restarted: now())
    }
    return outcome
  }

  @_noAllocation @_noLocks
  private func end(with outcome: Int, _ timeline: inout CaptureTimeline) {
    if timeline.isInGap {
      // Of a device that is gone nobody knows what it would have given.
      if outcome == 0, handle.diagnose(0) == 0 { timeline.end(readDevice()) }
      timeline.end()
      _ = channel.gaps.append(timeline.mark(), isLast: true)
    }
    channel.drift.store(timeline.drift)
    _ = handle.drop()
    channel.end(with: outcome)
  }
}
