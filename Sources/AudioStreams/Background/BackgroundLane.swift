// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The target of a ``BackgroundLane``. Writer thread only.
protocol BackgroundTarget: AnyObject {
  /// Returns how many of the next `count` units can be taken now; 0 after a piece of other work, so that other lanes
  /// have their turn before the next piece.
  func ready(_ count: Int) throws(AudioError) -> Int

  /// Takes whole units, oldest first.
  func take(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus

  /// Called after a pause without units: the target can save the units that it holds back.
  func rest() throws(AudioError)

  /// Closes the target. Called once.
  func close(_ reason: StopReason) throws(AudioError)
}

extension BackgroundTarget {
  func ready(_ count: Int) -> Int { count }
  func rest() throws(AudioError) {}
}

/// A path to the writer thread: the session thread fills a ring, and the writer thread empties it into the target.
final class BackgroundLane: Sendable {
  /// Bytes per turn: few, so that a waiting session thread soon has room.
  private static let blockSize = 1 << 18

  let ring: SampleRing
  private nonisolated(unsafe) let target: any BackgroundTarget
  /// Signalled by the writer when the ring has more room, and when the lane is closed.
  private let progress = Semaphore()
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
  ///   - capacity: the ring's size in units.
  ///   - unitSize: bytes that always stay together.
  init(_ target: any BackgroundTarget, capacity: Int, unitSize: Int) {
    unsafe self.target = target
    ring = SampleRing(capacity: capacity, sampleFrameSize: unitSize, isTouched: false)
  }

  /// Whether the target is closed and may be used elsewhere again.
  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// The number of the writer's turns on this lane. Any thread.
  var turnCount: Int { turns.load(ordering: .acquiring) }

  /// Throws the error of the target, if any. Session thread.
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

  /// Copies as many whole units of `bytes` as fit the ring. Session thread.
  ///
  /// - Returns: how many bytes were copied.
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

  /// Waits until the writer has made progress, or for `milliseconds` at most. Session thread.
  func waitForProgress(milliseconds: Int) {
    progress.wait(atMost: .milliseconds(milliseconds))
  }

  /// Asks the writer to close the target, after all pushed bytes or at once. Session thread.
  func requestClose(_ reason: StopReason) {
    asked.store(reason == .finished ? .finish : .abandon, ordering: .releasing)
  }
}

extension BackgroundLane {
  /// Moves one block to the target, or closes it. Writer thread.
  ///
  /// - Returns: whether it did anything.
  func empty() -> Bool {
    if isClosed { return false }
    // Read before the ring, so that bytes pushed before the request are seen with it.
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

  /// Tells the target that no units are waiting. Writer thread.
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
