internal import CALSA
internal import Glibc
internal import Synchronization

/// The device thread of a playback: moves samples from the ring to the device and does nothing else.
@safe
final class PlaybackLoop: Sendable {
  let handle: PCMHandle
  let channel: DeviceChannel
  let parameters: AlsaParameters
  let stallLimit: Int
  /// Device thread only.
  nonisolated(unsafe) var heard: HeardSamples

  /// - Parameter stallLimit: in milliseconds.
  init(
    _ handle: consuming PCMHandle, _ channel: consuming DeviceChannel, _ parameters: AlsaParameters,
    stallLimit: Int
  ) {
    self.handle = handle
    self.channel = channel
    self.parameters = parameters
    self.stallLimit = stallLimit
    unsafe heard = HeardSamples(sampleRate: parameters.format.sampleRate)
  }

  /// Runs until the session says so or the device is lost. [device thread]
  @_noAllocation @_noLocks
  func run() {
    // A dead device, too, takes what its buffer holds.
    let proof = parameters.bufferSize + parameters.periodSize
    var progress = DeviceProgress(proof: proof, stallLimit: stallLimit)
    while !channel.isToStop() {
      if channel.isToPause() {
        let failure = pause()
        progress.rested()
        if failure < 0 {
          let outcome = recover(from: failure, &progress)
          if outcome < 0 { return end(with: outcome) }
        }
        noteHeard(available: handle.available())
        handle.readClock(parameters, into: channel)
        continue
      }
      // Asked before the ring is: what was written before `finish` is then seen.
      let isToFinish = channel.isToFinish()
      let held = unsafe channel.ring.readable()
      guard let place = held.baseAddress, held.count > 0 else {
        if isToFinish {
          let outcome = drain()
          // Such a device may well say that it has played everything.
          return end(with: progress.isFailing() ? -Int(EIO) : outcome)
        }
        channel.signals.waitForSession(milliseconds: 100)
        progress.rested()
        let failure = handle.diagnose(0)
        if failure == -Int(ENODEV) { return end(with: failure) }
        continue
      }
      let wanted = min(held.count / channel.ring.sampleFrameSize, parameters.bufferSize)
      let code = unsafe handle.write(place, wanted)
      if code > 0 {
        channel.ring.pop(code)
        channel.counters.moved.wrappingAdd(code, ordering: .relaxed)
        noteStart()
        channel.signals.signalSession()
        progress.moved(code)
        handle.readClock(parameters, into: channel)
        if code == wanted { continue }
      }
      if code == -Int(EINTR) { continue }
      // Full before it started: the device takes less than its start threshold.
      if code == -Int(EAGAIN), handle.state() == SND_PCM_STATE_PREPARED {
        _ = handle.start()
        noteStart()
      }
      // After a short write, too, room for the next period is worth waiting for.
      let mustWait = code >= 0 || code == -Int(EAGAIN)
      let failure = mustWait ? progress.wait(for: handle) : code
      if failure >= 0 {
        let available = handle.available()
        noteHeard(available: available)
        if failure > 0 { channel.noteWakeUp(available: available, parameters) }
        continue
      }
      let outcome = recover(from: failure, &progress)
      if outcome < 0 { return end(with: outcome) }
      handle.readClock(parameters, into: channel)
    }
    _ = handle.drop()
    channel.end(with: 0)
  }

  @_noAllocation @_noLocks
  private func recover(from failure: Int, _ progress: inout DeviceProgress) -> Int {
    let failed = monotonicSeconds()
    let outcome = progress.recover(handle, from: failure, noting: channel)
    if outcome == 0 { breakOff(from: failure, at: failed) }
    return outcome
  }

  @_noAllocation @_noLocks
  private func end(with outcome: Int) {
    // A device that stands still has played no more than it said.
    if outcome < 0, outcome != -Int(ETIMEDOUT) { breakOff(from: outcome, at: monotonicSeconds()) }
    channel.end(with: outcome)
  }
}
