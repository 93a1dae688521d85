/// The pauses on their way from the device thread to the session thread. Lock-free and of fixed size: where
/// nobody takes any, those that come later are only counted.
struct PauseLog: ~Copyable, Sendable {
  private let ring = SampleRing(
    capacity: 1_024, sampleFrameSize: MemoryLayout<DevicePause>.stride)

  /// Device thread only.
  @_noAllocation @_noLocks
  func append(_ pause: DevicePause) {
    let space = unsafe ring.writable()
    guard let place = space.baseAddress, space.count > 0 else { return }
    unsafe place.storeBytes(of: pause, as: DevicePause.self)
    ring.push(1)
  }

  /// Takes the oldest. Session thread only.
  func takeFirst() -> DevicePause? {
    let held = unsafe ring.readable()
    guard let place = held.baseAddress, held.count > 0 else { return nil }
    let pause = unsafe place.load(as: DevicePause.self)
    ring.pop(1)
    return pause
  }
}
