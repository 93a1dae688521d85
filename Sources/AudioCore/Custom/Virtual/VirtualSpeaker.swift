// SPDX-License-Identifier: Apache-2.0
/// A loudspeaker whose sound a program reads, together with the parts of that sound.
///
/// It has three kinds of streams in the speaker's format, as `Float`, each with its own reader:
/// - ``mixed``: the audible sum. The speaker is the session's playback sink, and this stream sets its pace.
/// - ``reader(for:)``: one source on entering the sum, behind all observers that edit it, in any order of registration.
///   It lacks the later gain, pan and offset of the mix.
/// - ``shared``: the sum of the shared sources in the mix, including those that join the running session, with their
///   gains, pans and offsets.
///
/// ``shared`` is as long as the mix. It lags behind the mix by at most 10 ms and the delay of a rate conversion.
///
/// The session waits only for the reader of ``mixed``. A program that reads the other streams as evenly gets all their
/// samples, from sources of at least 8 kHz; samples without room in their rings are dropped and counted. For one
/// session. Every member but ``attach(to:)`` may be used on any thread.
public final class VirtualSpeaker: Sendable {
  /// The audible sum.
  public var mixed: PullReader { streams.mixed }
  /// The sum of the shared sources.
  public var shared: PullReader { streams.shared }
  private let streams: SpeakerStreams
  private let capacity: Int

  /// - Parameters:
  ///   - format: the format of all streams.
  ///   - capacity: the samples per channel of the mix that may wait to be read; nil = one second.
  public init(format: StreamFormat, capacity: Int? = nil) {
    self.capacity = capacity ?? format.sampleRate
    streams = SpeakerStreams(format: format, capacity: max(1, self.capacity))
  }

  public var format: StreamFormat { streams.format }

  /// Returns the stream of one source, from the first call on. Sources without a reader cost nothing.
  public func reader(for source: SourceKey) -> PullReader { streams.reader(for: source) }

  /// The sources heard so far, in that order.
  public var sources: [SourceKey] { streams.seen }

  /// Makes this the playback sink of `session` and registers the observer of its sources. Session thread, before the
  /// session runs.
  ///
  /// - Throws: `lifeCycle` after `run()`.
  public func attach(to session: Session) throws(AudioError) {
    try session.register(SpeakerObserver(streams))
    let options = PullSink.Options(name: "virtual speaker", capacity: capacity)
    try session.setSink(
      SpeakerSink(PullSink(format: format, options: options, reader: mixed), streams), at: .playback
    )
  }
}
