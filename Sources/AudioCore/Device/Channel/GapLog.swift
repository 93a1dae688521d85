/// The gaps on their way from the device thread to the session thread. Lock-free and of fixed size.
struct GapLog: ~Copyable, Sendable {
  private let ring = SampleRing(
    capacity: 1_024, sampleFrameSize: MemoryLayout<GapMark>.stride)

  /// Adds a gap, before the samples that follow it are pushed. Device thread only.
  ///
  /// - Parameter isLast: whether nothing will follow; the last place is kept for such a gap.
  /// - Returns: false where there is no room.
  @_noAllocation @_noLocks
  func append(_ mark: GapMark, isLast: Bool) -> Bool {
    if ring.free() == 1, !isLast { return false }
    let space = unsafe ring.writable()
    guard let place = space.baseAddress, space.count > 0 else { return false }
    unsafe place.storeBytes(of: mark, as: GapMark.self)
    ring.push(1)
    return true
  }

  /// The oldest gap. Session thread only.
  var first: GapMark? {
    let held = unsafe ring.readable()
    guard let place = held.baseAddress, held.count > 0 else { return nil }
    return unsafe place.load(as: GapMark.self)
  }

  /// Drops the oldest gap. Session thread only.
  func removeFirst() { ring.pop(1) }
}
