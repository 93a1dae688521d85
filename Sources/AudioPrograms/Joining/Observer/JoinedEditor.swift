// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// A client that edits: it answers every frame with an edited one. A stage in each stream that it observes.
///
/// Every sample is delayed by the length of a frame and the client's latency. A sample without an answer by then
/// passes unchanged and is counted. The session does not wait for the client. Session thread only.
final class JoinedEditor: StageObserver, TraitedObserver {
  private let sender: FrameSender
  private let inbox: AnswerInbox
  private let counts: EditCounts
  private let patience: EditorPatience

  /// - Parameters:
  ///   - share: the client's grant; nil if samples are not counted.
  ///   - patience: shared with the other editors.
  init(
    _ request: ObserveRequest, _ outbox: FrameOutbox, _ inbox: AnswerInbox, _ counts: EditCounts,
    _ share: SampleShare? = nil, patience: EditorPatience = EditorPatience()
  ) {
    sender = FrameSender(request, outbox, share)
    self.inbox = inbox
    self.counts = counts
    self.patience = patience
  }

  var traits: ObserverTraits { .hasOwnShape }
  var positions: ObservationPositions { ObservationPositions(sender.request.position) }

  func parameters(at position: ObservationPosition) -> FrameParameters { sender.request.parameters }

  func holdBack(_ shape: FrameShape) -> Int { sender.request.holdBack(shape) }

  func stage<Sample: AudioSample>(
    _ setting: StageSetting<Sample>
  ) throws(AudioError) -> any ObservingStage<Sample> {
    try JoinedEditorStage(setting, sender, inbox, counts, patience)
  }
}

extension ObserveRequest {
  /// The delay of a stream behind an editor, in samples per channel of `shape`.
  func holdBack(_ shape: FrameShape) -> Int {
    // The lead of a source leaves the client no time, so it is added.
    let time = Duration.milliseconds(latency) + JoinedSource.lead
    return shape.samplesPerCall / shape.format.channelCount
      + Int(TimePosition.time(time).samples(at: shape.format.sampleRate))
  }
}

/// The late and the discarded samples of a client's edits, per channel at its rate. Any thread.
final class EditCounts: Sendable {
  fileprivate let late = RunningCount()
  fileprivate let discarded = RunningCount()

  /// Samples that passed unchanged for lack of an answer.
  var lateSamples: Int64 { late.total }
  /// Samples of answers that came too late.
  var discardedSamples: Int64 { discarded.total }
}

/// The most time for which all editors together may delay the session at the ends of streams: a tenth of the time,
/// and 40 ms at once. Session thread.
final class EditorPatience: Sendable {
  /// The time until which the waits so far count, each for ten times its length.
  private let spent = Atomic(0)
  private static let most = 400_000_000

  /// Whether the session may wait another millisecond.
  func mayWait(at now: MonotonicTime) -> Bool {
    let begin = max(spent.load(ordering: .relaxed), now.nanoseconds)
    guard begin - now.nanoseconds < Self.most else { return false }
    spent.store(begin + 10_000_000, ordering: .relaxed)
    return true
  }
}

private final class JoinedEditorStage<Sample: AudioSample>: ObservingStage {
  private let setting: StageSetting<Sample>
  private let sender: FrameSender
  private let inbox: AnswerInbox
  private let counts: EditCounts
  private let patience: EditorPatience
  private let conversion: Chain<Sample>
  private let stream: RoundTripStream<Sample>
  /// The converted samples that were not sent: less than a frame.
  private let gathered = SampleQueue<Sample>()
  /// The bytes of an incomplete sample frame of an answer.
  private var stray: [UInt8] = []
  /// Samples per channel that were sent or skipped.
  private var position: Int64 = 0
  private var handed: Int64 = 0
  private let latency: Int64
  private var isGranted = false
  private var counted: (late: Int64, discarded: Int64) = (0, 0)

  init(
    _ setting: StageSetting<Sample>, _ sender: FrameSender, _ inbox: AnswerInbox,
    _ counts: EditCounts, _ patience: EditorPatience
  ) throws(AudioError) {
    self.setting = setting
    self.sender = sender
    self.inbox = inbox
    self.counts = counts
    self.patience = patience
    latency = Int64(sender.request.holdBack(setting.shape))
    conversion = Chain(format: setting.inputFormat, setting.inputLayout)
    try conversion.convert(to: setting.shape.format, with: setting.filters)
    stream = RoundTripStream(channelCount: setting.shape.format.channelCount)
  }

  var inputFormat: StreamFormat { setting.inputFormat }
  var outputFormat: StreamFormat { setting.shape.format }
  private var channelCount: Int { setting.shape.format.channelCount }

  /// A refused stream ends the whole client, for each of its streams is converted while it edits.
  func begin() {
    isGranted = sender.begin(setting.stream)
    if !isGranted { inbox.giveUp() }
  }

  var isActive: Bool { inbox.isOpen }
  var nextPosition: Int64 { setting.firstPosition + stream.emitted }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError) {
    conversion.input.append(input)
    try conversion.run()
    sendFrames()
    collect()
    emit(upTo: stream.arrived - latency, into: output)
  }

  func finish(into output: SampleQueue<Sample>) throws(AudioError) {
    try conversion.end()
    sendFrames()
    if !gathered.isEmpty { hand(gathered.count) }
    if isGranted { sender.end(setting.stream.identity, setting.shape.format) }
    // The last frames have just left. The wait is short because it delays the whole session.
    for _ in 0..<Self.lastWait {
      collect()
      guard stream.isAnswerMissing(upTo: stream.arrived), inbox.isOpen,
        setting.stream.control.request != .abandon,
        patience.mayWait(at: .now)
      else { break }
      usleep(1_000)
    }
    emit(upTo: stream.arrived, into: output)
  }

  /// In milliseconds.
  private static var lastWait: Int { 20 }

  func end(_ reason: StopReason) {}

  private func sendFrames() {
    let converted = conversion.output
    stream.take(converted.readable)
    converted.move(converted.count, to: gathered)
    while gathered.count >= setting.shape.samplesPerCall { hand(setting.shape.samplesPerCall) }
  }

  /// Sends the oldest `sampleCount` samples, across all channels.
  private func hand(_ sampleCount: Int) {
    let length = Int64(sampleCount / channelCount)
    let identity = setting.stream.identity
    let gathered = gathered
    let isTaken =
      inbox.isOpen
      && sender.send(
        gathered.readable.extracting(first: sampleCount), of: identity, setting.shape.format,
        at: setting.firstPosition + position, isPartial: sampleCount < setting.shape.samplesPerCall
      ) { byteCount in inbox.expect(byteCount, for: identity) }
    if isTaken { handed += length } else { stream.skip(length, after: handed) }
    position += length
    gathered.consume(sampleCount)
  }

  private func collect() {
    let layout = sender.request.layout
    let new = inbox.take(setting.stream.identity)
    if new.isEmpty { return }
    let bytes = stray.isEmpty ? new : stray + new
    let size = layout.bytesPerSample * channelCount
    let whole = bytes.count / size * size
    stream.answers.append(atMost: whole / layout.bytesPerSample) { output in
      unsafe Sample.decode(bytes.span.bytes.extracting(first: whole), as: layout, into: &output)
    }
    stray = Array(bytes[whole...])
  }

  private func emit(upTo due: Int64, into output: SampleQueue<Sample>) {
    stream.emit(upTo: due, into: output)
    counts.late.add(stream.late - counted.late)
    counts.discarded.add(stream.discarded - counted.discarded)
    counted = (stream.late, stream.discarded)
  }
}
