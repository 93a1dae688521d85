// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import Glibc
internal import Synchronization

/// The device thread of a playback: moves samples from the ring to the device and does nothing else.
@safe
final class PlaybackLoop: RingOwner {
  let live: LiveRing
  let signals = DeviceSignals()
  private let handle: PCMHandle
  private let parameters: DeviceParameters
  private nonisolated(unsafe) var schedule: PollSchedule
  /// Nanoseconds.
  private let stallLimit: Int
  /// Device thread only.
  private nonisolated(unsafe) var heard: HeardSamples
  private let heardCount = RunningCount()
  private let heardUncertainty = RunningCount()

  /// - Parameter stallLimit: the longest time without a sample.
  init(
    _ handle: consuming PCMHandle, _ live: consuming LiveRing, _ parameters: DeviceParameters,
    _ schedule: PollSchedule, stallLimit: Duration
  ) {
    self.handle = handle
    self.live = live
    self.parameters = parameters
    unsafe self.schedule = schedule
    self.stallLimit = stallLimit.inNanoseconds
    unsafe heard = HeardSamples(sampleRate: parameters.format.sampleRate)
  }

  /// The samples per channel that were heard, and the uncertainty of that count either way. Any thread.
  var heardSoFar: (samples: Int64, uncertainty: Int64) {
    (heardCount.total, heardUncertainty.total)
  }

  /// Runs until the session ends it or the device is lost. [device thread]
  @_noAllocation @_noLocks
  func run() {
    // Even a dead device takes samples until its buffer is full.
    let proof = parameters.bufferSize + parameters.periodSize
    var progress = DeviceProgress(proof: proof, stallLimit: stallLimit, at: .now)
    // Samples per channel that the thread waited for.
    var awaited = 0
    while !live.isToStop() {
      if live.isToPause() {
        let failure = pause()
        progress.rested(at: .now)
        if let failure, let loss = recover(from: failure, &progress) { return end(with: loss) }
        noteHeard(handle.available())
        live.readClock(of: handle, parameters)
        continue
      }
      // Read before the ring, so that the samples written before `finish` are seen.
      let isToFinish = live.isToFinish()
      let held = unsafe live.ring.readable()
      guard let place = held.baseAddress, held.count > 0 else {
        if isToFinish {
          let failure = drain()
          // Such a device may claim to have played everything.
          return end(with: progress.isFailing() ? .other(errno: EIO) : failure)
        }
        signals.awaitSession(true)
        if live.ring.filled() == 0, !live.isToFinish() {
          signals.waitForSession(milliseconds: 100)
        }
        signals.awaitSession(false)
        progress.rested(at: .now)
        if let failure = handle.diagnose(), case .disconnected = failure {
          return end(with: failure)
        }
        continue
      }
      let wanted = min(held.count / live.ring.sampleFrameSize, parameters.bufferSize)
      var readiness = Readiness.notYet
      switch unsafe handle.write(place, wanted) {
      case .interrupted: continue
      case .samples(let count):
        if awaited > 0, count < wanted { live.noteWakeUp(count, wanted: awaited, parameters) }
        awaited = 0
        if count > 0 { moved(count, &progress) }
        if count == wanted { continue }
        // After a short write, too, wait for the room of the next period.
        if count > 0, unsafe schedule.hasRests {
          unsafe signals.waitForSession(milliseconds: schedule.milliseconds(of: schedule.rest))
          // Only a wait reveals some failures.
          readiness = handle.waitUntilReady(milliseconds: 0)
          awaited = unsafe schedule.rest
        } else {
          readiness = handle.waitUntilReady(&progress)
          awaited = parameters.periodSize
        }
      case .notReady:
        // The buffer is full before the start: the device takes less than its start threshold.
        if handle.state() == SND_PCM_STATE_PREPARED {
          _ = handle.start()
          noteStart()
        }
        readiness = handle.waitUntilReady(&progress)
        awaited = parameters.periodSize
      case .failed(let failure): readiness = .failed(failure)
      }
      switch readiness {
      case .ready: noteHeard(handle.available())
      case .notYet:
        noteHeard(handle.available())
        awaited = 0
      case .failed(let failure):
        awaited = 0
        if let loss = recover(from: failure, &progress) { return end(with: loss) }
        live.readClock(of: handle, parameters)
      }
    }
    _ = handle.drop()
    live.end(with: nil)
  }

  /// Notes that the device took `count` samples per channel.
  @_noAllocation @_noLocks
  private func moved(_ count: Int, _ progress: inout DeviceProgress) {
    live.ring.pop(count)
    live.counters.moved.add(Int64(count))
    noteStart()
    // A session with nothing more to write must not be woken for room.
    let now = MonotonicTime.now
    if unsafe schedule.isWakeUpDue(after: count, at: now), !live.isToFinish() {
      live.wakeSession()
    }
    progress.moved(count, at: now)
    live.readClock(of: handle, parameters)
  }

  /// - Returns: the loss of the device; nil if it works again.
  @_noAllocation @_noLocks
  private func recover(
    from failure: DeviceFailure, _ progress: inout DeviceProgress
  ) -> DeviceFailure? {
    let failed = MonotonicTime.now
    switch handle.recover(from: failure, &progress, noting: live) {
    case .lost(let loss): return loss
    case .restarted: beginGap(from: failure, at: failed)
    case .resumed: break
    }
    return nil
  }

  /// - Parameter failure: the loss of the device; nil if everything was played.
  @_noAllocation @_noLocks
  private func end(with failure: DeviceFailure?) {
    switch failure {
    // A stalled device has played no more than it reported.
    case nil, .stalled: break
    case let failure?: beginGap(from: failure, at: .now)
    }
    live.end(with: failure)
  }
}

// The count of heard samples.
extension PlaybackLoop {
  /// Notes the device's room in samples per channel; ignores a failure to tell it.
  @_noAllocation @_noLocks
  private func noteHeard(_ answer: Transfer) {
    guard case .samples(let available) = answer else { return }
    let taken = Int(live.counters.moved.total)
    let queued = max(parameters.bufferSize - available, 0)
    unsafe heard.update(taken: taken, queued: queued, at: .now)
    store()
  }

  /// Checks whether the device has begun to play.
  @_noAllocation @_noLocks
  private func noteStart() {
    if unsafe heard.isStarted { return }
    if handle.state() == SND_PCM_STATE_PREPARED { return }
    unsafe heard.start(at: .now)
    noteHeard(handle.available())
  }

  /// Notes that the samples in the device are lost.
  ///
  /// - Parameter time: the time at which the failure was noticed.
  @_noAllocation @_noLocks
  private func beginGap(from failure: DeviceFailure, at time: MonotonicTime) {
    let taken = Int(live.counters.moved.total)
    var ranEmpty = false
    if case .xrun = failure { ranEmpty = true }
    unsafe heard.beginGap(taken: taken, at: time, ranEmpty: ranEmpty)
    store()
  }

  @_noAllocation @_noLocks
  private func store() {
    unsafe heardCount.set(Int64(heard.count))
    unsafe heardUncertainty.set(Int64(heard.uncertainty))
  }
}

// The end of the stream.
extension PlaybackLoop {
  /// The outcome of a wait for a device to play.
  private enum Played: BitwiseCopyable {
    /// It holds no more than the limit, or the thread is to stop.
    case enough
    /// It played everything and stopped.
    case everything
    case failed(DeviceFailure)
  }

  /// Lets the device play everything that was written, and nothing more.
  ///
  /// Nothing is padded: a device that still waits for its start threshold is started, and `snd_pcm_drain` plays a
  /// last part of any length. It is called as late as possible, for some plugins block in it and return 0 if the
  /// device fails meanwhile.
  ///
  /// - Returns: the loss of the device before the end; nil after success.
  @_noAllocation @_noLocks
  private func drain() -> DeviceFailure? {
    if live.counters.moved.total == 0 { return complete() }
    if handle.state() == SND_PCM_STATE_PREPARED {
      if let failure = handle.start() { return handle.diagnose(failure) }
      noteStart()
    }
    // Early enough for plugins that hold back less than a period of their own until they drain.
    switch waitUntilQueued(atMost: 2 * parameters.periodSize) {
    case .everything: return complete()
    case .failed(let failure): return failure
    case .enough: break
    }
    var held = parameters.bufferSize
    if case .samples(let available) = handle.available() { held -= available }
    let began = MonotonicTime.now
    switch handle.drain() {
    case nil:
      // libasound returns 0 for a plugin whose device disappears meanwhile, and the state does not show it.
      let seconds = MonotonicTime.now.seconds(since: began)
      let isTooSoon = Int(seconds * Double(parameters.format.sampleRate)) < held
      if isTooSoon, case .disconnected = handle.prepare() { return .disconnected }
    case .xrun: break
    case .other(EAGAIN):
      if case .failed(let failure) = waitUntilQueued(atMost: 0) { return failure }
    case let failure?: return handle.diagnose(failure)
    }
    return complete()
  }

  /// Waits while the device plays down to `limit` samples per channel.
  @_noAllocation @_noLocks
  private func waitUntilQueued(atMost limit: Int) -> Played {
    var leastQueued = Int.max
    var lastProgress = MonotonicTime.now
    while !live.isToStop() {
      if live.isToPause() {
        if let failure = pause() {
          if case .xrun = failure { return .everything }
          return .failed(failure)
        }
        lastProgress = .now
      }
      let answer = handle.available()
      switch handle.state() {
      case SND_PCM_STATE_SETUP, SND_PCM_STATE_XRUN: return .everything
      case SND_PCM_STATE_DISCONNECTED: return .failed(.disconnected)
      case SND_PCM_STATE_SUSPENDED:
        live.counters.add(.suspend)
        live.logGap(.suspend)
        // If the driver cannot resume, the samples in its buffer are lost.
        if case .none = handle.resumeAfterSuspend() { return .failed(.suspended) }
        leastQueued = Int.max
      default:
        if case .failed(let failure) = answer {
          if case .xrun = failure { return .everything }
          return .failed(failure)
        }
      }
      noteHeard(answer)
      let now = MonotonicTime.now
      var queued = parameters.bufferSize
      if case .samples(let available) = answer { queued = max(queued - available, 0) }
      if queued <= limit { return .enough }
      if queued < leastQueued {
        leastQueued = queued
        lastProgress = now
      } else if now.nanoseconds(since: lastProgress) > stallLimit {
        return .failed(.stalled)
      }
      signals.waitForSession(milliseconds: nap(until: limit, queued))
    }
    return .enough
  }

  /// The wait in milliseconds while a device plays from `queued` down to `limit` samples per channel, short enough to
  /// notice a failure soon.
  @_noAllocation @_noLocks
  private func nap(until limit: Int, _ queued: Int) -> Int {
    min(max((queued - limit) * 1_000 / parameters.format.sampleRate, 5), 100)
  }

  /// Stops the remaining activity; plugins that hold back samples of their own hand them on now.
  @_noAllocation @_noLocks
  private func complete() -> DeviceFailure? {
    _ = handle.drop()
    return nil
  }
}

extension PlaybackLoop {
  /// Pauses until the session resumes, without losing samples or counting an underrun.
  ///
  /// A device that can pause keeps the samples in its buffer. Any other device plays them and then waits. Nothing is
  /// dropped, for the exact number of heard samples would be unknown.
  ///
  /// - Returns: the failure to recover from; nil if there is none.
  @_noAllocation @_noLocks
  private func pause() -> DeviceFailure? {
    var isHeld = false
    if parameters.canPause, handle.state() == SND_PCM_STATE_RUNNING {
      if case .none = handle.pause(true) { isHeld = true }
    }
    live.waitForResumption()
    if isHeld {
      guard let failure = handle.pause(false) else { return nil }
      return handle.diagnose(failure)
    }
    // A device notices its underrun only when asked.
    let answer = handle.available()
    var isEmpty = handle.state() == SND_PCM_STATE_XRUN
    if case .failed(.xrun) = answer { isEmpty = true }
    return isEmpty ? handle.prepare() : nil
  }
}
