// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Where a ``BackgroundLane`` leads to. Writer thread only.
protocol BackgroundTarget: AnyObject {
  /// How many of the next `count` units can be taken now; 0 where something else came first. Of that a piece was done,
  /// so that other lanes have their turn before the next.
  func ready(_ count: Int) throws(AudioError) -> Int

  /// Takes whole units, oldest first.
  func take(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus

  /// Nothing came for a while: what is held back can be saved.
  func rest() throws(AudioError)

  /// Nothing more comes. Called once.
  func close(_ reason: StopReason) throws(AudioError)
}

extension BackgroundTarget {
  func ready(_ count: Int) -> Int { count }
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
  private let turns = Atomic(0)

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
    ring = SampleRing(capacity: capacity, sampleFrameSize: unitSize, isTouched: false)
  }

  /// Whether the target is closed: it may be used by others again.
  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// How often the writer has moved on here. Any thread.
  var turnCount: Int { turns.load(ordering: .acquiring) }

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
    var count = min(held, max(1, Self.blockSize / unitSize) * unitSize)
    turns.add(1, ordering: .releasing)
    if state.load(ordering: .relaxed) == .writing {
      do {
        let ready = try unsafe target.ready(count / unitSize)
        if ready == 0 { return true }
        count = ready * unitSize
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
