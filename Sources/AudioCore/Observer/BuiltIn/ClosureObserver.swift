// SPDX-License-Identifier: Apache-2.0
extension Session {
  /// Calls a closure with every frame: an observer without a class.
  ///
  /// ```swift
  /// try session.observe(at: .playback) { frame in print(frame.samplePosition, frame.samples.count) }
  /// ```
  ///
  /// The content of a frame is sent back; the mode decides whether it reaches the stream. To learn of the beginning and
  /// end of streams, or to leave a frame unchanged, conform to a protocol and call ``register(_:from:)``.
  ///
  /// An error that the closure throws ends the session, as ``ObservedStream/fail(_:)`` says. The closure is not called
  /// again.
  ///
  /// - Parameters:
  ///   - positions: the positions to observe at.
  ///   - parameters: the shape of the frames; read-only unless they set a mode.
  ///   - source: as for ``register(_:from:)``.
  ///   - receive: takes every frame, on the session thread.
  /// - Throws: the error of ``register(_:from:)``.
  @discardableResult
  public func observe(
    at positions: ObservationPositions, as parameters: FrameParameters = FrameParameters(),
    from source: SourceKey? = nil, _ receive: @escaping (inout AudioFrame<Float>) throws -> Void
  ) throws(AudioError) -> ObserverRegistration {
    try register(ClosureObserver(positions, parameters, receive), from: source)
  }

  /// Calls a closure with every frame, in the sample type of the closure; otherwise like
  /// ``Session/observe(at:as:from:_:)-(_,_,_,(AudioFrame<Float>)->Void)``.
  ///
  /// ```swift
  /// try session.observe(at: .record) { (frame: inout AudioFrame<Int16>) in send(frame.copy().samples) }
  /// ```
  @discardableResult
  public func observe<Sample: FrameSample>(
    at positions: ObservationPositions, as parameters: FrameParameters = FrameParameters(),
    from source: SourceKey? = nil, _ receive: @escaping (inout AudioFrame<Sample>) throws -> Void
  ) throws(AudioError) -> ObserverRegistration {
    try register(ClosureObserver(positions, parameters, receive), from: source)
  }
}

extension LiveSession {
  /// Calls a closure with every frame from the next one on, like
  /// ``Session/observe(at:as:from:_:)-(_,_,_,(AudioFrame<Float>)->Void)``.
  ///
  /// - Parameters:
  ///   - positions: the positions to observe at.
  ///   - parameters: the shape of the frames; read-only unless they set a mode.
  ///   - source: as for ``register(_:from:)``.
  ///   - receive: takes every frame, on the session thread; handed over to it.
  /// - Throws: the error of ``register(_:from:)``.
  @discardableResult
  public func observe(
    at positions: ObservationPositions, as parameters: FrameParameters = FrameParameters(),
    from source: SourceKey? = nil,
    _ receive: sending @escaping (inout AudioFrame<Float>) throws -> Void
  ) throws(AudioError) -> ObserverRegistration {
    try register(ClosureObserver(positions, parameters, receive), from: source)
  }

  /// Calls a closure with every frame from the next one on, in the sample type of the closure; otherwise like
  /// ``Session/observe(at:as:from:_:)-(_,_,_,(AudioFrame<Float>)->Void)``. The closure is handed over to the
  /// session thread.
  @discardableResult
  public func observe<Sample: FrameSample>(
    at positions: ObservationPositions, as parameters: FrameParameters = FrameParameters(),
    from source: SourceKey? = nil,
    _ receive: sending @escaping (inout AudioFrame<Sample>) throws -> Void
  ) throws(AudioError) -> ObserverRegistration {
    try register(ClosureObserver(positions, parameters, receive), from: source)
  }
}

private final class ClosureObserver<Sample: FrameSample>: UniformObserver, TraitedObserver {
  let positions: ObservationPositions
  private let asked: FrameParameters
  private let receive: (inout AudioFrame<Sample>) throws -> Void
  private var registration: ObserverRegistration?
  private var hasFailed = false

  init(
    _ positions: ObservationPositions, _ asked: FrameParameters,
    _ receive: @escaping (inout AudioFrame<Sample>) throws -> Void
  ) {
    self.positions = positions
    self.asked = asked
    self.receive = receive
  }

  var traits: ObserverTraits { .isClosure }
  func parameters(at position: ObservationPosition) -> FrameParameters { asked }
  func begin(_ stream: ObservedStream) { registration = stream.registration }

  func observe(_ frame: inout AudioFrame<Sample>, at position: ObservationPosition) -> Bool {
    if hasFailed { return false }
    do {
      try receive(&frame)
      return true
    } catch {
      hasFailed = true
      let stream = StreamIdentity(of: frame, at: position)
      registration?.fail(AudioError(wrapping: error, cannot: "observe", stream.name))
      return false
    }
  }
}
