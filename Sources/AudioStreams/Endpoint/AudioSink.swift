// SPDX-License-Identifier: Apache-2.0
/// The result of ``AudioSink/write(_:)``.
public enum SinkStatus: Sendable {
  /// All samples were taken.
  case accepted
  /// The reader of a pipe went away. This ends the session without an error.
  case readerGone
}

/// Why a sink is stopped.
@nonexhaustive
public enum StopReason: Sendable {
  /// All samples were written, or recording was ended on purpose: deliver them and complete the file.
  case finished
  /// The work failed or was interrupted: remove the incomplete output.
  case abandoned
}

/// An event between two calls of ``AudioSink/write(_:)``.
@nonexhaustive
public enum SinkNotice: Sendable, Hashable {
  /// No write came for a while: the sink can save the samples that it holds back.
  case idle
  /// The next write begins at this position of the stream, in samples per channel: the samples before it were left out.
  case leftOut(upTo: Int64)
  /// How long the samples of the next write have waited for the thread of a ``BackgroundSink``.
  case waited(Duration)
  /// A stretch of sound that a ``TriggeredSink`` lets through is over.
  case eventEnded
}

/// The end that takes a stream: a file, a pipe, a device, or a program.
///
/// One life cycle: `initialize` → `start` → `stop` → `dispose`, all on the session thread. If `initialize` throws,
/// `start` is never called. If `start` throws or was not called, `stop` is never called. `dispose` follows every
/// `initialize` exactly once, even one that throws. A session that fails early makes no call to a sink that it has not
/// initialised.
///
/// One object serves one stream at a time, from `initialize` to `dispose`. A session that gets one that is in use, here or
/// in another session, throws `lifeCycle` and makes no call to it.
///
/// `write` and `stop` may wait for a reader or a disk. One that may wait for ever looks at its ``Wakeup/request`` meanwhile:
/// at ``SessionControl/Request/abandon`` it gives up at once, with an error of kind ``AudioError/Kind/interrupted``; at
/// ``SessionControl/Request/finish`` after a limit of its own, with an error that states the samples taken. The library's
/// own sinks give a reader that takes nothing ten seconds.
public protocol AudioSink: AnyObject {
  /// The precision that this sink can make use of.
  var precision: SamplePrecision { get }

  /// The pace at which samples leave; ``Pace/unpaced`` by default. The case never changes.
  var pace: Pace { get }

  /// Acquires the sink's resources and settles its format.
  ///
  /// - Parameters:
  ///   - proposal: the format of the stream.
  ///   - wakeup: signalled by a live sink when ``room`` grows.
  /// - Returns: the format that `write` expects; the session converts if it differs from `proposal`.
  func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat

  /// Begins the flow of samples; does nothing by default.
  func start() throws(AudioError)

  /// How many samples per channel `write` takes now without waiting; `Int.max` if the sink sets no limit.
  var room: Int { get }

  /// Takes interleaved whole sample frames; never more than ``room`` in a live sink.
  func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus

  /// Returns how many of the next `count` samples per channel can be written now: all by default. A sink that writes
  /// more than it is given answers 0 after each piece of its own.
  func ready<Sample: AudioSample>(_ count: Int, as type: Sample.Type) throws(AudioError) -> Int

  /// Appends silence if its length costs neither time nor space, as a hole in a file does.
  ///
  /// - Parameter length: in samples per channel.
  /// - Returns: whether it was appended; false, with nothing changed, by default: the silence is to be written.
  func appendSilence(_ length: Int64) throws(AudioError) -> Bool

  /// Called by the session or by the sink in front; does nothing by default. A sink that wraps another passes the
  /// notice on.
  func receive(_ notice: SinkNotice) throws(AudioError)

  /// Ends the stream. After `finished` every sample has been delivered, heard or safely stored; otherwise it throws.
  func stop(_ reason: StopReason) throws(AudioError)

  /// Releases everything. If `stop` was not called, removes the output that `initialize` made.
  func dispose()
}

extension AudioSink {
  public var pace: Pace { .unpaced }
  public func start() throws(AudioError) {}

  public func ready<Sample: AudioSample>(
    _ count: Int, as type: Sample.Type
  ) throws(AudioError) -> Int { count }

  public func appendSilence(_ length: Int64) throws(AudioError) -> Bool { false }
  public func receive(_ notice: SinkNotice) throws(AudioError) {}
}
