// SPDX-License-Identifier: Apache-2.0
/// A read-only observer that writes each stream to its own sink.
///
/// The sinks are written in the background. An offline session waits for them. A live session never waits: it drops and
/// counts the samples that a sink has no room for. An observer that is unregistered during the run completes its sinks
/// when it is released. A tap gets the exact samples, with silence added only to align it with the session:
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
  /// The tracks without a stream at present, the longest absent first.
  private var resting: [StreamIdentity] = []
  /// The tracks of ended streams whose sink may be incomplete yet.
  private var closing: [TapTrack] = []
  /// The samples per channel dropped by completed tracks.
  private var droppedBefore: Int64 = 0

  /// The maximum of open tracks whose source may come back; each is an open file.
  private static let mostResting = 256

  /// - Parameters:
  ///   - positions: the positions to observe at.
  ///   - parameters: the shape of the written samples.
  ///   - alignment: the beginning of a track, and its fate when its source leaves.
  ///   - maker: makes the sink of each stream, before its first frame.
  ///   - writer: the writer whose thread writes the sinks.
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

  /// The samples per channel, over all streams, that did not reach their sink in time.
  public var droppedSamplesPerChannel: Int64 {
    (Array(taps.values) + closing).reduce(droppedBefore) { $0 + $1.droppedSamplesPerChannel }
  }

  public func parameters(at position: ObservationPosition) -> FrameParameters { asked }

  /// Makes and opens the sink of `stream`, or continues its earlier track.
  ///
  /// - Throws: the error of the sink; `unsupported` if the sink wants another format.
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

  /// Completes the sink of `stream`, or with `abandoned` removes an incomplete one. This happens in the background
  /// while other streams go on; the end of the last stream waits for all sinks. A track that is aligned with the
  /// session stays open for the stream's return, until ``finish()``.
  ///
  /// - Throws: the error of a write since the last of these calls. A reader that went away is no failure.
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

  /// Completes the tracks that are aligned with the session, after its run. Releasing the tap completes them too, but
  /// loses their errors.
  ///
  /// - Throws: the first error of a write.
  public func finish() throws(AudioError) {
    var failure: AudioError?
    for identity in resting {
      do throws(AudioError) { try close(identity, .finished) } catch { failure = failure ?? error }
    }
    resting = []
    if let failure { throw failure }
  }
}

/// The beginning of a tap's track.
@nonexhaustive
public enum TapAlignment: String, Sendable, Hashable, CaseIterable {
  /// With the session: silence fills the time before the first sample of the source, during its absence, and in place
  /// of dropped samples. All tracks lie side by side in an editor. A source that leaves and joins again has one track,
  /// in the format of its first stay.
  case session
  /// With the first sample of its source. A source that leaves and joins again begins another track.
  case source
}

/// Makes the sink of a stream for a tap. An error ends the session: an ``AudioError`` unchanged, any other error as the
/// ``AudioError/underlying`` of one.
public typealias TapSinkMaker = (ObservedStream) throws -> any AudioSink

extension TapObserver: TraitedObserver {
  package var traits: ObserverTraits { .hasOwnMode }
}
