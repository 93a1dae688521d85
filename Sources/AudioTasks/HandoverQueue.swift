// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A queue of frames or events from the session thread to the tasks that take them, of at most `capacity` elements of
/// each source.
final class HandoverQueue<Element: Sendable>: Sendable {
  /// The elements of one source.
  private struct Share {
    var waiting = 0
    /// The elements that did not fit since the last one that did.
    var dropped = 0
  }

  private struct State {
    /// The elements, oldest first, behind the places of those taken.
    var elements: [(source: SourceKey?, element: Element)?] = []
    var taken = 0
    /// By the source; nil = the elements without one.
    var shares: [SourceKey?: Share] = [:]
    /// The waiting tasks, oldest first; only while there is no element.
    var waiting: [CheckedContinuation<Element?, Never>] = []
    var isEnded = false
    var readers = 0
    var hadReader = false
    /// The elements that did not fit.
    var dropped = 0

    /// Takes the oldest element; nil if there is none.
    mutating func takeFirst() -> Element? {
      guard taken < elements.count, let first = elements[taken] else { return nil }
      elements[taken] = nil
      taken += 1
      // Moving the others for each one would be slow.
      if 2 * taken >= elements.count {
        elements.removeFirst(taken)
        taken = 0
      }
      shares[first.source]?.waiting -= 1
      return first.element
    }
  }

  private let capacity: Int
  /// The wait for the first reader in a session that is not live.
  private let patience: Duration
  private let state = Mutex(State())
  /// Wakes the session thread for new room or the end.
  private let progress = ProgressSignal()
  /// Whether the session thread has waited for the first reader in vain. That thread only.
  private let isImpatient = Atomic(false)

  /// - Parameter patience: the wait for the first reader in a session that is not live.
  init(capacity: Int, patience: Duration = .seconds(10)) {
    self.capacity = capacity
    self.patience = patience
  }

  /// The number of elements so far that did not fit.
  var dropped: Int { state.withLock { $0.dropped } }

  // MARK: The session's end

  /// Appends an element, or drops it if there is no room for more of its source. Session thread.
  ///
  /// - Parameter make: makes the element if it fits. It gets the number of elements of the source that did not fit since
  ///   the last one that did.
  func append(of source: SourceKey? = nil, _ make: (_ droppedBefore: Int) -> Element) {
    let lost: Int? = state.withLock { state in
      if state.isEnded { return nil }
      var share = state.shares[source] ?? Share()
      defer { state.shares[source] = share }
      if share.waiting == capacity {
        state.dropped += 1
        share.dropped += 1
        return nil
      }
      defer { share.dropped = 0 }
      return share.dropped
    }
    guard let lost else { return }
    // Outside the lock, since copying allocates. Only this thread makes the queue longer.
    let element = make(lost)
    let waiting: CheckedContinuation<Element?, Never>? = state.withLock { state in
      if state.isEnded { return nil }
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      state.elements.append((source, element))
      state.shares[source, default: Share()].waiting += 1
      return nil
    }
    waiting?.resume(returning: element)
  }

  /// Waits until an element of a source fits, or until there is no reader to wait for. Session thread.
  func waitForRoom(of source: SourceKey? = nil, unless isAsked: () -> Bool) {
    let begin = MonotonicTime.now
    while !isAsked() {
      let (hasReader, hadReader) = state.withLock { ($0.readers > 0, $0.hadReader) }
      if hasReader {
        isImpatient.store(false, ordering: .relaxed)
      } else if hadReader {
        // The last reader is gone.
        return
      } else if isImpatient.load(ordering: .relaxed) {
        return
      } else if MonotonicTime.now.elapsed(since: begin) > patience {
        isImpatient.store(true, ordering: .relaxed)
        return
      }
      let isDone = progress.wait(atMost: .milliseconds(50)) {
        state.withLock { $0.isEnded || ($0.shares[source]?.waiting ?? 0) < capacity }
      }
      if isDone { return }
    }
  }

  /// Ends the queue; the queued elements are still taken. Any thread.
  func end() { finish(droppingElements: false) }

  // MARK: The end that takes

  /// Ends the queue and drops its elements. Any thread.
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

  /// Returns the oldest element as soon as there is one; nil after the end.
  func next(isolation actor: isolated (any Actor)?) async -> Element? {
    let element = await withCheckedContinuation { continuation in
      // An outer nil means that the task waits.
      let answer: Element?? = state.withLock { state in
        if let first = state.takeFirst() { return .some(first) }
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
      if droppingElements {
        state.elements.removeAll()
        state.taken = 0
      }
      defer { state.waiting.removeAll() }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: nil) }
    progress.notify()
  }
}

/// A task's hold on a queue: releasing the last copy unregisters the producer of its elements.
final class Subscription<Element: Sendable>: Sendable {
  let queue: HandoverQueue<Element>
  private let letGo: @Sendable () -> Void

  /// - Parameter letGo: ends the producer; may be called more than once.
  init(_ queue: HandoverQueue<Element>, letGo: @escaping @Sendable () -> Void) {
    self.queue = queue
    self.letGo = letGo
  }

  deinit { cancel() }

  private func cancel() {
    // The queue first, since the session thread may be waiting in it.
    queue.cancel()
    letGo()
  }

  /// Returns the next element; nil behind the last one. A cancelled task gets nil and ends the subscription.
  func next(isolation actor: isolated (any Actor)?) async -> Element? {
    await withTaskCancellationHandler {
      await queue.next(isolation: actor)
    } onCancel: {
      cancel()
    }
  }
}

/// Counts as a reader of the queue during its life.
final class QueueReader<Element: Sendable> {
  let subscription: Subscription<Element>

  init(_ subscription: Subscription<Element>) {
    self.subscription = subscription
    subscription.queue.addReader()
  }

  deinit { subscription.queue.removeReader() }
}
