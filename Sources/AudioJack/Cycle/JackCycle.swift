// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The process callback of a client: moves the samples of one cycle between the ports and the rings, keeps account of
/// missed cycles, and does nothing else.
@safe
final class JackCycle: Sendable {
  let captures = StreamSlots()
  let playbacks = StreamSlots()
  private nonisolated(unsafe) let client: OpaquePointer
  private nonisolated(unsafe) var clock: CycleClock
  private let isFreewheeling = Atomic<Bool>(false)
  /// The server's period in samples per channel.
  private let storedPeriod: Atomic<Int>
  /// When the last cycle began, in nanoseconds of the monotonic clock.
  private let lastBegin = Atomic<Int>(0)
  let passes = CyclePasses()

  init(of client: OpaquePointer, sampleRate: Int, period: Int) {
    unsafe self.client = client
    unsafe clock = CycleClock(sampleRate: sampleRate)
    storedPeriod = Atomic(period)
  }

  /// The server calls this in each of its cycles.
  @_noAllocation @_noLocks
  func run(_ count: Int) {
    passes.begin()
    move(count)
    passes.end()
  }

  @_noAllocation @_noLocks
  private func move(_ count: Int) {
    let now = MonotonicTime.now
    lastBegin.store(now.nanoseconds, ordering: .relaxed)
    // The client has ended itself by then, with its reason.
    if count > PortBuffer.longestCycle { return silence(count) }
    let frame = unsafe frameTime(client)
    let cycle = unsafe clock.cycle(at: frame, count, now)
    if case .repeated = cycle { return }
    let isOffline = isFreewheeling.load(ordering: .acquiring)
    if isOffline { waitForSession(count) }
    takeAndFill(count)
    // If the server has gone on, it has overwritten or passed over these samples: this cycle is a missed one. The clock
    // stays, so that the next cycle counts it.
    if !isOffline, unsafe frameTime(client) != frame { return }
    unsafe clock.finish(at: frame, count, now)
    switch cycle {
    case .next(0), .repeated: break
    case .next(let lost): lose(lost, uncertainty: 0)
    case .jumped(let estimate, let uncertainty): lose(estimate, uncertainty: uncertainty)
    }
    finish(count, now)
  }

  @_noAllocation @_noLocks
  private func silence(_ count: Int) {
    var index = 0
    while index < StreamSlots.count {
      if let stream = unsafe playback(at: index) {
        unsafe stream._withUnsafeGuaranteedRef { $0.silence(count) }
      }
      index &+= 1
    }
  }

  @_noAllocation @_noLocks
  private func lose(_ count: Int, uncertainty: Int) {
    var hasCapture = false
    var index = 0
    while index < StreamSlots.count {
      if let stream = unsafe capture(at: index) {
        hasCapture = true
        unsafe stream._withUnsafeGuaranteedRef { $0.lose(count, uncertainty: uncertainty) }
      }
      index &+= 1
    }
    index = 0
    while index < StreamSlots.count {
      if let stream = unsafe playback(at: index) {
        unsafe stream._withUnsafeGuaranteedRef {
          $0.lose(count, uncertainty: uncertainty, keepsTime: hasCapture)
        }
      }
      index &+= 1
    }
  }

  @_noAllocation @_noLocks
  private func takeAndFill(_ count: Int) {
    var index = 0
    while index < StreamSlots.count {
      if let stream = unsafe capture(at: index) {
        unsafe stream._withUnsafeGuaranteedRef { $0.take(count) }
      }
      if let stream = unsafe playback(at: index) {
        unsafe stream._withUnsafeGuaranteedRef { $0.fill(count) }
      }
      index &+= 1
    }
  }

  @_noAllocation @_noLocks
  private func finish(_ count: Int, _ now: MonotonicTime) {
    if let stream = unsafe capture(at: 0) {
      let position = unsafe stream._withUnsafeGuaranteedRef { $0.position() }
      noteLags(behind: position)
    }
    var index = 0
    while index < StreamSlots.count {
      if let stream = unsafe capture(at: index) {
        unsafe stream._withUnsafeGuaranteedRef { $0.finish(count, at: now) }
      }
      if let stream = unsafe playback(at: index) {
        unsafe stream._withUnsafeGuaranteedRef { $0.finish(count, at: now) }
      }
      index &+= 1
    }
  }

  @_noAllocation @_noLocks
  private func noteLags(behind position: Int64) {
    var index = 0
    while index < StreamSlots.count {
      if let stream = unsafe playback(at: index) {
        unsafe stream._withUnsafeGuaranteedRef { $0.noteLag(behind: position) }
      }
      index &+= 1
    }
  }

  @inline(__always)
  private func capture(at index: Int) -> Unmanaged<CaptureStream>? {
    guard let place = unsafe captures.place(at: index) else { return nil }
    return unsafe Unmanaged.fromOpaque(place)
  }

  @inline(__always)
  private func playback(at index: Int) -> Unmanaged<PlaybackStream>? {
    guard let place = unsafe playbacks.place(at: index) else { return nil }
    return unsafe Unmanaged.fromOpaque(place)
  }

  /// A freewheeling server keeps no time, so nothing is lost by a wait until the session has taken its samples and given
  /// its own.
  @_noAllocation @_noLocks
  private func waitForSession(_ count: Int) {
    // jackd drops a client after ten seconds.
    let longestWait = 50_000
    var waited = 0
    while isHeldUp(count), waited < longestWait {
      nap(microseconds: 100)
      waited &+= 1
    }
  }

  @_noAllocation @_noLocks
  private func isHeldUp(_ count: Int) -> Bool {
    var index = 0
    while index < StreamSlots.count {
      if let stream = unsafe capture(at: index) {
        let isFull = unsafe stream._withUnsafeGuaranteedRef { $0.isFull(count) }
        if isFull { return true }
      }
      if let stream = unsafe playback(at: index) {
        let isEmpty = unsafe stream._withUnsafeGuaranteedRef { $0.lacks(count) }
        if isEmpty { return true }
      }
      index &+= 1
    }
    return false
  }
}

// For other threads.
extension JackCycle {
  /// Serves a stream from the next cycle on, and keeps it alive until ``remove(_:)``.
  ///
  /// A playback is served as long as its ports are there, with silence before its beginning and after its end: jackd
  /// plays the old samples of a port that a cycle leaves alone.
  ///
  /// - Throws: `unavailable` if every slot is taken.
  func add(
    _ stream: any RingOwner, _ direction: DeviceDirection, for device: String
  ) throws(AudioError) {
    guard direction == .capture ? captures.add(stream) : playbacks.add(stream) else {
      throw AudioError(
        .unavailable, cannot: "start", device,
        because: "a client has at most \(StreamSlots.count) ends of a direction")
    }
    _ = unsafe Unmanaged<AnyObject>.passRetained(stream)
  }

  /// Serves a stream no longer.
  ///
  /// - Returns: false if a cycle hangs in the server's library and may still see the stream, which then stays for ever.
  func remove(_ stream: any RingOwner) -> Bool {
    captures.remove(stream)
    playbacks.remove(stream)
    guard passes.waitForPresent(atMost: .seconds(2)) else { return false }
    unsafe Unmanaged<AnyObject>.passUnretained(stream).release()
    return true
  }

  /// The server's period in samples per channel.
  var period: Int {
    get { storedPeriod.load(ordering: .relaxed) }
    set { storedPeriod.store(newValue, ordering: .relaxed) }
  }

  var freewheels: Bool {
    get { isFreewheeling.load(ordering: .acquiring) }
    set { isFreewheeling.store(newValue, ordering: .releasing) }
  }

  /// When the last cycle began. The time 0 before the first.
  var lastCycle: MonotonicTime { MonotonicTime(nanoseconds: lastBegin.load(ordering: .relaxed)) }
}
