// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Sending in a task: what has to wait suspends the task, and holds no thread.
extension PushSender {
  /// Waits until the source is started, or heard again after it was muted.
  ///
  /// Where the session does not run that may be never; a task that is cancelled waits no longer.
  ///
  /// - Returns: whether samples are taken now: false where the source is stopped, and where the task is cancelled.
  @discardableResult
  public func started() async -> Bool {
    await wait { self.hasStarted }
    return isOpen && !Task.isCancelled
  }

  /// Sends a piece of the stream, all of it, and waits for room where there is none.
  ///
  /// In a task this is what `try await sender.send(samples)` calls. The one that does not wait takes a `Span` there:
  /// `try sender.send(samples.span)`.
  ///
  /// - Parameters:
  ///   - samples: interleaved whole sample frames in the channel count of ``format``; may be longer than the ring.
  ///   - rate: of these samples, in hertz; nil = the stream's.
  ///   - time: where the first sample stands, in samples per channel at this piece's rate; nil = right after the piece
  ///     before.
  /// - Throws: as without waiting: `lifeCycle` before the start, after the stop and while the source is muted, for which
  ///   ``started()`` waits, and while another task or thread sends. `lifeCycle` also as soon as the source is stopped, and
  ///   `interrupted` as soon as the task is cancelled: what was taken until then is in the stream, or gone with it.
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

  /// Sends bytes, all of them, and waits for room where there is none.
  ///
  /// - Parameters:
  ///   - bytes: interleaved whole sample frames in the channel count of ``format``.
  ///   - layout: how the samples lie in them.
  ///   - rate: as for samples.
  ///   - time: as for samples.
  /// - Throws: as for samples.
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

  /// Waits until `isReady`, or the task is cancelled.
  private func wait(until isReady: @Sendable () -> Bool) async {
    while !isReady(), !Task.isCancelled {
      let pause = Pause()
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          pause.begin(continuation)
          waiters.add(pause)
          if isReady() { pause.goOn() }
        }
      } onCancel: {
        pause.goOn()
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

  /// Lets the task wait, unless it is to go on already.
  func begin(_ continuation: CheckedContinuation<Void, Never>) {
    let isOver = state.withLock { state in
      if case .over = state { return true }
      state = .waiting(continuation)
      return false
    }
    if isOver { continuation.resume() }
  }

  func goOn() {
    let before = state.withLock { state in
      defer { state = .over }
      return state
    }
    if case .waiting(let continuation) = before { continuation.resume() }
  }
}
