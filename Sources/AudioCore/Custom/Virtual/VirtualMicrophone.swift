// SPDX-License-Identifier: Apache-2.0
/// A microphone whose sound a program sends: a ``PushSource`` without anything else to conform to.
///
/// ```swift
/// let microphone = VirtualMicrophone(format: format)
/// try session.setLocal(microphone)
/// let sender = microphone.sender  // for another thread
/// ```
///
/// For one session, as its local, a remote or a shared source. Everything but ``sender`` belongs to the
/// session thread.
public final class VirtualMicrophone: MutedSource, FillingSource {
  private let source: PushSource

  /// - Parameters:
  ///   - format: of the samples that will be sent; nil = whatever the session proposes.
  ///   - options: of the push source.
  public init(
    format: StreamFormat? = nil, options: PushSource.Options = .init(name: "virtual microphone")
  ) {
    source = PushSource(nil, format: format, options: options)
  }

  /// Takes samples from the session's start to its stop; before and after that, and while the microphone is muted,
  /// sending is an error. Any thread.
  public var sender: PushSender { source.sender }

  public var takesProposedFormat: Bool { source.takesProposedFormat }

  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    try source.initialize(proposing: proposal, wakeup: wakeup)
  }

  public func start() throws(AudioError) { try source.start() }

  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    try source.read(into: &output)
  }

  public func silenceStoodIn(samplesPerChannel count: Int64) {
    source.silenceStoodIn(samplesPerChannel: count)
  }

  package func takeFilled() -> [Range<Int64>] { source.takeFilled() }

  public func mute() { source.mute() }

  public func unmute() throws(AudioError) { try source.unmute() }

  public func stop() { source.stop() }

  public func dispose() { source.dispose() }
}
