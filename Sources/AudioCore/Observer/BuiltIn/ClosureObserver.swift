// SPDX-License-Identifier: Apache-2.0
extension Session {
  /// Calls a closure with every frame: an observer without a class.
  ///
  /// ```swift
  /// try session.observe(.playback) { frame in print(frame.samplePosition, frame.samples.count) }
  /// ```
  ///
  /// What is left in a frame is sent back, where the mode lets it reach the stream. For the beginning and the end
  /// of streams, and to leave a frame as it was handed over, conform to a protocol and ``register(_:from:)``.
  ///
  /// - Parameters:
  ///   - positions: where it is called.
  ///   - parameters: the shape of the frames; read-only unless they say otherwise.
  ///   - source: as for ``register(_:from:)``.
  ///   - receive: takes every frame, on the session thread.
  /// - Throws: as ``register(_:from:)``.
  @discardableResult
  public func observe(
    _ positions: ObservationPositions, _ parameters: FrameParameters = FrameParameters(),
    from source: SourceKey? = nil, calling receive: @escaping (inout AudioFrame<Float>) -> Void
  ) throws(AudioError) -> ObserverRegistration {
    try register(ClosureObserver(positions, parameters, receive), from: source)
  }

  /// Calls a closure with every frame, in the sample type that it is written with.
  ///
  /// ```swift
  /// try session.observe(.record) { (frame: inout AudioFrame<Int16>) in send(frame.copy().samples) }
  /// ```
  ///
  /// - Parameters:
  ///   - positions: where it is called.
  ///   - parameters: the shape of the frames; read-only unless they say otherwise.
  ///   - source: as for ``register(_:from:)``.
  ///   - receive: takes every frame, on the session thread.
  /// - Throws: as ``register(_:from:)``.
  @discardableResult
  public func observe<Sample: FrameSample>(
    _ positions: ObservationPositions, _ parameters: FrameParameters = FrameParameters(),
    from source: SourceKey? = nil, calling receive: @escaping (inout AudioFrame<Sample>) -> Void
  ) throws(AudioError) -> ObserverRegistration {
    try register(ClosureObserver(positions, parameters, receive), from: source)
  }
}

extension LiveSession {
  /// Calls a closure with every frame from the next one on, as ``Session/observe(_:_:from:calling:)-(_,_,_,(AudioFrame<Float>)->Void)``
  /// does.
  ///
  /// - Parameters:
  ///   - positions: where it is called.
  ///   - parameters: the shape of the frames; read-only unless they say otherwise.
  ///   - source: as for ``register(_:from:)``.
  ///   - receive: takes every frame, on the session thread; handed over to it.
  /// - Throws: as ``register(_:from:)``.
  @discardableResult
  public func observe(
    _ positions: ObservationPositions, _ parameters: FrameParameters = FrameParameters(),
    from source: SourceKey? = nil,
    calling receive: sending @escaping (inout AudioFrame<Float>) -> Void
  ) throws(AudioError) -> ObserverRegistration {
    try register(ClosureObserver(positions, parameters, receive), from: source)
  }

  /// Calls a closure with every frame from the next one on, in the sample type that it is written with.
  ///
  /// - Parameters:
  ///   - positions: where it is called.
  ///   - parameters: the shape of the frames; read-only unless they say otherwise.
  ///   - source: as for ``register(_:from:)``.
  ///   - receive: takes every frame, on the session thread; handed over to it.
  /// - Throws: as ``register(_:from:)``.
  @discardableResult
  public func observe<Sample: FrameSample>(
    _ positions: ObservationPositions, _ parameters: FrameParameters = FrameParameters(),
    from source: SourceKey? = nil,
    calling receive: sending @escaping (inout AudioFrame<Sample>) -> Void
  ) throws(AudioError) -> ObserverRegistration {
    try register(ClosureObserver(positions, parameters, receive), from: source)
  }
}

/// Calls a closure with every frame.
private final class ClosureObserver<Sample: FrameSample>: UniformObserver, ClosureNamed {
  let positions: ObservationPositions
  private let asked: FrameParameters
  private let receive: (inout AudioFrame<Sample>) -> Void

  init(
    _ positions: ObservationPositions, _ asked: FrameParameters,
    _ receive: @escaping (inout AudioFrame<Sample>) -> Void
  ) {
    self.positions = positions
    self.asked = asked
    self.receive = receive
  }

  func parameters(at position: ObservationPosition) -> FrameParameters { asked }

  func observe(_ frame: inout AudioFrame<Sample>, at position: ObservationPosition) -> Bool {
    receive(&frame)
    return true
  }
}
