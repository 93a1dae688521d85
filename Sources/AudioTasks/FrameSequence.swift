// SPDX-License-Identifier: Apache-2.0
extension Session {
  /// The frames at a position as an asynchronous sequence of owned frames.
  ///
  /// ```swift
  /// let frames = try session.frames(at: .playback)
  /// let listening = Task { for await frame in frames { show(frame.samples) } }
  /// let report = try await session.run()
  /// await listening.value
  /// ```
  ///
  /// Read-only, whatever mode is set on the session: what a task does with a frame never reaches the stream. The
  /// sequence ends when the session does, after what waits by then; where its task is cancelled or
  /// nobody has it any more, it is unregistered.
  ///
  /// A buffer stands between the session and the task. A live session waits for nobody: frames that come while the
  /// buffer is full are dropped, and counted in ``FrameSequence/droppedFrames`` and in the next frame's
  /// ``AudioFrameCopy/droppedFrames``. Any other session waits for whoever iterates, and so must not run in the task
  /// that does; before anybody iterates it waits for ten seconds, and then drops too, as it does at once when nobody
  /// iterates any more. One that is asked to finish, or whose task is cancelled, waits no longer either.
  ///
  /// - Parameters:
  ///   - position: where it observes.
  ///   - parameters: the shape of the frames.
  ///   - source: as for ``register(_:from:)``.
  ///   - capacity: how many frames may wait, at least 1; a second of frames of 10 ms where nothing is said.
  ///   - type: of the samples.
  /// - Throws: as ``register(_:from:)``; `invalidParameter` for a capacity of less than 1.
  public func frames<Sample: FrameSample>(
    at position: ObservationPosition, parameters: FrameParameters = FrameParameters(),
    from source: SourceKey? = nil, buffering capacity: Int = 100, as type: Sample.Type = Float.self
  ) throws(AudioError) -> FrameSequence<Sample> {
    let queue = try HandoverQueue<AudioFrameCopy<Sample>>(holding: capacity)
    let observer = QueueingObserver(position, parameters, queue)
    return FrameSequence(queue, try register(observer, from: source))
  }
}

extension LiveSession {
  /// The frames at a position from the next one on, as ``Session/frames(at:parameters:from:buffering:as:)`` gives
  /// them: for an actor or a task that joins a session which runs.
  ///
  /// - Parameters:
  ///   - position: where it observes.
  ///   - parameters: the shape of the frames.
  ///   - source: as for ``register(_:from:)``.
  ///   - capacity: how many frames may wait, at least 1.
  ///   - type: of the samples.
  /// - Throws: as ``register(_:from:)``; `invalidParameter` for a capacity of less than 1.
  public func frames<Sample: FrameSample>(
    at position: ObservationPosition, parameters: FrameParameters = FrameParameters(),
    from source: SourceKey? = nil, buffering capacity: Int = 100, as type: Sample.Type = Float.self
  ) throws(AudioError) -> FrameSequence<Sample> {
    let queue = try HandoverQueue<AudioFrameCopy<Sample>>(holding: capacity)
    let observer = QueueingObserver(position, parameters, queue)
    return FrameSequence(queue, try register(observer, from: source))
  }
}

/// Owned audio frames as they come, to be iterated in a task: what
/// ``Session/frames(at:parameters:from:buffering:as:)`` gives, and ``LiveSession`` while the session runs.
///
/// May be used on any thread. Each frame goes to one iterator; one is usual.
public struct FrameSequence<Sample: FrameSample>: AsyncSequence, Sendable {
  public typealias Element = AudioFrameCopy<Sample>
  public typealias Failure = Never

  private let subscription: Subscription<Element>
  /// The observer's: its parameters, what its calls came to, and its end.
  public let registration: ObserverRegistration

  init(_ queue: HandoverQueue<Element>, _ registration: ObserverRegistration) {
    self.registration = registration
    subscription = Subscription(queue) { registration.unregister() }
  }

  /// The frames so far that did not fit the buffer.
  public var droppedFrames: Int { subscription.queue.dropped }

  public func makeAsyncIterator() -> Iterator { Iterator(subscription) }

  /// Takes the frames one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private let reader: QueueReader<Element>

    fileprivate init(_ subscription: Subscription<Element>) {
      reader = QueueReader(subscription)
    }

    /// The next frame; nil when the session has ended, or the task is cancelled.
    public mutating func next() async -> AudioFrameCopy<Sample>? { await next(isolation: nil) }

    /// The next frame; nil when the session has ended, or the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> AudioFrameCopy<Sample>? {
      await reader.subscription.next(isolation: actor)
    }
  }
}

/// Copies every frame into a queue, which ends when the session lets go of this. Session thread.
private final class QueueingObserver<Sample: FrameSample>: UniformObserver, LookingObserver {
  let positions: ObservationPositions
  private let asked: FrameParameters
  private let queue: HandoverQueue<AudioFrameCopy<Sample>>
  /// Set before the first frame.
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

  func parameters(at position: ObservationPosition) -> FrameParameters { asked }

  func begin(_ stream: ObservedStream) throws(AudioError) {
    control = stream.control
    isLive = stream.isLive
  }

  func observe(_ frame: inout AudioFrame<Sample>, at position: ObservationPosition) -> Bool {
    // Who is asked to end waits for nobody.
    if !isLive { queue.waitForRoom { control?.request != SessionControl.Request.none } }
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

  /// Appends a copy of `frame`, or drops it where there is no room. Session thread.
  func append<Sample>(_ frame: borrowing AudioFrame<Sample>)
  where Element == AudioFrameCopy<Sample> {
    append { lost in frame.copy(droppedBefore: lost) }
  }
}
