// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioFiles
internal import AudioCore

/// A sink of a command's session. It is kept after the session, for its account.
final class SessionOutput {
  /// The kinds of sinks that have an account.
  enum Kind {
    /// Not made yet, or without an account.
    case plain
    case file(SoundFileSink)
    case parts(SplittingSink)
    /// A file that ffmpeg writes.
    case encoded(EncodedFileSink)
    case device(any LiveSink)
    /// The digest of samples that are dropped.
    case digest(DigestSink)
    /// A file, or the parts, of each channel.
    indirect case channels([Kind])
  }

  /// The choices from which the sink is made; may be changed until the session makes it.
  var setting: OutputSetting
  var name: String { setting.name }
  var request: OutputRequest { setting.request }
  var isRecording: Bool { setting.isRecording }
  /// The level that was reached; nil before the end.
  var levelOutcome: LevelOutcome? { levelled?.outcome }
  private var levelled: LevelledSink?
  /// The MD5 of the written samples in hexadecimal digits; nil if there is none.
  var digest: String? {
    switch kind {
    case .file(let file): file.sampleDigest?.hexadecimal.lowercased()
    case .digest(let sink): sink.sampleDigest?.hexadecimal.lowercased()
    case .plain, .parts, .encoded, .device, .channels: nil
    }
  }
  /// Asks for a new part; nil if the output has no parts.
  var partControl: SplittingSink.Control? { request.recording.names == nil ? nil : splitControl }
  let splitControl = SplittingSink.Control()
  /// Of the session that the output belongs to, once the sink is made.
  private(set) var control = SessionControl()
  let journal: RecordingJournal
  /// The times for which the device was away are no part of a recording in parts.
  let gaps = SkippingSink.Stretches()
  /// Gets the level of each tenth of a second, on the thread that writes; set before the session runs. Nil without
  /// alarms.
  var onLevel: (@Sendable (MonitoredLevel) -> Void)?
  /// Of the stream that is written, in hertz, once the session has started.
  private(set) var sampleRate = 1
  /// The sink, once it was made.
  var kind = Kind.plain
  /// The account of a live sink.
  var device: (any LiveSink)? { if case .device(let device) = kind { device } else { nil } }

  init(_ setting: OutputSetting) {
    self.setting = setting
    journal = RecordingJournal(of: setting.name, in: setting.request.recording.civilTime)
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

  private typealias Account = (clipped: Int, notANumber: Int, omissions: [Metadata.Omission])

  private var account: Account { Self.account(of: kind) }

  private static func account(of kind: Kind) -> Account {
    switch kind {
    case .plain: return (0, 0, [])
    case .file(let file):
      return (file.clippedSamples, file.notANumberSamples, file.metadataOmissions)
    case .parts(let parts):
      return (parts.clippedSamples, parts.notANumberSamples, parts.metadataOmissions)
    case .encoded(let file):
      return (file.clippedSamples, file.notANumberSamples, file.metadataOmissions)
    case .device(let device):
      return (Int(device.statistics.samplesClipped), Int(device.statistics.samplesNotNumbers), [])
    case .digest(let sink): return (sink.clippedSamples, sink.notANumberSamples, [])
    case .channels(let kinds):
      return kinds.reduce(into: (0, 0, [])) { sum, kind in
        let account = account(of: kind)
        sum.clipped += account.clipped
        sum.notANumber += account.notANumber
        sum.omissions += account.omissions.filter { !sum.omissions.contains($0) }
      }
    }
  }

  /// Samples that were beyond full scale and saturated.
  var clippedSamples: Int { account.clipped }

  var notANumberSamples: Int { account.notANumber }

  /// The metadata that is not in the file.
  var metadataOmissions: [Metadata.Omission] { account.omissions }

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
    put(position, at: sampleRate, label: label, into: kind)
  }

  private func put(_ position: Int64, at sampleRate: Int, label: String, into kind: Kind) {
    let joinsEvents = request.recording.trigger != nil
    switch kind {
    case .file(let file) where !joinsEvents: file.mark(position, at: sampleRate, label: label)
    case .parts(let parts) where !joinsEvents || request.recording.limits.contains(.event):
      parts.mark(position, at: sampleRate, label: label)
    case .channels(let kinds):
      for kind in kinds { put(position, at: sampleRate, label: label, into: kind) }
    case .plain, .file, .parts, .encoded, .device, .digest: break
    }
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

  private var isInParts: Bool {
    switch kind {
    case .parts, .channels: request.recording.names != nil
    default: false
    }
  }

  /// The format of the file; nil if the output is not a file.
  var soundFileFormat: FileFormat? { Self.soundFileFormat(of: kind) }

  private static func soundFileFormat(of kind: Kind) -> FileFormat? {
    switch kind {
    case .file(let file): file.fileFormat
    case .parts(let parts): parts.fileFormat
    case .channels(let kinds): kinds.first.flatMap(soundFileFormat)
    case .plain, .encoded, .device, .digest: nil
    }
  }

  /// The encoding of the samples in the file, or in the digest of dropped ones; nil if there is neither.
  var encoding: SampleEncoding? {
    if case .digest(let sink) = kind { sink.encoding } else { soundFileFormat?.encoding }
  }

  /// The samples, over all channels, that a pipe gets in one write; nil if they go out as they come.
  var samplesPerWrite: Int? {
    guard case .file(let file) = kind, file.writesPieces else { return nil }
    return file.samplesPerWrite
  }

  private var encodedContainer: EncodedContainer? {
    if case .encoded(let file) = kind { file.container } else { nil }
  }

  var isSoundFile: Bool { soundFileFormat != nil || encodedContainer != nil }

  var encoderNotes: [String] {
    guard let container = encodedContainer else { return [] }
    let change = container.replaced.map {
      "the sound of '\(name)' is \(container.codec) now, and was \($0)"
    }
    return [change, container.delayNote(for: name), filmNote].compactMap { $0 }
  }

  /// The note about a sound that was put into a video of another length; nil if they differ by at most a second.
  private var filmNote: String? {
    guard request.film != nil, case .encoded(let file) = kind,
      let excess = file.excessOverPictures, abs(excess) > 1
    else { return nil }
    return
      "the sound of '\(name)' is \(abs(excess).decimal(1)) s \(excess > 0 ? "longer" : "shorter") than the pictures"
  }

  /// The format of the file as text: "wav, s16"; nil if the output is not a file.
  var fileFormat: String? {
    if let container = encodedContainer { return "\(container.name), \(container.codec)" }
    return soundFileFormat.map { "\($0.container.rawValue), \($0.encoding.rawValue)" }
  }
}

extension SessionOutput {
  /// Makes the sink, once the session knows its sources, for a session that `control` belongs to.
  fileprivate func make(
    _ sources: SinkRequest, _ control: SessionControl
  ) throws(AudioError) -> any AudioSink {
    self.control = control
    let (sink, kind) = try assemble(sources)
    self.kind = kind
    let noting = RateNotingSink(sink) { [unowned self] in sampleRate = $0 }
    guard let target = setting.levelTarget else { return setting.pieces == nil ? sink : noting }
    let levelled = LevelledSink(
      setting.pieces == nil ? sink : noting, target, layout: sources.metadata?.channelLayout,
      name: name)
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
  func follow(as sink: SessionSummary.Sink, telling inbox: RunInbox) {
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
