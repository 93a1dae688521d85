// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Sends in a task: waiting suspends the task without blocking a thread.
extension PushSender {
  /// Waits until the source is started, or unmuted.
  ///
  /// Without a running session that may never happen; cancelling the task ends the wait.
  ///
  /// - Returns: whether the source takes samples now; false if it is stopped or the task is cancelled.
  @discardableResult
  public func started() async -> Bool {
    await wait { self.hasStarted }
    return isOpen && !Task.isCancelled
  }

  /// Sends a whole piece of the stream, and waits for room if necessary.
  ///
  /// In a task, `try await sender.send(samples)` calls this function. Pass a `Span` to send without waiting: `try
  /// sender.send(samples.span)`.
  ///
  /// Cancelling the task ends this wait and not the stream, which another task may continue: the session waits for it
  /// until ``finish()``. A task that is the only one to send writes `defer { sender.finish() }`.
  ///
  /// - Parameters:
  ///   - samples: interleaved whole sample frames in the channel count of ``format``; may be longer than the ring.
  ///   - rate: the rate of these samples in hertz; nil = the stream's.
  ///   - time: the position of the first sample, in samples per channel at this piece's rate; nil = directly behind the
  ///     previous piece.
  /// - Throws: the errors of sending without waiting: `lifeCycle` before the start, after the stop, while the source is
  ///   muted (``started()`` waits for its end), and while another task or thread sends. Also `lifeCycle` as soon as the
  ///   source is stopped, which the end of the session does, and `interrupted` as soon as the task is cancelled. The
  ///   samples taken before that are in the stream or lost with it.
  public func send<Sample: FrameSample>(
    _ samples: [Sample], rate: Int? = nil, at time: Int64? = nil
  ) async throws(AudioError) {
    var taken = 0
    while true {
      taken += try take(samples.span, from: taken, rate: rate, at: time)
      if taken == samples.count { return }
      try await waitForRoom()
    }
  }

  /// Sends bytes, all of them, and waits for room if necessary.
  ///
  /// - Parameters:
  ///   - bytes: interleaved whole sample frames in the channel count of ``format``.
  ///   - layout: the memory layout of the samples.
  ///   - rate: as for samples.
  ///   - time: as for samples.
  /// - Throws: the errors of sending samples.
  public func send(
    bytes: [UInt8], as layout: SampleLayout, rate: Int? = nil, at time: Int64? = nil
  ) async throws(AudioError) {
    var taken = 0
    while true {
      taken += try unsafe take(bytes.span.bytes, from: taken, as: layout, rate: rate, at: time)
      if taken == bytes.count { return }
      try await waitForRoom()
    }
  }

  private func waitForRoom() async throws(AudioError) {
    await wait { self.answersAtOnce }
    guard Task.isCancelled else { return }
    throw AudioError(
      .interrupted, cannot: "send to", name, because: "the task was cancelled while it waited")
  }

  /// Waits until `isReady`, or until the task is cancelled.
  private func wait(until isReady: @Sendable () -> Bool) async {
    while !isReady(), !Task.isCancelled {
      let pause = Pause()
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          pause.begin(continuation)
          waiters.add(pause)
          if isReady() { pause.resume() }
        }
      } onCancel: {
        pause.resume()
      }
      waiters.remove(pause)
    }
  }
}

/// A task that waits once.
private final class Pause: PushWaiter {
  private enum State {
    case new
    case waiting(CheckedContinuation<Void, Never>)
    case over
  }

  private let state = Mutex(State.new)

  /// Lets the task wait, unless it may go on already.
  func begin(_ continuation: CheckedContinuation<Void, Never>) {
    let isOver = state.withLock { state in
      if case .over = state { return true }
      state = .waiting(continuation)
      return false
    }
    if isOver { continuation.resume() }
  }

  func resume() {
    let before = state.withLock { state in
      defer { state = .over }
      return state
    }
    if case .waiting(let continuation) = before { continuation.resume() }
  }
}
