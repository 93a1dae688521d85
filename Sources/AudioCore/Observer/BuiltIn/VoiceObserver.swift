// SPDX-License-Identifier: Apache-2.0
/// A read-only observer that tells when speech begins and ends in every stream: who speaks, and since when.
///
/// ```swift
/// let observer = try VoiceObserver(.beforeMixing, VoiceModel()) { change in
///   print(change.key, change.begins ? "speaks" : "is silent", change.samplePosition)
/// }
/// try session.register(observer)
/// ```
///
/// A beginning is told some 80 ms after the first sound, with its position; an end after the hold. It works on the session
/// thread: 2 ms of processor time for a second of sound. The memory of a stream is allocated when it begins.
public final class VoiceObserver: GenericObserver {
  public let positions: ObservationPositions
  private let asked: FrameParameters
  private let model: VoiceModel
  private let threshold: SpeechThreshold
  private let hold: TimePosition
  private let receive: (SpeechChange) -> Void
  private let lines: BackgroundLines?
  private let timing: SampleTiming
  private var isWanted = true
  private var streams: [StreamIdentity: Entry] = [:]

  /// A stream with its speech.
  private final class Entry {
    let stream: ObservedStream
    let activity: VoiceActivity
    var stretches: SpeechStretches
    /// The position of its first sample; nil before that.
    var start: Int64?

    init(
      _ stream: ObservedStream, _ model: VoiceModel, _ threshold: SpeechThreshold,
      _ hold: TimePosition
    ) throws(AudioError) {
      self.stream = stream
      activity = try VoiceActivity(stream.format, model, isLive: stream.isLive)
      stretches = SpeechStretches(
        threshold, hold: hold.samples(at: stream.format.sampleRate))
    }
  }

  /// - Parameters:
  ///   - positions: the positions to observe at.
  ///   - model: the numbers of the network.
  ///   - threshold: the probabilities with which speech begins and ends.
  ///   - hold: the longest pause within one stretch of speech.
  ///   - parameters: the shape of the frames. Positions are in samples at their rate.
  ///   - receive: takes every beginning and end, on the session thread.
  public convenience init(
    _ positions: ObservationPositions, _ model: VoiceModel,
    threshold: SpeechThreshold = SpeechThreshold(), hold: TimePosition = SpeechStretches.usualHold,
    parameters: FrameParameters = FrameParameters(), receive: @escaping (SpeechChange) -> Void
  ) {
    self.init(positions, model, threshold, hold, parameters, to: nil, receive: receive)
  }

  /// Writes lines, too, described in `docs/events.md`.
  ///
  /// - Parameters:
  ///   - lines: flushed when the last stream has ended, since other streams may begin, and closed when the observer is
  ///     released.
  ///   - timing: gives the time of day of a sample of the session; nil if it is unknown.
  package init(
    _ positions: ObservationPositions, _ model: VoiceModel, _ threshold: SpeechThreshold,
    _ hold: TimePosition, _ asked: FrameParameters, to lines: BackgroundLines?,
    timing: @escaping SampleTiming = { _, _ in nil }, receive: @escaping (SpeechChange) -> Void
  ) {
    self.positions = positions
    self.model = model
    self.threshold = threshold
    self.hold = hold
    self.receive = receive
    self.lines = lines
    self.timing = timing
    self.asked = asked
  }

  deinit { lines?.release() }

  public func parameters(at position: ObservationPosition) -> FrameParameters { asked }

  /// - Throws: `unsupported` if the rate of the frames cannot be converted to 16 kHz.
  public func begin(_ stream: ObservedStream) throws(AudioError) {
    lines?.watch(stream.control.wakeup)
    streams[stream.identity] = try Entry(stream, model, threshold, hold)
  }

  public func observe<Sample: AudioSample>(
    _ frame: inout AudioFrame<Sample>, at position: ObservationPosition
  ) -> Bool {
    guard let entry = streams[StreamIdentity(of: frame, at: position)] else { return false }
    entry.start = entry.start ?? frame.samplePosition
    do throws(AudioError) {
      try entry.activity.process(frame.samples.span) { tell(entry.stretches.take($0), of: entry) }
    } catch {
      entry.stream.fail(error)
    }
    return false
  }

  /// Tells the end of speech that lasts to the end of the stream.
  ///
  /// - Throws: the error of a write. A reader that went away is no failure.
  public func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
    if let entry = streams.removeValue(forKey: stream.identity) {
      try entry.activity.finish { tell(entry.stretches.take($0), of: entry) }
      tell(entry.stretches.finish(), of: entry)
    }
    if let lines, streams.isEmpty { try lines.end(reason) }
  }

  private func tell(_ change: SpeechStretches.Change?, of entry: Entry) {
    guard let change else { return }
    let (stream, start) = (entry.stream, entry.start ?? 0)
    var told = SpeechChange(
      position: stream.position, key: stream.key, begins: true, samplePosition: start,
      sampleRate: stream.format.sampleRate)
    switch change {
    case .began(let sample): told.samplePosition += sample
    case .ended(let samples):
      told.begins = false
      told.samplePosition += samples.upperBound
      told.samplesPerChannel = samples.upperBound - samples.lowerBound
    }
    receive(told)
    guard let lines, isWanted else { return }
    isWanted = lines.take(told.line(timing(told.samplePosition, told.sampleRate)))
  }
}

extension SpeechChange {
  /// A line of JSON; `docs/events.md` describes its members.
  ///
  /// - Parameter time: the time of day of its position; nil if it is unknown.
  fileprivate func line(_ time: String?) -> JSONValue {
    func name(_ id: SourceID?) -> JSONValue { id.map { .string($0.description) } ?? .null }
    var members: JSONValue.Members = [
      ("schema", .integer(EventObserver.schemaVersion)), ("event", .string("voice")),
      ("position", .string(position.rawValue)), ("source", name(key?.id)),
      ("group", name(key?.group)), ("state", .string(begins ? "begin" : "end")),
      ("samplePosition", .integer(samplePosition)), ("sampleRate", .integer(Int64(sampleRate))),
    ]
    if let time { members.append(("time", .string(time))) }
    if !begins {
      members.append(("seconds", .rounded(Double(samplesPerChannel) / Double(sampleRate))))
    }
    return .object(members)
  }
}

extension VoiceObserver: TraitedObserver {
  package var traits: ObserverTraits { .hasOwnMode }
}
