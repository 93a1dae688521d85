// SPDX-License-Identifier: Apache-2.0
/// What a call of ``AudioSink/write(_:)`` came to.
public enum SinkStatus: Sendable {
  /// All samples were taken.
  case accepted
  /// The reader of a pipe went away: nobody wants more. This ends the session without an error.
  case readerGone
}

/// Why a sink is stopped.
public enum StopReason: Sendable {
  /// All samples were written, or recording was ended on purpose: deliver them and complete the file.
  case finished
  /// The work failed or was interrupted: remove what is incomplete.
  case abandoned
}

/// What a sink is told between two calls of ``AudioSink/write(_:)``.
public enum SinkNotice: Sendable, Hashable {
  /// Nothing was written for a while: what is held back can be saved.
  case idle
  /// What is written next stands at this position of the stream, in samples per channel: the samples
  /// before it were left out.
  case leftOut(upTo: Int64)
  /// What is written next was handed over so long ago, and has waited for a ``BackgroundSink``'s thread since.
  case waited(Duration)
  /// A stretch of sound that a ``TriggeredSink`` lets through is over.
  case eventEnded
}

/// Where a stream goes to: a file, a pipe, a device, or a program.
///
/// One life cycle: `initialize` → `start` → `stop` → `dispose`, all on the session thread. Where
/// `initialize` throws, `start` is never called; where `start` was not called or throws, neither is
/// `stop`. `dispose` follows every `initialize` exactly once, also one that throws. Whatever a session
/// that fails early never initialises, it never calls.
public protocol AudioSink: AnyObject {
  /// The precision that this sink can make use of.
  var precision: SamplePrecision { get }

  /// What decides when samples leave; ``Pace/unpaced`` where nothing is said. Always the same case.
  var pace: Pace { get }

  /// Acquires what the sink needs and settles its format.
  ///
  /// - Parameters:
  ///   - proposal: the format of the stream.
  ///   - wakeup: signalled by a live sink when ``room`` grows.
  /// - Returns: the format that `write` expects; where it differs from `proposal` the session converts.
  func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat

  /// Samples begin to flow.
  func start() throws(AudioError)

  /// How many samples per channel `write` takes now without waiting; `Int.max` where it does not matter.
  var room: Int { get }

  /// Takes interleaved whole sample frames; never more than ``room`` in a live sink.
  func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus

  /// Told by what stands in front; nothing happens where nothing is said. A sink that wraps another hands it on.
  func receive(_ notice: SinkNotice) throws(AudioError)

  /// Ends the stream. After `finished` every sample has been delivered, heard or safely stored, or the
  /// error says why not.
  func stop(_ reason: StopReason) throws(AudioError)

  /// Releases everything; where `stop` was not called, removes what `initialize` made.
  func dispose()
}

extension AudioSink {
  public var pace: Pace { .unpaced }
  public func receive(_ notice: SinkNotice) throws(AudioError) {}
}
