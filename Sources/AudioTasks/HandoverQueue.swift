// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Frames or events between the session thread, which never fills more than the capacity, and the tasks that take them.
final class HandoverQueue<Element: Sendable>: Sendable {
  private struct State {
    /// Oldest first.
    var elements: [Element] = []
    /// Who waits for the next element, oldest first. Only while none is there.
    var waiting: [CheckedContinuation<Element?, Never>] = []
    var isEnded = false
    var readers = 0
    var hadReader = false
    /// All elements that did not fit, and those since the last one that did.
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

  /// How many did not fit so far.
  var dropped: Int { state.withLock { $0.dropped } }

  // MARK: The session's end

  /// Appends an element, or drops it where there is no room. Session thread.
  ///
  /// - Parameter make: makes the element where it fits. It is given how many did not fit since the last that did.
  func append(_ make: (_ droppedBefore: Int) -> Element) {
    let lost: Int? = state.withLock { state in
      if state.isEnded { return nil }
      if state.elements.count == capacity {
        state.dropped += 1
        state.droppedLately += 1
        return nil
      }
      defer { state.droppedLately = 0 }
      return state.droppedLately
    }
    guard let lost else { return }
    // Outside the lock: copying allocates. Only this thread makes the queue longer.
    let element = make(lost)
    let waiting: CheckedContinuation<Element?, Never>? = state.withLock { state in
      if state.isEnded { return nil }
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      state.elements.append(element)
      return nil
    }
    waiting?.resume(returning: element)
  }

  /// Waits until an element fits or nobody is to be waited for. Session thread.
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
        state.withLock { $0.isEnded || $0.elements.count < capacity }
      }
      if isDone { return }
    }
  }

  /// No more elements come; those that wait are still taken. Any thread.
  func end() { finish(droppingElements: false) }

  // MARK: The end that takes

  /// Nobody wants more elements, nor those that wait. Any thread.
  func cancel() { finish(droppingElements: true) }

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

  /// The oldest element, as soon as there is one; nil after the end.
  func next(isolation actor: isolated (any Actor)?) async -> Element? {
    let element = await withCheckedContinuation { continuation in
      // Nil in the outer optional: it waits.
      let answer: Element?? = state.withLock { state in
        if !state.elements.isEmpty { return .some(state.elements.removeFirst()) }
        if state.isEnded { return .some(nil) }
        state.waiting.append(continuation)
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
    progress.notify()
    return element
  }

  private func finish(droppingElements: Bool) {
    let waiting = state.withLock { state in
      state.isEnded = true
      if droppingElements { state.elements.removeAll() }
      defer { state.waiting.removeAll() }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: nil) }
    progress.notify()
  }
}

/// A task's hold on a queue: lets go of what fills it when nobody has this any more.
final class Subscription<Element: Sendable>: Sendable {
  let queue: HandoverQueue<Element>
  private let letGo: @Sendable () -> Void

  /// - Parameter letGo: ends what fills the queue. May be called more than once.
  init(_ queue: HandoverQueue<Element>, letGo: @escaping @Sendable () -> Void) {
    self.queue = queue
    self.letGo = letGo
  }

  deinit { cancel() }

  private func cancel() {
    // First, for the session thread may be waiting in it.
    queue.cancel()
    letGo()
  }

  /// The next element; nil behind the last, and where the task is cancelled, which ends the subscription.
  func next(isolation actor: isolated (any Actor)?) async -> Element? {
    await withTaskCancellationHandler {
      await queue.next(isolation: actor)
    } onCancel: {
      cancel()
    }
  }
}

/// Tells the queue for how long somebody iterates.
final class QueueReader<Element: Sendable> {
  let subscription: Subscription<Element>

  init(_ subscription: Subscription<Element>) {
    self.subscription = subscription
    subscription.queue.addReader()
  }

  deinit { subscription.queue.removeReader() }
}
