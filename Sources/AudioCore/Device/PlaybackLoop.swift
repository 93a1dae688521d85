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
    var lastProgress = monotonicMilliseconds()
    var recoveries = 0
    var waitedInVain = 0
    while true {
      // The command before the ring: what was written before `finish` is then seen.
      let isFinishing = channel.isToFinish()
      if channel.isToStop() { return channel.end(with: abandon()) }
      let held = unsafe channel.ring.readable()
      guard let place = held.baseAddress, held.count > 0 else {
        if isFinishing { return channel.end(with: drain()) }
        channel.signals.waitForSession(milliseconds: 100)
        let failure = handle.diagnose(0)
        if failure == -Int(ENODEV) { return channel.end(with: failure) }
        lastProgress = monotonicMilliseconds()
        continue
      }
      let count = held.count / channel.ring.sampleFrameSize
      let code = unsafe handle.write(place, min(count, parameters.bufferSize))
      if code > 0 {
        channel.ring.pop(code)
        channel.counters.moved.wrappingAdd(code, ordering: .relaxed)
        channel.signals.signalSession()
        lastProgress = monotonicMilliseconds()
        recoveries = 0
        waitedInVain = 0
        continue
      }
      if code == -Int(EINTR) { continue }
      var failure = code
      if code == 0 || code == -Int(EAGAIN) {
        // Full before it started: the device takes less than its start threshold.
        if handle.state() == SND_PCM_STATE_PREPARED { _ = handle.start() }
        // A device that says it is ready and takes nothing must not make this thread spin.
        if waitedInVain > 1 { nap(milliseconds: 1) }
        failure = handle.waitUntilReady()
        waitedInVain = failure == 1 ? waitedInVain + 1 : 0
        if monotonicMilliseconds() - lastProgress > stallLimit { failure = -Int(ETIMEDOUT) }
        if failure >= 0 { continue }
      }
      recoveries += 1
      let recovered = handle.recover(from: failure, noting: channel)
      if recovered < 0 || recoveries > 8 {
        return channel.end(with: recovered < 0 ? recovered : failure)
      }
    }
  }

  @_noAllocation @_noLocks
  private func abandon() -> Int {
    _ = handle.drop()
    return 0
  }
}
