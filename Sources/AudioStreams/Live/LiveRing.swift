// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Everything that the thread of a live end and the session thread share: a ring of samples, the marks between them, the
/// counts, the readings of the clock, the commands.
///
/// A structure like ``SampleRing``, so that the compiler can prove an end's thread free of allocation and locks.
package struct LiveRing: ~Copyable, Sendable {
  package let ring: SampleRing
  /// The gaps that the session thread has not taken yet.
  package let gaps: RealTimeQueue<GapMark>
  /// The pauses that the session thread has not taken yet; if the queue is full, a pause is only counted.
  package let pauses = RealTimeQueue<DevicePause>(capacity: 1_024)
  package let counters = LiveCounters()
  package let wakeUps = WakeUpDelays()
  package let drift = DriftRecord()
  /// Wakes the session thread: samples came, or room for them.
  package let session: Wakeup
  /// How many samples per channel are worth a wake-up of the session.
  private let worth: Int
  private let waiting = RunningCount()
  private let clockReadings = RealTimeQueue<ClockReading>(capacity: 256)
  private let clockIsWatched = Atomic<Bool>(false)
  private let mustFinish = Atomic<Bool>(false)
  private let mustStop = Atomic<Bool>(false)
  /// 1 while the thread runs, then the code of its end.
  private let endCode = Atomic<CInt>(1)
  /// Nanoseconds of the monotonic clock.
  private let begun = Atomic<Int>(0)
  private let arrived = Atomic<Int>(0)

  /// - Parameters:
  ///   - worth: how many samples per channel are worth a wake-up of the session.
  ///   - gapCapacity: how many gaps may wait for the session thread.
  package init(
    ring: consuming SampleRing, session: Wakeup, worth: Int = 1, gapCapacity: Int = 1_024
  ) {
    self.ring = ring
    self.session = session
    self.worth = worth
    gaps = RealTimeQueue(capacity: gapCapacity)
  }

  /// The counts so far. Any thread.
  package func statistics() -> DeviceStatistics {
    var statistics = counters.statistics()
    statistics.wakeUps = wakeUps.summary()
    return statistics
  }

  /// The samples per channel that wait in the ring. Any thread.
  func filled() -> Int { ring.filled() }

  /// The samples per channel that the session has read from the ring, or written to it. Any thread.
  func exchanged(_ direction: DeviceDirection) -> Int {
    direction == .capture ? ring.taken() : ring.given()
  }

  /// The gap that reading reaches next. Session thread only.
  func nextGap() -> GapMark? { gaps.first }

  /// The drift of the clock after the end. Any thread.
  func clockDrift() -> ClockDrift? { drift.load() }

  /// The size of the ring in samples per channel.
  func capacity() -> Int { ring.capacity }

  /// Wakes the session thread. The corresponding C function is `sem_post`.
  @_semantics("no_performance_analysis")
  package func wakeSession() { session.signal() }

  /// Wakes the session thread once enough samples have passed since it was woken. End's thread only.
  @_noAllocation @_noLocks
  package func wakeSession(after count: Int) {
    waiting.add(Int64(count))
    if waiting.total < Int64(worth) { return }
    waiting.set(0)
    wakeSession()
  }
}

// The commands of the session thread.
extension LiveRing {
  /// Asks the thread to play the samples in the ring and then end. Session thread only.
  package func finish() { mustFinish.store(true, ordering: .releasing) }

  /// Asks the thread to end at once. Session thread only.
  package func stop() { mustStop.store(true, ordering: .releasing) }

  /// Whether the samples in the ring are the last ones. Any thread.
  @_noAllocation @_noLocks
  package func isToFinish() -> Bool { mustFinish.load(ordering: .acquiring) }

  /// Whether no further sample is wanted. Any thread.
  @_noAllocation @_noLocks
  package func isToStop() -> Bool { mustStop.load(ordering: .acquiring) }

  /// Counts the end as one that a pause waits for, until ``leave()``. Any thread.
  package func enter() { session.pause.enter() }

  package func leave() { session.pause.leave() }

  /// Whether the end is to stand still. Any thread.
  @_noAllocation @_noLocks
  package func isToPause() -> Bool { session.pause.isActive() }
}

// The news of the end's thread.
extension LiveRing {
  /// The thread's last act, after its last use of the ring.
  ///
  /// - Parameter code: 0, or a negative errno if the end was lost.
  @_noAllocation @_noLocks
  package func end(with code: CInt = 0) {
    endCode.store(code, ordering: .releasing)
    wakeSession()
  }

  /// The code of the thread's end; nil while it runs. A reader that sees it sees all earlier writes of that thread. Any
  /// thread.
  @_noAllocation @_noLocks
  package func ending() -> CInt? {
    let code = endCode.load(ordering: .acquiring)
    if code == 1 { return nil }
    return code
  }

  /// Notes that the end has begun. Before its thread runs.
  package func begin(at time: MonotonicTime) {
    begun.store(time.nanoseconds, ordering: .relaxed)
    noteArrival(at: time)
  }

  /// When the end began. Any thread.
  @_noAllocation @_noLocks
  package func started() -> MonotonicTime {
    MonotonicTime(nanoseconds: begun.load(ordering: .relaxed))
  }

  /// Notes when the last sample in the ring was captured. End's thread only.
  @_noAllocation @_noLocks
  package func noteArrival(at time: MonotonicTime) {
    arrived.store(time.nanoseconds, ordering: .relaxed)
  }

  /// When the last sample was captured, or the end began. Any thread.
  package func lastArrival() -> MonotonicTime {
    MonotonicTime(nanoseconds: arrived.load(ordering: .relaxed))
  }

  /// Reports a gap, before the samples that follow it are pushed. End's thread only.
  ///
  /// - Parameter isLast: whether nothing will follow; the last place is reserved for such a gap.
  /// - Returns: false if there is no room.
  @_noAllocation @_noLocks
  package func tell(_ mark: GapMark, isLast: Bool = false) -> Bool {
    gaps.insert(mark, keeping: isLast ? 0 : 1)
  }

  /// Reports a pause. End's thread only.
  @_noAllocation @_noLocks
  package func tell(_ pause: DevicePause) { _ = pauses.insert(pause, keeping: 0) }
}

// The clock of the end.
extension LiveRing {
  /// Starts the readings of the clock. Session thread only, before the end's start.
  package func watchClock() { clockIsWatched.store(true, ordering: .releasing) }

  /// Stops the readings of an end that turned out to keep no time. End's thread only.
  @_noAllocation @_noLocks
  package func ignoreClock() { clockIsWatched.store(false, ordering: .releasing) }

  @_noAllocation @_noLocks
  package func isClockWatched() -> Bool { clockIsWatched.load(ordering: .acquiring) }

  /// Notes the end's position if its clock is watched; drops the reading if the queue is full. End's thread only.
  ///
  /// - Parameter position: in samples per channel, as in ``ClockReading/position``.
  @_noAllocation @_noLocks
  package func noteClock(_ position: Int64, at time: MonotonicTime, isRunning: Bool = true) {
    guard isClockWatched() else { return }
    let reading = ClockReading(
      time: time, position: position, interruptions: counters.interruptions(),
      isRunning: isRunning)
    _ = clockReadings.insert(reading, keeping: 0)
  }

  /// The latest reading since the last call; nil if there is none. Session thread only.
  package func latestClockReading() -> ClockReading? {
    var latest: ClockReading?
    while let reading = clockReadings.takeFirst() { latest = reading }
    return latest
  }
}

// The samples of a sink.
extension LiveRing {
  /// Appends samples of a session. Session thread only.
  ///
  /// - Parameters:
  ///   - order: of the channels in the ring; nil if it is that of streams.
  ///   - room: samples per channel that may be written.
  ///   - device: the name in errors.
  /// - Throws: `invalidParameter` beyond `room`.
  package func write<Sample: AudioSample>(
    _ samples: Span<Sample>, as layout: SampleLayout, in order: ChannelOrder? = nil, room: Int,
    to device: String
  ) throws(AudioError) {
    let size = ring.sampleFrameSize
    let channelCount = size / layout.bytesPerSample
    guard samples.count % channelCount == 0, samples.count / channelCount <= room else {
      let limit = "whole sample frames of \(channelCount), at most \(room) of them"
      throw AudioError(
        .invalidParameter, cannot: "write to", device,
        because: "\(samples.count) samples are not \(limit)")
    }
    var taken = 0
    while taken < samples.count {
      let space = unsafe ring.writable()
      let count = min(space.count / size, (samples.count - taken) / channelCount)
      if count == 0 { return }
      let place = unsafe UnsafeMutableRawBufferPointer(rebasing: space[..<(count * size)])
      var bytes = unsafe MutableRawSpan(_unsafeBytes: place)
      let part = samples.extracting(taken..<taken + count * channelCount)
      let outside = Sample.encode(part, as: layout, into: &bytes)
      if outside > 0 {
        let none = Sample.countOfNaN(in: part)
        counters.clipped.add(Int64(outside - none))
        counters.notANumberSamples.add(Int64(none))
      }
      if let order {
        unsafe order.arrange(place, bytesPerSample: layout.bytesPerSample, .toStorage)
      }
      ring.push(count)
      taken += count * channelCount
    }
  }
}

extension RealTimeQueue {
  /// Adds an element if more than `reserve` places are free, in proved code.
  ///
  /// It stays in this file because debug builds inline only code of the same file, and a generic function that is not
  /// inlined may allocate.
  ///
  /// - Returns: false if there is no room.
  @inline(__always)
  fileprivate func insert(_ element: Element, keeping reserve: Int) -> Bool {
    guard let slot = unsafe ring.slot(keeping: reserve) else { return false }
    unsafe slot.storeBytes(of: element, as: Element.self)
    ring.push(1)
    return true
  }
}
