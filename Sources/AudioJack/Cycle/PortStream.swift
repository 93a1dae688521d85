// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Synchronization

/// The samples of an end's ports: everything that the server's thread and the session thread share.
///
/// The server's thread moves a cycle in two steps: from the ports into ``staging`` or back, and then, if the cycle was
/// still the present one at the end, between ``staging`` and ``ring``.
@safe
struct PortStream: ~Copyable, Sendable {
  /// The longest cycle in samples per channel; jackd and PipeWire have no longer one.
  static var longestCycle: Int {
    @inline(__always) @_noAllocation @_noLocks get { 8_192 }
  }

  let channelCount: Int
  let ring: SampleRing
  /// The gaps that the session thread has not taken yet.
  let gaps = RealTimeQueue<GapMark>(capacity: 1_024)
  let pauses = RealTimeQueue<PauseMark>(capacity: 1_024)
  let counters = StreamCounters()
  let session: Wakeup
  /// The ports, one for each channel.
  nonisolated(unsafe) let ports: UnsafeMutablePointer<PortHandle>
  /// Interleaved samples of one cycle.
  nonisolated(unsafe) let staging: UnsafeMutablePointer<Float>
  /// How many samples per channel wake the session.
  let worth: Int
  private let clockReadings = RealTimeQueue<ClockReading>(capacity: 256)
  private let isClockWatched = Atomic<Bool>(false)
  /// Set by the session thread: no further sample is wanted.
  private let mustStop = Atomic<Bool>(false)
  /// Set by the session thread: the samples in the ring are the last ones.
  private let mustFinish = Atomic<Bool>(false)
  /// Set by the server's thread: the last sample has been played.
  private let hasFinished = Atomic<Bool>(false)
  private let lastCycle = Atomic<Int>(0)

  /// - Parameters:
  ///   - ports: one for each channel.
  ///   - ring: in samples per channel.
  ///   - worth: how many samples per channel wake the session.
  init(_ ports: [PortHandle], ring: Int, worth: Int, session: Wakeup) {
    channelCount = ports.count
    self.ring = SampleRing(
      capacity: ring, sampleFrameSize: ports.count * MemoryLayout<Float>.size)
    self.session = session
    self.worth = worth
    unsafe self.ports = .allocate(capacity: ports.count)
    unsafe self.ports.initialize(from: ports, count: ports.count)
    let size = Self.longestCycle * ports.count
    unsafe staging = .allocate(capacity: size)
    // Touches every page now, not in the first cycle.
    unsafe staging.initialize(repeating: 0, count: size)
  }

  deinit {
    unsafe ports.deallocate()
    unsafe staging.deallocate()
  }

  @_noAllocation @_noLocks
  func isToPause() -> Bool { session.pause.isActive() }

  @_noAllocation @_noLocks
  func isToStop() -> Bool { mustStop.load(ordering: .acquiring) }

  @_noAllocation @_noLocks
  func isToFinish() -> Bool { mustFinish.load(ordering: .acquiring) }

  /// Any thread.
  @_noAllocation @_noLocks
  func isFinished() -> Bool { hasFinished.load(ordering: .acquiring) }

  /// Session thread only.
  func stop() { mustStop.store(true, ordering: .releasing) }

  /// Session thread only.
  func finish() { mustFinish.store(true, ordering: .releasing) }

  /// Server's thread only.
  @_noAllocation @_noLocks
  func tellFinished() {
    hasFinished.store(true, ordering: .releasing)
    wakeSession()
  }

  /// Stores when the last samples came. Server's thread, or before its start.
  @_noAllocation @_noLocks
  func noteCycle(at time: MonotonicTime) {
    lastCycle.store(time.nanoseconds, ordering: .relaxed)
  }

  /// When the last samples came. Any thread.
  func lastCycleTime() -> MonotonicTime {
    MonotonicTime(nanoseconds: lastCycle.load(ordering: .relaxed))
  }

  @_noAllocation @_noLocks
  func beginPause() { session.pause.beginPause() }

  @_noAllocation @_noLocks
  func endPause() { session.pause.endPause() }

  /// Starts the readings of the clock. Session thread only.
  func watchClock() { isClockWatched.store(true, ordering: .releasing) }

  /// The latest reading since the last call; nil if there is none. Session thread only.
  func latestClockReading() -> ClockReading? {
    var latest: ClockReading?
    while let reading = clockReadings.takeFirst() { latest = reading }
    return latest
  }

  /// Notes where the stream was when the cycle began. Server's thread only.
  @_noAllocation @_noLocks
  func readClock(_ position: Int64, at time: MonotonicTime) {
    guard isClockWatched.load(ordering: .acquiring) else { return }
    let reading = ClockReading(
      time: time, position: position, interruptions: counters.gaps.load(ordering: .relaxed),
      isRunning: true)
    _ = clockReadings.insert(reading)
  }

  /// Reports a gap to the session thread, before the samples that follow it are pushed. Server's thread only.
  ///
  /// - Returns: false if there is no room.
  @_noAllocation @_noLocks
  func tell(_ mark: GapMark) -> Bool { gaps.insert(mark) }

  @_noAllocation @_noLocks
  func tell(_ pause: PauseMark) { _ = pauses.insert(pause) }
}

extension RealTimeQueue {
  /// Adds an element in proved code: a generic function that is not inlined may allocate, and debug builds inline only
  /// code of the same file.
  @inline(__always)
  fileprivate func insert(_ element: Element) -> Bool {
    guard let slot = unsafe ring.slot(keeping: 0) else { return false }
    unsafe slot.storeBytes(of: element, as: Element.self)
    ring.push(1)
    return true
  }
}
