// SPDX-License-Identifier: Apache-2.0
/// The session thread's end of a ``BackgroundLane``: where the ring is full it keeps what comes aside, then waits, or
/// drops.
final class BackgroundFeed {
  let lane: BackgroundLane
  /// Units that were dropped so far.
  private(set) var dropped: Int64 = 0
  private let name: String
  private let writer: BackgroundWriter
  private let overflow: BackgroundOverflow
  /// What the ring has had no room for yet.
  private var aside: BytesAside
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

  /// - Parameters:
  ///   - name: what errors call the target.
  ///   - reserve: how many bytes are kept in memory beside the ring where that is full, before this waits.
  init(
    _ lane: BackgroundLane, _ name: String, on writer: BackgroundWriter,
    _ overflow: BackgroundOverflow, reserve: Int = 0, session: Wakeup,
    stallLimit: Duration = stallLimit
  ) {
    aside = BytesAside(capacity: overflow == .wait ? reserve : 0)
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
      refill()
      if fits, aside.isEmpty { taken += unsafe lane.push(rest) }
      let mayWait = isHandedOver && lane.ring.filled() < lane.ring.capacity / 2
      if !mayWait, overflow == .wait || !writer.isLooking { writer.signal() }
      if taken == bytes.count { return .accepted }
      if overflow == .drop {
        dropped += Int64((bytes.count - taken) / unitSize)
        return .accepted
      }
      if unsafe aside.append(UnsafeRawBufferPointer(rebasing: bytes[taken...])) { return .accepted }
      if session.request == .abandon {
        throw AudioError(
          .interrupted, cannot: "write to", name, because: "the session is to be abandoned")
      }
      lane.waitForProgress(milliseconds: 100)
    }
  }

  /// Nothing more is pushed for a while: wakes the writer for what was.
  func handOver() {
    refill()
    if lane.ring.filled() > 0 { writer.signal() }
  }

  /// What was kept aside goes before anything new.
  private func refill() {
    while let bytes = aside.first {
      let count = unsafe bytes.withUnsafeBytes { unsafe lane.push($0) }
      aside.removeFirst(count)
      if count < bytes.count { return }
    }
  }

  /// Asks the writer to close the target, after everything that was pushed or at once, and waits for nothing. Is to be
  /// asked again as long as more is kept aside than the ring has room for.
  func requestClose(_ reason: StopReason) {
    if reason == .abandoned { aside.removeAll() }
    refill()
    if aside.isEmpty { lane.requestClose(reason) }
    writer.signal()
  }

  /// Waits until everything that was pushed has reached the target.
  ///
  /// - Throws: what the target failed with, now or earlier; `unavailable` where it no longer moves.
  func flush() throws(AudioError) {
    writer.signal()
    try wait(isPatient: overflow == .wait) {
      refill()
      return held == 0
    }
    _ = try lane.check()
  }

  /// Bytes that were pushed and have not reached the target.
  private var held: Int { lane.ring.filled() * lane.ring.sampleFrameSize + aside.count }

  private var patience: Duration {
    session.request == .abandon ? min(stallLimit, Self.abandonedStallLimit) : stallLimit
  }

  /// Closes the target on the writer thread, after everything that was pushed or at once, and waits for
  /// it.
  ///
  /// - Throws: what the target failed with, now or earlier; `unavailable` where it no longer moves.
  func close(_ reason: StopReason) throws(AudioError) {
    try wait(isPatient: overflow == .wait && reason == .finished) {
      requestClose(session.request == .abandon ? .abandoned : reason)
      return lane.isClosed
    }
    _ = try lane.check()
  }

  /// - Throws: `unavailable` where the target does not move for too long; not while somebody is patient and the
  ///   session is not to be abandoned.
  private func wait(isPatient: Bool, until isDone: () -> Bool) throws(AudioError) {
    var before = (held, lane.turnCount)
    var moved = MonotonicTime.now
    while !isDone() {
      lane.waitForProgress(milliseconds: 100)
      let mayWait = isPatient && session.request != .abandon
      let left = (held, lane.turnCount)
      if left != before {
        before = left
        moved = MonotonicTime.now
      } else if !mayWait, !isDone(), MonotonicTime.now.elapsed(since: moved) > patience {
        throw AudioError(
          .unavailable, cannot: "finish writing to", name, because: "nothing reads it any more")
      }
    }
  }
}
