// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Where a ``BackgroundLane`` leads to. Writer thread only.
protocol BackgroundTarget: AnyObject {
  /// Takes whole units, oldest first.
  func take(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus

  /// Nothing came for a while: what is held back can be saved.
  func rest() throws(AudioError)

  /// Nothing more comes. Called once.
  func close(_ reason: StopReason) throws(AudioError)
}

extension BackgroundTarget {
  func rest() throws(AudioError) {}
}

/// A way to the writer thread: a ring that the session thread fills, and the target that the writer thread
/// empties it into.
final class BackgroundLane: Sendable {
  /// Bytes at a time: so few that a session thread that waits soon has room.
  private static let blockSize = 1 << 18

  let ring: SampleRing
  private nonisolated(unsafe) let target: any BackgroundTarget
  /// Signalled by the writer when there is more room, and when the lane is closed.
  private let progress = Wakeup()
  private let asked = Atomic(Request.none)
  private let state = Atomic(State.writing)
  private let failure = Mutex<AudioError?>(nil)
  private let closed = Atomic(false)

  private enum Request: UInt8, AtomicRepresentable {
    case none
    case finish
    case abandon
  }

  private enum State: UInt8, AtomicRepresentable {
    case writing
    case readerGone
    case failed
  }

  /// - Parameters:
  ///   - capacity: in units.
  ///   - unitSize: bytes that always stay together.
  init(_ target: any BackgroundTarget, capacity: Int, unitSize: Int) {
    unsafe self.target = target
    ring = SampleRing(capacity: capacity, sampleFrameSize: unitSize)
  }

  /// Whether the target is closed: it may be used by others again.
  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Throws what the target failed with. Session thread.
  ///
  /// - Returns: whether the target still takes more.
  func check() throws(AudioError) -> SinkStatus {
    switch state.load(ordering: .acquiring) {
    case .writing: return .accepted
    case .readerGone: return .readerGone
    case .failed:
      if let error = failure.withLock({ $0 }) { throw error }
      return .accepted
    }
  }

  /// Copies as many whole units of `bytes` as there is room for. Session thread.
  ///
  /// - Returns: how many bytes.
  func push(_ bytes: UnsafeRawBufferPointer) -> Int {
    var taken = 0
    while taken < bytes.count {
      let space = unsafe ring.writable()
      let count = min(space.count, bytes.count - taken)
      if count == 0 { break }
      unsafe space.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[taken..<taken + count]))
      ring.push(count / ring.sampleFrameSize)
      taken += count
    }
    return taken
  }

  /// Waits until the writer has moved on, or for `milliseconds` at most. Session thread.
  func waitForProgress(milliseconds: Int) {
    progress.wait(atMost: .milliseconds(milliseconds))
  }

  /// Asks the writer to close the target, after everything that was pushed or at once. Session thread.
  func requestClose(_ reason: StopReason) {
    asked.store(reason == .finished ? .finish : .abandon, ordering: .releasing)
  }
}

extension BackgroundLane {
  /// Moves one block to the target, or closes it. Writer thread.
  ///
  /// - Returns: whether there was anything to do.
  func empty() -> Bool {
    if isClosed { return false }
    // Before the ring: what was pushed before the request is seen with it.
    let asked = asked.load(ordering: .acquiring)
    let bytes = unsafe ring.readable()
    let held = bytes.count
    if asked == .abandon || asked == .finish && held == 0 {
      close(asked == .finish ? .finished : .abandoned)
      return true
    }
    if held == 0 { return false }
    let unitSize = ring.sampleFrameSize
    let count = min(held, max(1, Self.blockSize / unitSize) * unitSize)
    if state.load(ordering: .relaxed) == .writing {
      do {
        let status = try unsafe target.take(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        if status == .readerGone { state.store(.readerGone, ordering: .releasing) }
      } catch {
        fail(error)
      }
    }
    ring.pop(count / unitSize)
    progress.signal()
    return true
  }

  /// There is nothing to move. Writer thread.
  func rest() {
    guard !isClosed, state.load(ordering: .relaxed) == .writing else { return }
    do {
      try unsafe target.rest()
    } catch {
      fail(error)
    }
  }

  private func close(_ reason: StopReason) {
    do {
      try unsafe target.close(state.load(ordering: .relaxed) == .failed ? .abandoned : reason)
    } catch {
      fail(error)
    }
    closed.store(true, ordering: .releasing)
    progress.signal()
  }

  /// Keeps the first error.
  private func fail(_ error: AudioError) {
    failure.withLock { $0 = $0 ?? error }
    state.store(.failed, ordering: .releasing)
  }
}

/// The session thread's end of a ``BackgroundLane``: waits or drops where the ring is full.
final class BackgroundFeed {
  let lane: BackgroundLane
  /// Units that were dropped so far.
  private(set) var dropped: Int64 = 0
  private let name: String
  private let writer: BackgroundWriter
  private let overflow: BackgroundOverflow
  /// Asked while this waits: whether the session is to end.
  var session: Wakeup
  /// Whether ``handOver()`` follows what is pushed, so that the writer is woken only once for all of it.
  var isHandedOver = false
  /// How long closing waits for a writer that does not move, unless the session is abandoned.
  private let stallLimit: Duration

  /// How long a live session that ends waits for a reader that takes nothing.
  static let stallLimit: Duration = .seconds(10)

  /// The same where the session is abandoned.
  private static let abandonedStallLimit: Duration = .seconds(1)

  /// - Parameter name: what errors call the target.
  init(
    _ lane: BackgroundLane, _ name: String, on writer: BackgroundWriter,
    _ overflow: BackgroundOverflow, session: Wakeup, stallLimit: Duration = stallLimit
  ) {
    self.lane = lane
    self.name = name
    self.writer = writer
    self.overflow = overflow
    self.session = session
    self.stallLimit = stallLimit
    writer.add(lane, isLive: overflow == .drop)
  }

  /// Hands whole units on.
  ///
  /// - Parameter isIndivisible: where dropping, all of `bytes` or nothing.
  /// - Throws: what the target failed with, now or earlier; `interrupted` where the session is to be
  ///   abandoned while this waits.
  func push(_ bytes: UnsafeRawBufferPointer, isIndivisible: Bool) throws(AudioError) -> SinkStatus {
    var taken = 0
    while true {
      if try lane.check() == .readerGone { return .readerGone }
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[taken...])
      let unitSize = lane.ring.sampleFrameSize
      let fits = overflow == .wait || !isIndivisible || rest.count <= lane.ring.free() * unitSize
      if fits { taken += unsafe lane.push(rest) }
      let mayWait = isHandedOver && lane.ring.filled() < lane.ring.capacity / 2
      if !mayWait, overflow == .wait || !writer.isLooking { writer.signal() }
      if taken == bytes.count { return .accepted }
      if overflow == .drop {
        dropped += Int64((bytes.count - taken) / unitSize)
        return .accepted
      }
      if session.request == .abandon {
        throw AudioError(
          .interrupted, cannot: "write to", name, because: "the session is to be abandoned")
      }
      lane.waitForProgress(milliseconds: 100)
    }
  }

  /// Nothing more is pushed for a while: wakes the writer for what was.
  func handOver() {
    if lane.ring.filled() > 0 { writer.signal() }
  }

  /// Asks the writer to close the target, after everything that was pushed or at once, and waits for nothing.
  func requestClose(_ reason: StopReason) {
    lane.requestClose(reason)
    writer.signal()
  }

  /// Waits until everything that was pushed has reached the target.
  ///
  /// - Throws: what the target failed with, now or earlier; `unavailable` where it no longer moves.
  func flush() throws(AudioError) {
    writer.signal()
    try wait(isPatient: overflow == .wait) { lane.ring.filled() == 0 }
    _ = try lane.check()
  }

  private var patience: Duration {
    session.request == .abandon ? min(stallLimit, Self.abandonedStallLimit) : stallLimit
  }

  /// Closes the target on the writer thread, after everything that was pushed or at once, and waits for
  /// it.
  ///
  /// - Throws: what the target failed with, now or earlier; `unavailable` where it no longer moves.
  func close(_ reason: StopReason) throws(AudioError) {
    requestClose(reason)
    try wait(isPatient: overflow == .wait && reason == .finished) {
      if reason == .finished, session.request == .abandon { requestClose(.abandoned) }
      return lane.isClosed
    }
    _ = try lane.check()
  }

  /// - Throws: `unavailable` where the target does not move for too long; not while somebody is patient and the
  ///   session is not to be abandoned.
  private func wait(isPatient: Bool, until isDone: () -> Bool) throws(AudioError) {
    var filled = lane.ring.filled()
    var moved = MonotonicTime.now
    while !isDone() {
      lane.waitForProgress(milliseconds: 100)
      let mayWait = isPatient && session.request != .abandon
      let left = lane.ring.filled()
      if left != filled {
        filled = left
        moved = MonotonicTime.now
      } else if !mayWait, !isDone(), MonotonicTime.now.elapsed(since: moved) > patience {
        throw AudioError(
          .unavailable, cannot: "finish writing to", name, because: "nothing reads it any more")
      }
    }
  }
}
