/// Writes what it sees to a sink of its own for each stream: an ordinary read-only observer.
///
/// The sinks are written in the background. Offline the session waits for them; a live session never
/// does: what a sink has no room for is dropped and counted. One that is unregistered while the session
/// runs completes its sinks when it is released. Taps are never padded, and exact:
///
/// ```swift
/// let files = try TapFiles(pattern: "track-%s.wav")
/// try session.register(
///   TapObserver(.beforeMixing, to: files.sink, on: try BackgroundWriter()))
/// ```
public final class TapObserver: GenericObserver {
  public let positions: ObservationPositions
  private let asked: FrameParameters
  private let makeSink: TapSinkMaker
  private let writer: BackgroundWriter
  private var taps: [StreamIdentity: Tap] = [:]

  /// - Parameters:
  ///   - positions: where it is called.
  ///   - parameters: the shape of what is written.
  ///   - maker: makes the sink of each stream, before its first frame.
  ///   - writer: on whose thread they are written.
  public init(
    _ positions: ObservationPositions, parameters: FrameParameters = FrameParameters(),
    to maker: @escaping TapSinkMaker, on writer: BackgroundWriter
  ) {
    self.positions = positions
    asked = parameters
    makeSink = maker
    self.writer = writer
  }

  /// Samples per channel, over all streams, that did not reach their sink in time.
  public var droppedSamplesPerChannel: Int64 {
    taps.values.reduce(0) { $0 + $1.sink.droppedSamplesPerChannel }
  }

  public func parameters(at position: ObservationPosition) -> FrameParameters { asked }

  /// Makes and opens the sink of `stream`.
  ///
  /// - Throws: what that fails with; `unsupported` where the sink wants another format.
  public func begin(_ stream: ObservedStream) throws(AudioError) {
    let sink = BackgroundSink(
      try makeSink(stream), named: stream.name, on: writer, overflow: stream.isLive ? .drop : .wait)
    do throws(AudioError) {
      let format = try sink.initialize(proposing: stream.format, wakeup: stream.control.wakeup)
      guard format == stream.format else {
        throw AudioError(
          .unsupported, cannot: "tap", stream.name,
          because: "the sink wants \(format) and the frames have \(stream.format)",
          advice: "ask for frames in that format")
      }
      try sink.start()
    } catch {
      // The first error is the one to tell.
      try? sink.stop(.abandoned)
      sink.dispose()
      throw error
    }
    taps[stream.identity] = Tap(sink)
  }

  public func observe<Sample: AudioSample>(
    _ frame: inout AudioFrame<Sample>, at position: ObservationPosition
  ) -> Bool {
    taps[StreamIdentity(of: frame, at: position)]?.write(frame.samples.span)
    return true
  }

  /// Completes the sink of `stream`, or with `abandoned` removes what is incomplete.
  ///
  /// - Throws: what writing failed with since `begin`. A reader that went away is no failure.
  public func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
    try taps[stream.identity]?.end(reason)
  }

  /// One stream's sink.
  private final class Tap {
    let sink: BackgroundSink
    private var isWanted = true
    private var hasEnded = false
    private var failure: AudioError?

    init(_ sink: BackgroundSink) { self.sink = sink }

    /// A stream that was not ended is one whose observer was unregistered: what was written is complete.
    deinit { try? end(.finished) }

    func write<Sample: AudioSample>(_ samples: Span<Sample>) {
      guard isWanted else { return }
      do {
        isWanted = try sink.write(samples) == .accepted
      } catch {
        failure = error
        isWanted = false
      }
    }

    func end(_ reason: StopReason) throws(AudioError) {
      if hasEnded { return }
      hasEnded = true
      defer { sink.dispose() }
      if let failure {
        try? sink.stop(.abandoned)
        throw failure
      }
      try sink.stop(reason)
    }
  }
}

/// Makes the sink that a tap writes a stream to.
public typealias TapSinkMaker = (ObservedStream) throws(AudioError) -> any AudioSink
