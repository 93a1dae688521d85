// SPDX-License-Identifier: Apache-2.0
/// Writes what it sees to a sink of its own for each stream: an ordinary read-only observer.
///
/// The sinks are written in the background. Offline the session waits for them; a live session never
/// does: what a sink has no room for is dropped and counted. One that is unregistered while the session
/// runs completes its sinks when it is released. Taps are exact, and padded only where they are to be
/// aligned with the session:
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
  private let alignment: TapAlignment
  private var taps: [StreamIdentity: TapTrack] = [:]
  /// The tracks whose source is away, the longest first.
  private var resting: [StreamIdentity] = []
  /// The tracks whose stream has ended and whose sink may not be complete yet.
  private var closing: [TapTrack] = []
  /// What tracks dropped that are complete.
  private var droppedBefore: Int64 = 0

  /// How many tracks stay open for a source that may come back: each is an open file.
  private static let mostResting = 256

  /// - Parameters:
  ///   - positions: where it is called.
  ///   - parameters: the shape of what is written.
  ///   - alignment: where a track begins, and what becomes of it when its source leaves.
  ///   - maker: makes the sink of each stream, before its first frame.
  ///   - writer: on whose thread they are written.
  public init(
    _ positions: ObservationPositions, parameters: FrameParameters = FrameParameters(),
    alignment: TapAlignment = .source, to maker: @escaping TapSinkMaker,
    on writer: BackgroundWriter
  ) {
    self.positions = positions
    self.alignment = alignment
    asked = parameters
    makeSink = maker
    self.writer = writer
  }

  /// Samples per channel, over all streams, that did not reach their sink in time.
  public var droppedSamplesPerChannel: Int64 {
    (Array(taps.values) + closing).reduce(droppedBefore) { $0 + $1.droppedSamplesPerChannel }
  }

  public func parameters(at position: ObservationPosition) -> FrameParameters { asked }

  /// Makes and opens the sink of `stream`, or goes on with the track that it had.
  ///
  /// - Throws: what that fails with; `unsupported` where the sink wants another format.
  public func begin(_ stream: ObservedStream) throws(AudioError) {
    let identity = stream.identity
    if let place = resting.firstIndex(of: identity) {
      resting.remove(at: place)
      return
    }
    taps[identity] = try TapTrack(stream, alignment, to: makeSink, on: writer)
  }

  public func observe<Sample: AudioSample>(
    _ frame: inout AudioFrame<Sample>, at position: ObservationPosition
  ) -> Bool {
    let track = taps[StreamIdentity(of: frame, at: position)]
    track?.write(frame.samples.span, frame.format, at: frame.samplePosition)
    return true
  }

  /// Completes the sink of `stream`, or with `abandoned` removes what is incomplete: behind the session's back
  /// while other streams go on, and with the last of them everything is complete. A track that is aligned
  /// with the session stays open for the stream's return, until ``finish()``.
  ///
  /// - Throws: what writing failed with since the last of these calls. A reader that went away is no failure.
  public func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
    let identity = stream.identity
    guard alignment == .session, reason == .finished else { return try close(identity, reason) }
    try taps[identity]?.rest()
    resting.append(identity)
    if resting.count > Self.mostResting { try close(resting.removeFirst(), .finished) }
  }

  private func close(_ identity: StreamIdentity, _ reason: StopReason) throws(AudioError) {
    guard let track = taps.removeValue(forKey: identity) else { return }
    track.requestEnd(reason)
    closing.append(track)
    var failure: AudioError?
    for track in closing where taps.isEmpty || track.isClosed {
      do throws(AudioError) { try track.end(reason) } catch { failure = failure ?? error }
      droppedBefore += track.droppedSamplesPerChannel
    }
    closing.removeAll { $0.hasEnded }
    if let failure { throw failure }
  }

  /// Completes the tracks that are aligned with the session, after its run. Those of a tap that is released
  /// without are completed too, but what fails then nobody learns.
  ///
  /// - Throws: the first that writing failed with.
  public func finish() throws(AudioError) {
    var failure: AudioError?
    for identity in resting {
      do throws(AudioError) {
        try close(identity, .finished)
      } catch {
        failure = failure ?? error
      }
    }
    resting = []
    if let failure { throw failure }
  }
}

/// Where the track of a tap begins.
public enum TapAlignment: String, Sendable, Hashable, CaseIterable {
  /// With the session: silence stands before the first sample of its source, while that is away, and where
  /// samples were dropped. All tracks lie side by side in an editor. A source that leaves and joins again has
  /// one track, in the format of its first stay.
  case session
  /// With the first sample of its source. One that leaves and joins again begins another track.
  case source
}

/// Makes the sink that a tap writes a stream to. What it throws ends the session: an ``AudioError`` as it is, any
/// other error as the ``AudioError/underlying`` of one.
public typealias TapSinkMaker = (ObservedStream) throws -> any AudioSink

extension TapObserver: LookingObserver {}
