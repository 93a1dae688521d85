/// The gaps on their way from the device thread to the session thread.
///
/// Lock-free and of fixed size; gaps beyond what it holds are still counted in ``DeviceCounters``.
struct GapLog: ~Copyable, Sendable {
  private let ring = SampleRing(
    capacity: 1_024, sampleFrameSize: MemoryLayout<DeviceGap>.stride)

  /// Device thread only.
  @_noAllocation @_noLocks
  func append(_ gap: DeviceGap) {
    let space = unsafe ring.writable()
    guard let place = space.baseAddress, space.count > 0 else { return }
    unsafe place.storeBytes(of: gap, as: DeviceGap.self)
    ring.push(1)
  }

  /// Takes the oldest gap. Session thread only.
  func next() -> DeviceGap? {
    let held = unsafe ring.readable()
    guard let place = held.baseAddress, held.count > 0 else { return nil }
    let gap = unsafe place.load(as: DeviceGap.self)
    ring.pop(1)
    return gap
  }
}
