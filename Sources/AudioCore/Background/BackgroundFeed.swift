/// The session thread's end of a ``BackgroundLane``: waits or drops where the ring is full.
final class BackgroundFeed {
  let lane: BackgroundLane
  /// Units that were dropped so far.
  private(set) var dropped: Int64 = 0
  private let name: String
  private let writer: BackgroundWriter
  private let overflow: BackgroundOverflow
  /// Tells that the session is asked to end; looked at while waiting.
  private let session: Wakeup
  /// How long closing waits for a writer that does not move, unless the session is abandoned.
  private let stallLimit: Duration

  /// How long a live session that ends waits for a reader that takes nothing.
  static let stallLimit: Duration = .seconds(10)

  /// How long one that is abandoned does.
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
    writer.add(lane)
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
      writer.signal()
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

  private var patience: Duration {
    session.request == .abandon ? min(stallLimit, Self.abandonedStallLimit) : stallLimit
  }

  /// Closes the target on the writer thread, after everything that was pushed or at once, and waits for
  /// it.
  ///
  /// - Throws: what the target failed with, now or earlier; `unavailable` where it stands still.
  func close(_ reason: StopReason) throws(AudioError) {
    lane.requestClose(reason)
    writer.signal()
    var isPatient = overflow == .wait && reason == .finished
    var filled = lane.ring.filled()
    var moved = MonotonicTime.now
    while !lane.isClosed {
      lane.waitForProgress(milliseconds: 100)
      if reason == .finished, session.request == .abandon {
        isPatient = false
        lane.requestClose(.abandoned)
        writer.signal()
      }
      let left = lane.ring.filled()
      if left != filled {
        filled = left
        moved = MonotonicTime.now
      } else if !isPatient, !lane.isClosed, MonotonicTime.now.elapsed(since: moved) > patience {
        throw AudioError(
          .unavailable, cannot: "finish writing to", name, because: "nothing reads it any more")
      }
    }
    _ = try lane.check()
  }
}
