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
    var lastProgress = started
    var recoveries = 0
    var waitedInVain = 0
    while !channel.isToStop() {
      let space = unsafe channel.ring.writable()
      guard let place = space.baseAddress, space.count > 0 else {
        lastProgress = monotonicMilliseconds()
        makeRoom(elapsed: lastProgress - started)
        continue
      }
      let room = space.count / channel.ring.sampleFrameSize
      let code = unsafe handle.read(into: place, min(room, parameters.bufferSize))
      if code > 0 {
        channel.ring.push(code)
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
        // A device that says it is ready and gives nothing must not make this thread spin.
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
    _ = handle.drop()
    channel.end(with: 0)
  }
}
