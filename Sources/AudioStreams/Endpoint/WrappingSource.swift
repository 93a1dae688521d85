// SPDX-License-Identifier: Apache-2.0
/// A source in front of another. It passes on every call that it does not implement itself.
///
/// ```swift
/// final class Counter: WrappingSource {
///   let source: any AudioSource
///   var samples = 0
///   init(_ source: any AudioSource) { self.source = source }
///   func read<Sample: AudioSample>(
///     into output: inout OutputSpan<Sample>
///   ) throws(AudioError) -> SourceStatus {
///     let before = output.count
///     let status = try source.read(into: &output)
///     samples += output.count - before
///     return status
///   }
/// }
/// ```
///
/// The session mutes the source behind it, if that is a ``MutedSource``. A source that changes the format or the number
/// of samples implements `initialize` and `skip`, too.
public protocol WrappingSource: AudioSource {
  /// The source behind this one.
  var source: any AudioSource { get }
}

extension WrappingSource {
  public var takesProposedFormat: Bool { source.takesProposedFormat }

  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    try source.initialize(proposing: proposal, wakeup: wakeup)
  }

  public func skip(samplesPerChannel count: Int64) throws(AudioError) -> Bool {
    try source.skip(samplesPerChannel: count)
  }

  public func metadata() throws(AudioError) -> Metadata? { try source.metadata() }
  public func start() throws(AudioError) { try source.start() }

  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    try source.read(into: &output)
  }

  public func silenceStoodIn(samplesPerChannel count: Int64) {
    source.silenceStoodIn(samplesPerChannel: count)
  }

  public func stop() { source.stop() }
  public func dispose() { source.dispose() }
}

extension AudioSource {
  /// This source, or the one behind it, if it is a ``MutedSource``.
  package var muted: (any MutedSource)? {
    self as? any MutedSource ?? (self as? any WrappingSource)?.source.muted
  }

  /// This source, or the one behind it, if it is an ``OpeningSource``.
  package var opening: (any OpeningSource)? {
    self as? any OpeningSource ?? (self as? any WrappingSource)?.source.opening
  }

  /// This source, or the one behind it, if it is a ``FillingSource``.
  package var filling: (any FillingSource)? {
    self as? any FillingSource ?? (self as? any WrappingSource)?.source.filling
  }
}
