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

  /// - Parameter stallLimit: in milliseconds.
  init(
    _ handle: consuming PCMHandle, _ channel: consuming DeviceChannel, _ parameters: AlsaParameters,
    stallLimit: Int
  ) {
    self.handle = handle
    self.channel = channel
    self.parameters = parameters
    self.stallLimit = stallLimit
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
          let outcome = progress.recover(handle, from: failure, noting: channel)
          if outcome < 0 { return channel.end(with: outcome) }
        }
        continue
      }
      // Asked before the ring is: what was written before `finish` is then seen.
      let isToFinish = channel.isToFinish()
      let held = unsafe channel.ring.readable()
      guard let place = held.baseAddress, held.count > 0 else {
        if isToFinish {
          let outcome = drain()
          // Such a device may well say that it has played everything.
          return channel.end(with: progress.isFailing() ? -Int(EIO) : outcome)
        }
        channel.signals.waitForSession(milliseconds: 100)
        progress.rested()
        let failure = handle.diagnose(0)
        if failure == -Int(ENODEV) { return channel.end(with: failure) }
        continue
      }
      let wanted = min(held.count / channel.ring.sampleFrameSize, parameters.bufferSize)
      let code = unsafe handle.write(place, wanted)
      if code > 0 {
        channel.ring.pop(code)
        channel.counters.moved.wrappingAdd(code, ordering: .relaxed)
        channel.signals.signalSession()
        progress.moved(code)
        handle.readClock(parameters, into: channel)
        if code == wanted { continue }
      }
      if code == -Int(EINTR) { continue }
      // Full before it started: the device takes less than its start threshold.
      if code == -Int(EAGAIN), handle.state() == SND_PCM_STATE_PREPARED { _ = handle.start() }
      // After a short write, too, room for the next period is worth waiting for.
      let mustWait = code >= 0 || code == -Int(EAGAIN)
      let failure = mustWait ? progress.wait(for: handle) : code
      if failure > 0 { channel.noteWakeUp(available: handle.available(), parameters) }
      if failure >= 0 { continue }
      let outcome = progress.recover(handle, from: failure, noting: channel)
      if outcome < 0 { return channel.end(with: outcome) }
      handle.readClock(parameters, into: channel)
    }
    _ = handle.drop()
    channel.end(with: 0)
  }
}
