/// Adds another source into the passing stream: an ordinary read-write observer.
///
/// The source begins with the stream, is converted to the observer's format and is added at unity or at
/// a gain. Where it ends first the stream goes on alone; where the stream ends first it is stopped.
/// Choose the sample type after the session's precision:
///
/// ```swift
/// session.register(
///   matching: MixObserver.make(.record, control: session.control) { _ in ToneSource(…) })
/// ```
public final class MixObserver<Sample: AudioSample>: UniformObserver {
  public let positions: ObservationPositions
  private let asked: FrameParameters
  private let gain: Double
  private let quality: ResamplerQuality
  private let control: SessionControl
  private let makeSource: MixSourceMaker
  private var added: [StreamIdentity: AddedSource<Sample>] = [:]

  /// - Parameters:
  ///   - positions: where it is called.
  ///   - parameters: the shape of its frames; the mode is read-write unless they say otherwise.
  ///   - gain: a factor for the added source.
  ///   - quality: that of a rate conversion of the added source.
  ///   - control: that of the session, whose end a waiting source has to see.
  ///   - maker: makes the source to add to each stream: one source cannot feed two.
  public init(
    _ positions: ObservationPositions, parameters: FrameParameters = .readWrite, gain: Double = 1,
    quality: ResamplerQuality = .high, control: SessionControl,
    adding maker: @escaping MixSourceMaker
  ) {
    self.positions = positions
    asked = parameters
    self.gain = gain
    self.quality = quality
    self.control = control
    makeSource = maker
  }

  /// Samples per channel, over all streams, to which a live source had nothing to add.
  public private(set) var missingSamplesPerChannel: Int64 = 0

  public func parameters(at position: ObservationPosition) -> FrameParameters { asked }

  /// Makes, initialises and starts the source to add to `stream`.
  public func begin(_ stream: ObservedStream) throws(AudioError) {
    added[stream.identity] = try AddedSource(
      try makeSource(stream), to: stream, gain: gain, quality: quality, control: control)
  }

  public func observe(_ frame: inout AudioFrame<Sample>, at position: ObservationPosition) -> Bool {
    added[StreamIdentity(of: frame, at: position)]?.add(to: &frame.samples)
    return true
  }

  /// Stops and disposes of the source.
  ///
  /// - Throws: what reading it failed with.
  public func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
    guard let source = added.removeValue(forKey: stream.identity) else { return }
    missingSamplesPerChannel += source.missingSamplesPerChannel
    try source.end()
  }
}

/// Makes the source that a ``MixObserver`` adds to a stream.
public typealias MixSourceMaker = (ObservedStream) throws(AudioError) -> any AudioSource

extension MixObserver where Sample == Float {
  /// Makes the observer of a session, which then computes in double precision, so that a sum is rounded
  /// to the output and not before.
  public static func make(
    _ positions: ObservationPositions, parameters: FrameParameters = .readWrite, gain: Double = 1,
    quality: ResamplerQuality = .high, control: SessionControl,
    adding maker: @escaping MixSourceMaker
  ) -> ObserverMaker {
    ObserverMaker(needing: .double) { precision in
      switch precision {
      case .single:
        MixObserver<Float>(
          positions, parameters: parameters, gain: gain, quality: quality, control: control,
          adding: maker)
      case .double:
        MixObserver<Double>(
          positions, parameters: parameters, gain: gain, quality: quality, control: control,
          adding: maker)
      }
    }
  }
}
