// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Owned frames between the session thread, which never fills more than the capacity, and the tasks that take them.
final class FrameQueue<Sample: FrameSample>: Sendable {
  typealias Frame = AudioFrameCopy<Sample>

  private struct State {
    /// Oldest first.
    var frames: [Frame] = []
    /// Who waits for the next frame, oldest first. Only while no frame is there.
    var waiting: [CheckedContinuation<Frame?, Never>] = []
    var isEnded = false
    var readers = 0
    var hadReader = false
    /// All frames that did not fit, and those since the last one that did.
    var dropped = 0
    var droppedLately = 0
  }

  private let capacity: Int
  /// How long a session that is not live waits for somebody to iterate.
  private let patience: Duration
  private let state = Mutex(State())
  /// Tells the session thread that there is room, or nothing to wait for.
  private let progress = ProgressSignal()
  /// Whether the session thread has waited in vain for somebody to iterate. That thread only.
  private let isImpatient = Atomic(false)

  /// - Parameter patience: how long a session that is not live waits for somebody to iterate.
  init(capacity: Int, patience: Duration = .seconds(10)) {
    self.capacity = capacity
    self.patience = patience
  }

  /// - Throws: `invalidParameter` for a capacity of less than 1.
  convenience init(holding capacity: Int) throws(AudioError) {
    guard capacity > 0 else {
      throw AudioError(
        .invalidParameter, cannot: "buffer frames", "",
        because: "a buffer of \(capacity) holds none", advice: "1 is the least")
    }
    self.init(capacity: capacity)
  }

  var droppedFrames: Int { state.withLock { $0.dropped } }

  // MARK: The session's end

  /// Appends a copy of `frame`, or drops it where there is no room. Session thread.
  func append(_ frame: borrowing AudioFrame<Sample>) {
    let lost: Int? = state.withLock { state in
      if state.isEnded { return nil }
      if state.frames.count == capacity {
        state.dropped += 1
        state.droppedLately += 1
        return nil
      }
      defer { state.droppedLately = 0 }
      return state.droppedLately
    }
    guard let lost else { return }
    // Outside the lock: copying allocates. Only this thread makes the queue longer.
    let copy = frame.copy(droppedBefore: lost)
    let waiting: CheckedContinuation<Frame?, Never>? = state.withLock { state in
      if state.isEnded { return nil }
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      state.frames.append(copy)
      return nil
    }
    waiting?.resume(returning: copy)
  }

  /// Waits until a frame fits or nobody is to be waited for. Session thread.
  func waitForRoom(unless isAsked: () -> Bool) {
    let begin = MonotonicTime.now
    while !isAsked() {
      let (hasReader, hadReader) = state.withLock { ($0.readers > 0, $0.hadReader) }
      if hasReader {
        isImpatient.store(false, ordering: .relaxed)
      } else if hadReader {
        // It has had enough.
        return
      } else if isImpatient.load(ordering: .relaxed) {
        return
      } else if MonotonicTime.now.elapsed(since: begin) > patience {
        isImpatient.store(true, ordering: .relaxed)
        return
      }
      let isDone = progress.wait(atMost: .milliseconds(50)) {
        state.withLock { $0.isEnded || $0.frames.count < capacity }
      }
      if isDone { return }
    }
  }

  /// No more frames come; those that wait are still taken. Any thread.
  func end() { finish(droppingFrames: false) }

  // MARK: The end that takes

  /// Nobody wants more frames, nor those that wait. Any thread.
  func cancel() { finish(droppingFrames: true) }

  func addReader() {
    state.withLock { state in
      state.readers += 1
      state.hadReader = true
    }
    progress.notify()
  }

  func removeReader() {
    state.withLock { $0.readers -= 1 }
    progress.notify()
  }

  /// The oldest frame, as soon as there is one; nil after the end.
  func next(isolation actor: isolated (any Actor)?) async -> Frame? {
    let frame = await withCheckedContinuation { continuation in
      // Nil in the outer optional: it waits.
      let answer: Frame?? = state.withLock { state in
        if !state.frames.isEmpty { return .some(state.frames.removeFirst()) }
        if state.isEnded { return .some(nil) }
        state.waiting.append(continuation)
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
    progress.notify()
    return frame
  }

  private func finish(droppingFrames: Bool) {
    let waiting = state.withLock { state in
      state.isEnded = true
      if droppingFrames { state.frames.removeAll() }
      defer { state.waiting.removeAll() }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: nil) }
    progress.notify()
  }
}
