// SPDX-License-Identifier: Apache-2.0
/// The session thread's end of a ``BackgroundLane``. If the ring is full, it keeps bytes aside, then waits, or drops
/// them.
final class BackgroundFeed {
  let lane: BackgroundLane
  /// Dropped units so far.
  private(set) var dropped: Int64 = 0
  private let name: String
  private let writer: BackgroundWriter
  private let overflow: BackgroundOverflow
  /// Bytes that did not fit the ring yet.
  private var aside: OverflowBuffer
  /// Tells while this waits whether the session is to end.
  var session: Wakeup
  /// Whether ``handOver()`` follows the pushes, so that the writer is woken only once for all of them.
  var isHandedOver = false
  /// How long closing waits for a stalled target, unless the session is abandoned.
  private let stallLimit: Duration

  /// How long an ending live session waits for a stalled target: longer than a target itself waits for its reader, so
  /// that the target's own error ends the wait.
  static let stallLimit: Duration = StalledReader.limit + .seconds(1)

  /// How long an abandoned session waits for a stalled reader.
  private static let abandonedStallLimit: Duration = .seconds(1)

  /// - Parameters:
  ///   - name: the target's name in errors.
  ///   - reserve: how many bytes are kept in memory beside a full ring before this waits.
  init(
    _ lane: BackgroundLane, _ name: String, on writer: BackgroundWriter,
    _ overflow: BackgroundOverflow, reserve: Int = 0, session: Wakeup,
    stallLimit: Duration = stallLimit
  ) {
    aside = OverflowBuffer(capacity: overflow == .wait ? reserve : 0)
    self.lane = lane
    self.name = name
    self.writer = writer
    self.overflow = overflow
    self.session = session
    self.stallLimit = stallLimit
    writer.add(lane, isLive: overflow == .drop)
  }

  /// Hands over whole units.
  ///
  /// - Parameter isIndivisible: whether `bytes` are dropped as a whole or not at all.
  /// - Throws: the error of the target, now or earlier; `interrupted` if the session is to be abandoned while this
  ///   waits.
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

  /// Wakes the writer for the pushed bytes: no push follows for a while.
  func handOver() {
    refill()
    if lane.ring.filled() > 0 { writer.signal() }
  }

  /// Moves the bytes kept aside into the ring, before any new ones.
  private func refill() {
    while let bytes = aside.first {
      let count = unsafe bytes.withUnsafeBytes { unsafe lane.push($0) }
      aside.removeFirst(count)
      if count < bytes.count { return }
    }
  }

  /// Asks the writer to close the target, after all pushed bytes or at once, without waiting. Call it again while bytes
  /// are still kept aside.
  func requestClose(_ reason: StopReason) {
    if reason == .abandoned { aside.removeAll() }
    refill()
    if aside.isEmpty { lane.requestClose(reason) }
    writer.signal()
  }

  /// Waits until all pushed bytes have reached the target.
  ///
  /// - Throws: the error of the target, now or earlier; `unavailable` if it stalls.
  func flush() throws(AudioError) {
    writer.signal()
    try wait(isPatient: overflow == .wait) {
      refill()
      return held == 0
    }
    _ = try lane.check()
  }

  /// Pushed bytes that have not reached the target.
  private var held: Int { lane.ring.filled() * lane.ring.sampleFrameSize + aside.count }

  private var patience: Duration {
    session.request == .abandon ? min(stallLimit, Self.abandonedStallLimit) : stallLimit
  }

  /// Closes the target on the writer thread, after all pushed bytes or at once, and waits for that.
  ///
  /// - Throws: the error of the target, now or earlier; `unavailable` if it stalls.
  func close(_ reason: StopReason) throws(AudioError) {
    try wait(isPatient: overflow == .wait && reason == .finished) {
      requestClose(session.request == .abandon ? .abandoned : reason)
      return lane.isClosed
    }
    _ = try lane.check()
  }

  /// - Throws: `unavailable` if the target stalls for too long, unless `isPatient` holds and the session is not
  ///   abandoned.
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
        throw StalledReader.error(name)
      }
    }
  }
}

/// Bytes that wait for room, oldest first. The memory is allocated when they come and freed when they go.
struct OverflowBuffer {
  private let capacity: Int
  private var blocks: [[UInt8]] = []
  /// The first remaining block, and the number of its bytes that were removed.
  private var start = 0
  private var gone = 0
  private(set) var count = 0

  /// - Parameter capacity: how many bytes it holds at most.
  init(capacity: Int) { self.capacity = capacity }

  var isEmpty: Bool { count == 0 }

  /// Keeps a copy of `bytes`.
  ///
  /// - Returns: false, with nothing kept, if they do not fit.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard count + bytes.count <= capacity else { return false }
    blocks.append(unsafe Array(bytes))
    count += bytes.count
    return true
  }

  /// The rest of the oldest block; nil if there is none.
  var first: ArraySlice<UInt8>? { isEmpty ? nil : blocks[start][gone...] }

  mutating func removeFirst(_ number: Int) {
    count -= number
    gone += number
    guard gone == blocks[start].count else { return }
    blocks[start] = []
    start = start + 1
    gone = 0
    if isEmpty {
      removeAll()
    } else if start > blocks.count / 2 {
      blocks.removeFirst(start)
      start = 0
    }
  }

  mutating func removeAll() {
    blocks = []
    (start, gone, count) = (0, 0, 0)
  }
}
