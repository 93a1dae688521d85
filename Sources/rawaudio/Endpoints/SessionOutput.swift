// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioFiles
internal import AudioCore

/// A sink of a command's session. It is kept after the session, for its account.
final class SessionOutput {
  /// The choices from which the sink is made; may be changed until the session makes it.
  var setting: OutputSetting
  var name: String { setting.name }
  var request: OutputRequest { setting.request }
  var isRecording: Bool { setting.isRecording }
  /// The level that was reached; nil before the end.
  var levelOutcome: LevelOutcome? { levelled?.outcome }
  private(set) var levelled: LevelledSink?
  /// The MD5 of the written samples in hexadecimal digits; nil if there is none.
  var digest: String? { account?.sampleDigest?.hexadecimal.lowercased() }
  /// Asks for a new part; nil if the output has no parts.
  var partControl: SplittingSink.Control? { request.recording.names == nil ? nil : splitControl }
  let splitControl = SplittingSink.Control()
  /// Of the session that the output belongs to, once the sink is made.
  var control = SessionControl()
  let journal: RecordingJournal
  /// The clock of the session; set before it runs.
  var clock = RunClock()
  /// The times for which the device was away are no part of a recording in parts.
  let gaps = SkippingSink.Stretches()
  /// Those of the stream that may have given samples.
  let sources = AwaitedSink.Sources()
  /// Gets the level of each tenth of a second, on the thread that writes; set before the session runs. Nil without
  /// alarms.
  var onLevel: (@Sendable (MonitoredLevel) -> Void)?
  /// The command of --on-part; set before the session runs. Nil if there is none.
  var partWork: (any PartWork)?
  /// Of the stream that is written, in hertz, once the session has started.
  private(set) var sampleRate = 1
  /// The account of the sink. Nil before the session makes it.
  var account: (any SinkAccount)?
  /// The coding of the sources whose bit rate the output is to keep; nil if there is none.
  var kept: LossyCoding?
  /// The lossy encoding of the sources that the file could have and has not; nil if there is none.
  var decoded: SampleEncoding?
  /// The sink, if it is live.
  var device: (any LiveSink)?

  init(_ setting: OutputSetting) {
    self.setting = setting
    journal = RecordingJournal(of: setting.name, in: setting.request.recording.civilTime)
    if !setting.canCheckLevel, setting.levelTarget?.isOfCodec == true {
      self.setting.levelTarget = nil
    } else if let limit = setting.limit, setting.levelTarget == nil, setting.canCheckLevel {
      self.setting.levelTarget = LevelTarget(limiter: limit.setting)
    }
    if setting.liveness == .live, setting.request.recording.names == nil {
      // Without --split it is cut by the signal only.
      self.setting.request.recording.names = setting.request.sink.partNames(
        in: setting.request.recording.civilTime)
    }
  }

  /// Why SIGUSR1 begins no new file; nil if it does.
  var refusalOfParts: String? {
    if partControl != nil { return nil }
    guard let path = request.sink.ownPath else { return "'\(name)' is no file" }
    return setting.liveness == .live
      ? "'\(path)' is no pattern; a name such as take-%03d.wav is one"
      : "'\(path)' is no recording; without a device there has to be --split"
  }

  /// Samples that were beyond full scale and saturated.
  var clippedSamples: Int { account?.clippedSamples ?? 0 }

  var notANumberSamples: Int { account?.notANumberSamples ?? 0 }

  /// The metadata that is not in the file.
  var metadataOmissions: [Metadata.Omission] { account?.metadataOmissions ?? [] }

  var keepsNotANumber: Bool {
    encoding == .f32 || encoding == .f64
  }

  /// Puts a mark into the file, if its container has marks. Does nothing if a trigger joins events in one
  /// file, because the position may not be in the file.
  ///
  /// - Parameters:
  ///   - position: in samples per channel of the stream, at `sampleRate`.
  ///   - sampleRate: in hertz.
  ///   - label: one line of text.
  func mark(_ position: Int64, at sampleRate: Int, label: String) {
    let joinsEvents = request.recording.trigger != nil
    guard !joinsEvents || isInParts && request.recording.limits.contains(.event) else { return }
    account?.mark(position, at: sampleRate, label: label)
  }

  /// Ends the part and skips the silence that follows: the only device that feeds the output is lost. A trigger lets no
  /// silence through anyway.
  ///
  /// - Parameter position: in samples per channel of the stream, at `sampleRate`.
  func beginGap(at position: Int64, _ sampleRate: Int) { gaps.begin(at: position, sampleRate) }

  /// The device is back, and its first sample stands at this position.
  func endGap(at position: Int64) { gaps.end(at: position) }

  /// Whether the time for which its only device is away is left out.
  var leavesGapsOut: Bool {
    isInParts && setting.liveness == .live && request.recording.last == nil
  }

  private var isInParts: Bool { account?.isInParts ?? false }

  /// Whether a recording got no sample, and so left no file.
  var leftNoFile: Bool { account?.leftNoFile ?? false }

  /// Whether only some of the samples are kept, for example those of sounds.
  var choosesSamples: Bool {
    request.recording.trigger != nil || request.recording.last != nil
  }

  /// The format of the file; nil if the output is not a file.
  var soundFileFormat: FileFormat? { account?.soundFileFormat }

  /// The encoding of the samples in the file, or in the digest of dropped ones; nil if there is neither.
  var encoding: SampleEncoding? { account?.writtenEncoding }

  /// The samples, over all channels, that a pipe gets in one write; nil if they go out as they come.
  var samplesPerWrite: Int? { account?.samplesPerPiece }

  var isSoundFile: Bool { soundFileFormat != nil || account?.foreignFormat != nil }

  var encoderNotes: [String] {
    guard let container = account?.encodedFile?.container else {
      return (account?.notes(of: name) ?? []) + [decodingNote].compactMap { $0 }
    }
    let change = container.replaced.map {
      "the sound of '\(name)' is \(container.codec) now, and was \($0)"
    }
    let subtitles = account?.encodedFile?.subtitleConversions ?? []
    return subtitles.map { "the subtitles of '\(name)' are \($0)" }
      + [change, container.delayNote(for: name), filmNote, otherFilmsNote].compactMap { $0 }
  }

  private var decodingNote: String? {
    guard let decoded = decoded?.rawValue, let encoding = encoding?.rawValue else { return nil }
    return
      "'\(name)' is \(encoding) now, and its source \(decoded); -f \(decoded) encodes it again"
  }

  /// The note about a sound that was put into a video of another length; nil if they differ by at most a second.
  private var filmNote: String? {
    guard request.film != nil || setting.isSum,
      let excess = account?.encodedFile?.excessOverPictures,
      abs(excess) > 1
    else { return nil }
    return
      "the sound of '\(name)' is \(abs(excess).decimal(1)) s \(excess > 0 ? "longer" : "shorter") than the pictures"
  }

  /// The note about videos of a mix whose pictures the output lacks; nil if there are none.
  private var otherFilmsNote: String? {
    guard account?.encodedFile?.isFilm == true, let film = setting.filmInput?.film else {
      return nil
    }
    var known: Set = [film]
    let others = setting.films.filter { known.insert($0).inserted }
    guard !others.isEmpty else { return nil }
    let names = others.map { "'\($0)'" }.joinedAsList
    return "the pictures of '\(name)' are those of '\(film)'; those of \(names) are left out"
  }

  /// The format of the file as text: "wav, s16"; nil if the output is not a file.
  var fileFormat: String? {
    if let format = account?.foreignFormat { return "\(format.container), \(format.codec)" }
    return soundFileFormat.map { "\($0.container.rawValue), \($0.encoding.rawValue)" }
  }
}

extension SessionOutput {
  /// Makes the sink, once the session knows its sources, for a session that `control` belongs to.
  fileprivate func make(
    _ sources: SinkRequest, _ control: SessionControl
  ) throws(AudioError) -> any AudioSink {
    self.control = control
    let (sink, account) = try assemble(sources)
    self.account = account
    let noting = RateNotingSink(sink) { [unowned self] in sampleRate = $0 }
    guard let target = setting.levelTarget else { return setting.pieces == nil ? sink : noting }
    let levelled = LevelledSink(
      setting.pieces == nil ? sink : noting, target, layout: sources.metadata?.channelLayout,
      precision: setting.checksLevel ? .single : .double, name: name)
    self.levelled = levelled
    return levelled
  }
}

extension Session {
  func setSink(_ place: SinkPlace, _ output: SessionOutput) throws(AudioError) {
    try setSink(place) { [control] (sources) throws(AudioError) in
      try output.make(sources, control)
    }
  }
}

/// The reports of a recording.
extension SessionOutput {
  /// The zone of all times of day.
  var civilTime: CivilTime { request.recording.civilTime }

  /// The note if a trigger let nothing through; nil if it did, or if there is none.
  var silenceNote: String? {
    guard let trigger = request.recording.trigger, journal.eventTotals.count == 0 else {
      return nil
    }
    let reason = "nothing reached the threshold of \(trigger.threshold) dB"
    return request.recording.limits.contains(.event)
      ? "no part was written: \(reason)" : "'\(name)' holds no sample: \(reason)"
  }

  /// The samples that a trigger let through, as text; nil without one.
  var triggerSummary: String? {
    guard request.recording.trigger != nil else { return nil }
    let (count, kept) = journal.eventTotals
    return "\(count.counted("event")), \(kept) samples per channel kept"
  }

  /// Sends all further reports of the recording to `inbox`, on the writer's thread.
  func follow(as sink: SessionSummary.Sink, telling inbox: CrossThreadEvents) {
    journal.follow(as: sink, telling: inbox)
  }

  /// The first parts that are complete; nil if the output is not split.
  var completedParts: [SplittingSink.Part]? { isInParts ? journal.parts : nil }

  /// The count of complete parts; nil if the output is not split.
  var completedPartCount: Int? { isInParts ? journal.partCount : nil }

  var lastPart: SplittingSink.Part? { journal.lastPart }

  var eventCount: Int { journal.eventTotals.count }

  /// The first events that are over; nil without a trigger.
  var events: [TriggeredSink.Event]? { request.recording.trigger == nil ? nil : journal.events }
}
