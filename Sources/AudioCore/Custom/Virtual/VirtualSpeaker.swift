// SPDX-License-Identifier: Apache-2.0
/// A loudspeaker whose sound a program reads, together with what that sound is made of.
///
/// Three streams in the speaker's format, as `Float`, each with a reader of its own:
/// - ``mixed``: what one would hear. The speaker is the session's playback sink, and this stream sets
///   its pace.
/// - ``reader(for:)``: one source as it enters the sum, behind every observer that edits it, in whatever order they and
///   the speaker were registered. Its gain, pan and offset in the mix come later and are not in it.
/// - ``shared``: the sum of the sources that were added as shared ones, also while the session runs, as it is in the mix:
///   with their gains, pans and offsets.
///
/// ``shared`` comes with the mix, at most 10 ms and what a rate conversion holds back behind it, and is as long.
///
/// The session waits for nobody but ``mixed``. A program that reads the other streams as evenly gets all
/// of them, from sources of at least 8 kHz; what exceeds their rings is dropped and counted. For one
/// session. Every member but ``attach(to:)`` may be used on any thread.
public final class VirtualSpeaker: Sendable {
  /// What one would hear.
  public var mixed: PullReader { streams.mixed }
  /// The sum of the shared sources.
  public var shared: PullReader { streams.shared }
  private let streams: SpeakerStreams
  private let capacity: Int

  /// - Parameters:
  ///   - format: of all streams.
  ///   - capacity: how many samples per channel of the mix may wait to be read; nil = one second.
  public init(format: StreamFormat, capacity: Int? = nil) {
    self.capacity = capacity ?? format.sampleRate
    streams = SpeakerStreams(format: format, capacity: max(1, self.capacity))
  }

  public var format: StreamFormat { streams.format }

  /// The stream of one source, from the moment this is first asked for; sources that nobody asks for
  /// cost nothing.
  public func reader(for source: SourceKey) -> PullReader { streams.reader(for: source) }

  /// The sources that have been heard so far, in that order.
  public var sources: [SourceKey] { streams.seen }

  /// Makes this the playback sink of `session` and registers what observes its sources. Session thread,
  /// before the session runs.
  ///
  /// - Throws: `lifeCycle` where the session has been run.
  public func attach(to session: Session) throws(AudioError) {
    try session.register(SpeakerObserver(streams))
    let options = PullSink.Options(name: "virtual speaker", capacity: capacity)
    try session.setSink(
      .playback,
      SpeakerSink(PullSink(format: format, options: options, reader: mixed), streams))
  }
}
