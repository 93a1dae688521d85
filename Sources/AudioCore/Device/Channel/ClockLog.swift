internal import Synchronization

/// The readings of a device's clock on their way from the device thread to the session thread.
///
/// Lock-free and of fixed size. Nobody asks a device for its position unless somebody watches.
struct ClockLog: ~Copyable, Sendable {
  private let ring = SampleRing(capacity: 256, sampleFrameSize: MemoryLayout<ClockReading>.stride)
  private let watched = Atomic<Bool>(false)

  /// From now on readings are taken. Session thread only, before the device's start.
  func watch() { watched.store(true, ordering: .releasing) }

  /// The device turned out to keep no time: no more readings. Device thread only.
  @_noAllocation @_noLocks
  func giveUp() { watched.store(false, ordering: .releasing) }

  /// Any thread.
  @_noAllocation @_noLocks
  func isWatched() -> Bool { watched.load(ordering: .acquiring) }

  /// Device thread only. One that finds no room is dropped.
  @_noAllocation @_noLocks
  func append(_ reading: ClockReading) {
    let space = unsafe ring.writable()
    guard let place = space.baseAddress, space.count > 0 else { return }
    unsafe place.storeBytes(of: reading, as: ClockReading.self)
    ring.push(1)
  }

  /// Takes all readings and gives the latest; nil where there is no new one. Session thread only.
  func latest() -> ClockReading? {
    var latest: ClockReading?
    while true {
      let held = unsafe ring.readable()
      guard let place = held.baseAddress, held.count > 0 else { return latest }
      latest = unsafe place.load(as: ClockReading.self)
      ring.pop(1)
    }
  }
}
