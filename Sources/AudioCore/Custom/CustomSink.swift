/// A program that wants to be called with a session's audio, in one sample type; see ``CallingSink``.
///
/// One life cycle: `initialize` → `start` → `write`… → `stop` → `dispose`, all on the session thread.
/// Where `initialize` answers false or `start` throws, the session ends with an error and nothing is
/// written. `dispose` comes exactly once after `initialize`, also after a failure.
public protocol CustomSink: AnyObject {
  associatedtype Sample: FrameSample = Float

  /// The format that `write` wants, asked before `initialize`; nil = the stream's own.
  var format: StreamFormat? { get }

  /// Acquires what the sink needs.
  ///
  /// - Parameter format: of everything that will be written.
  /// - Returns: false where the sink cannot work: the session ends with an error.
  func initialize(_ format: StreamFormat) -> Bool

  func start() throws(AudioError)

  /// Takes all of `samples`: interleaved whole sample frames. The session waits meanwhile.
  ///
  /// - Returns: ``SinkStatus/readerGone`` to end the session without an error.
  func write(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus

  /// Ends the stream: completes what was written, or drops it.
  func stop(_ reason: StopReason) throws(AudioError)

  /// Releases everything.
  func dispose()
}

extension CustomSink {
  public var format: StreamFormat? { nil }
  public func initialize(_ format: StreamFormat) -> Bool { true }
  public func start() throws(AudioError) {}
  public func stop(_ reason: StopReason) throws(AudioError) {}
  public func dispose() {}
}
