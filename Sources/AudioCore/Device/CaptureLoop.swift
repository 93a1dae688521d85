internal import Glibc
internal import Synchronization

/// The device thread of a capture: moves samples from the device to the ring and does nothing else.
@safe
final class CaptureLoop: Sendable {
  let handle: PCMHandle
  let channel: DeviceChannel
  let parameters: AlsaParameters
  private let stallLimit: Int
  /// Where samples go that find no room; one period.
  nonisolated(unsafe) let overflow: UnsafeMutableRawPointer

  /// - Parameter stallLimit: in milliseconds.
  init(
    _ handle: consuming PCMHandle, _ channel: consuming DeviceChannel, _ parameters: AlsaParameters,
    stallLimit: Int
  ) {
    self.handle = handle
    self.channel = channel
    self.parameters = parameters
    self.stallLimit = stallLimit
    unsafe overflow = .allocate(
      byteCount: parameters.periodSize * parameters.sampleFrameSize, alignment: 64)
  }

  deinit { unsafe overflow.deallocate() }

  /// Runs until the session says so or the device is lost. [device thread]
  @_noAllocation @_noLocks
  func run() {
    let started = monotonicMilliseconds()
    var wasFull = false
    var isPaced = true
    var progress = DeviceProgress(proof: parameters.periodSize, stallLimit: stallLimit)
    while !channel.isToStop() {
      let space = unsafe channel.ring.writable()
      guard let place = space.baseAddress, space.count > 0 else {
        if !wasFull { isPaced = !hasOutrunClock(elapsed: monotonicMilliseconds() - started) }
        if !isPaced { channel.clock.giveUp() }
        wasFull = true
        waitForRoom(isPaced: isPaced)
        progress.rested()
        continue
      }
      let wanted = min(space.count / channel.ring.sampleFrameSize, parameters.bufferSize)
      let code = unsafe handle.read(into: place, wanted)
      if code > 0 {
        channel.ring.push(code)
        channel.counters.moved.wrappingAdd(code, ordering: .relaxed)
        channel.signals.signalSession()
        progress.moved(code)
        handle.readClock(parameters, into: channel)
        if code == wanted { continue }
      }
      if code == -Int(EINTR) { continue }
      // After a short read, too, the next period is worth waiting for.
      let mustWait = code >= 0 || code == -Int(EAGAIN)
      let failure = mustWait ? progress.wait(for: handle) : code
      if failure >= 0 { continue }
      let outcome = progress.recover(handle, from: failure, noting: channel)
      if outcome < 0 { return channel.end(with: outcome) }
      handle.readClock(parameters, into: channel)
    }
    _ = handle.drop()
    channel.end(with: 0)
  }
}
