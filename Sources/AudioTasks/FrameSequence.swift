// SPDX-License-Identifier: Apache-2.0
extension Session {
  /// Returns the frames at a position as an asynchronous sequence of owned frames.
  ///
  /// ```swift
  /// let frames = try session.frames(at: .playback)
  /// let listening = Task { for await frame in frames { show(frame.samples) } }
  /// let report = try await session.run()
  /// await listening.value
  /// ```
  ///
  /// The frames are read-only in any mode of the session: a task's edits never reach the stream. The sequence ends with
  /// the session, after the queued frames. If its task is cancelled or its last copy is released, its observer is
  /// unregistered.
  ///
  /// A buffer stands between the session and the task, with as much room for each source as for another: a source never
  /// loses frames to others. A live session never waits: the frames of a source that come while its part is full are
  /// dropped, and counted in ``FrameSequence/droppedFrames`` and in the ``AudioFrameCopy/droppedFrames`` of its next
  /// frame.
  ///
  /// Any other session waits for the iterating task, so it must not run in that task. It waits ten seconds for the
  /// first iterator, then drops frames. It waits no longer once the last iterator is gone, the session is asked to
  /// finish, or the task that runs it is cancelled.
  ///
  /// - Parameters:
  ///   - position: the position to observe at.
  ///   - parameters: the shape of the frames.
  ///   - source: as for ``register(_:from:)``.
  ///   - capacity: the frames of each source that may wait, at least 1; of a sum, all frames. The default is a second of
  ///     frames of 10 ms.
  ///   - type: the sample type.
  /// - Throws: the errors of ``register(_:from:)``; `invalidParameter` for a capacity of less than 1.
  public func frames<Sample: FrameSample>(
    at position: ObservationPosition, as parameters: FrameParameters = FrameParameters(),
    from source: SourceKey? = nil, bufferingPerSource capacity: Int = 100,
    of type: Sample.Type = Float.self
  ) throws(AudioError) -> FrameSequence<Sample> {
    try FrameSequence(at: position, parameters, capacity) { (observer) throws(AudioError) in
      try register(observer, from: source)
    }
  }
}

extension LiveSession {
  /// Returns the frames at a position from the next one on, like ``Session/frames(at:as:from:bufferingPerSource:of:)``.
  /// For an actor or a task that joins a running session.
  ///
  /// - Parameters:
  ///   - position: the position to observe at.
  ///   - parameters: the shape of the frames.
  ///   - source: as for ``register(_:from:)``.
  ///   - capacity: the frames of each source that may wait, at least 1.
  ///   - type: the sample type.
  /// - Throws: the errors of ``register(_:from:)``; `invalidParameter` for a capacity of less than 1.
  public func frames<Sample: FrameSample>(
    at position: ObservationPosition, as parameters: FrameParameters = FrameParameters(),
    from source: SourceKey? = nil, bufferingPerSource capacity: Int = 100,
    of type: Sample.Type = Float.self
  ) throws(AudioError) -> FrameSequence<Sample> {
    try FrameSequence(at: position, parameters, capacity) { (observer) throws(AudioError) in
      try register(observer, from: source)
    }
  }
}

/// Owned audio frames in order, for iteration in a task; see ``Session/frames(at:as:from:bufferingPerSource:of:)`` and
/// ``LiveSession``.
///
/// May be used on any thread. Each frame goes to one iterator; one is usual.
public struct FrameSequence<Sample: FrameSample>: AsyncSequence, Sendable {
  public typealias Element = AudioFrameCopy<Sample>
  public typealias Failure = Never

  private let subscription: Subscription<Element>
  /// The observer's registration: its parameters, its statistics and its end.
  public let registration: ObserverRegistration

  fileprivate init(
    at position: ObservationPosition, _ parameters: FrameParameters, _ capacity: Int,
    registering register: (sending QueueingObserver<Sample>) throws(AudioError) ->
      ObserverRegistration
  ) throws(AudioError) {
    let queue = try HandoverQueue<Element>(holding: capacity)
    let registration = try register(QueueingObserver(position, parameters, queue))
    self.registration = registration
    subscription = Subscription(queue) { registration.unregister() }
  }

  /// The number of frames so far that did not fit the buffer.
  public var droppedFrames: Int { subscription.queue.dropped }

  public func makeAsyncIterator() -> Iterator { Iterator(subscription) }

  /// Takes the frames one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private let reader: QueueReader<Element>

    fileprivate init(_ subscription: Subscription<Element>) {
      reader = QueueReader(subscription)
    }

    /// Returns the next frame; nil if the session has ended or the task is cancelled.
    public mutating func next() async -> AudioFrameCopy<Sample>? { await next(isolation: nil) }

    /// Returns the next frame; nil if the session has ended or the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> AudioFrameCopy<Sample>? {
      await reader.subscription.next(isolation: actor)
    }
  }
}

/// Copies every frame into a queue, which ends when the session releases this observer. Session thread.
final class QueueingObserver<Sample: FrameSample>: UniformObserver, TraitedObserver {
  let positions: ObservationPositions
  private let asked: FrameParameters
  private let queue: HandoverQueue<AudioFrameCopy<Sample>>
  /// The session's control, set before the first frame.
  private var control: SessionControl?
  private var isLive = true

  init(
    _ position: ObservationPosition, _ asked: FrameParameters,
    _ queue: HandoverQueue<AudioFrameCopy<Sample>>
  ) {
    positions = ObservationPositions(position)
    self.asked = FrameParameters(mode: .readOnly).completed(by: asked)
    self.queue = queue
  }

  deinit { queue.end() }

  var traits: ObserverTraits { .hasOwnMode }
  func parameters(at position: ObservationPosition) -> FrameParameters { asked }

  func begin(_ stream: ObservedStream) throws(AudioError) {
    control = stream.control
    isLive = stream.isLive
  }

  func observe(_ frame: inout AudioFrame<Sample>, at position: ObservationPosition) -> Bool {
    // A session that is asked to end does not wait.
    if !isLive {
      queue.waitForRoom(of: frame.key) { control.map { $0.request != nil } ?? true }
    }
    queue.append(frame)
    return true
  }
}

extension HandoverQueue {
  /// - Throws: `invalidParameter` for a capacity of less than 1.
  fileprivate convenience init<Sample>(holding capacity: Int) throws(AudioError)
  where Element == AudioFrameCopy<Sample> {
    guard capacity > 0 else {
      throw AudioError(
        .invalidParameter, cannot: "buffer frames", "",
        because: "a buffer of \(capacity) holds none", advice: "1 is the least")
    }
    self.init(capacity: capacity)
  }

  /// Appends a copy of `frame`, or drops it if there is no room. Session thread.
  func append<Sample>(_ frame: borrowing AudioFrame<Sample>)
  where Element == AudioFrameCopy<Sample> {
    append(of: frame.key) { lost in frame.copy(droppedBefore: lost) }
  }
}
