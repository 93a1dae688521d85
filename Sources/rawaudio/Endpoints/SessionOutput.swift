// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// A sink of a command's session: its plan, the choices that follow from the inputs, and the account of the sink that is
/// made of them. It is kept after the session. What it is made of may be changed until the session makes the sink.
final class SessionOutput {
  private(set) var plan: OutputPlan
  /// The files and devices whose sound the output gets.
  let inputs: [SessionInput]
  /// The liveness of the sources.
  let liveness: Liveness
  let dither: Dither
  /// The level behind everything else; nil = as it comes.
  let levelTarget: LevelTarget?
  /// The limiter of the line. Nil if there is none.
  let limit: LimitRequest?
  /// The request to a live end.
  var deviceRequest = DeviceRequest()
  /// Whether a file may be encoded by a thread of its own; nil = yes.
  var workers: WorkerAllowance?
  /// Whether files state when they were recorded: now.
  var tellsOrigin = false
  /// The moment of the first sample, in nanoseconds since 1970, if the line asks for it by the clock. Files state it
  /// unless their source does.
  var startTime: Int64?
  /// The loudness of the source, and the gain that follows from it; nil if it was not asked for.
  var levelling: Levelling?
  /// The change of the level altogether, in decibels.
  var gain = 0.0
  /// The time that the name of the only source states. Nil if none, or if its first sample is not that of the output.
  var namedTime: RecordedTime?
  /// Whether the output is the sum of its inputs: then the pictures of the first video among them may go along.
  var isSum = false
  /// Gets each complete piece of the output. Nil if nothing needs them.
  var pieces: PieceCollector?
  /// Returns the names of all channels, once the sources are open. Nil if the file's metadata name them.
  var trackNames: (() throws(AudioError) -> [String])?
  /// Whether the MD5 of the samples is wanted.
  var digestsSamples = false
  /// The clock of the session; set before it runs.
  var clock = RunClock()
  /// Gets the level of each tenth of a second, on the thread that writes; set before the session runs. Nil without
  /// alarms.
  var onLevel: (@Sendable (MonitoredLevel) -> Void)?
  /// The command of --on-part; set before the session runs. Nil if there is none.
  var partWork: (any PartWork)?

  /// Of the session that the output belongs to, once the sink is made.
  var control = SessionControl()
  /// Of the sink, once the session has made it.
  var account: any SinkAccount = EmptyAccount()
  /// The sink, if it is live.
  var device: (any LiveSink)?
  private var levelled: LevelledSink?
  /// The coding of the sources whose bit rate the output is to keep; nil if there is none.
  private var kept: LossyCoding?
  /// The lossy encoding of the sources that the file could have and has not; nil if there is none.
  private var decoded: SampleEncoding?
  /// Of the stream that is written, in hertz, once the session has started.
  private(set) var sampleRate = 1
  let splitControl = SplittingSink.Control()
  let journal: RecordingJournal
  /// The times for which the device was away are no part of a recording in parts.
  let gaps = SkippingSink.Stretches()
  /// Those of the stream that may have given samples.
  let sources = AwaitedSink.Sources()

  init(
    _ plan: OutputPlan, from inputs: [SessionInput], _ liveness: Liveness, dither: Dither,
    levelTarget: LevelTarget? = nil, limit: LimitRequest? = nil
  ) {
    (self.inputs, self.liveness, self.dither, self.limit) = (inputs, liveness, dither, limit)
    var (plan, target) = (plan, levelTarget)
    let canCheck = plan.canCheckLevel(of: liveness)
    if !canCheck, target?.isOfCodec == true {
      target = nil
    } else if let limit, target == nil, canCheck {
      target = LevelTarget(limiter: limit.setting)
    }
    self.levelTarget = target
    let civilTime = plan.recording.civilTime
    if liveness == .live, plan.recording.names == nil {
      // Without --split it is cut by the signal only.
      plan.recording.names = plan.sink.partNames(in: civilTime)
    }
    checksLevel = target != nil && canCheck
    journal = RecordingJournal(of: plan.sink.name, in: civilTime)
    self.plan = plan
  }

  /// Whether the file is decoded once it is complete, and written again if its level is wrong.
  let checksLevel: Bool
  var name: String { plan.sink.name }
  /// Whether the samples outlive an interruption: they cannot be had again.
  var isRecording: Bool { liveness != .none }
  /// The only input, if there are no more.
  var input: SessionInput? { inputs.count == 1 ? inputs.first : nil }
  /// The paths of the inputs with moving pictures.
  var videos: [String] { inputs.compactMap(\.video) }
  /// The input whose pictures go along if the output is a video.
  var videoInput: SessionInput? {
    isSum ? inputs.first { $0.video != nil } : input.flatMap { $0.video == nil ? nil : $0 }
  }
  /// Whether the file is to have texts that the line asks for.
  var setsTexts: Bool { plan.metadata.setsTexts || levelling?.request.tags ?? false }
  /// The level that was reached; nil before the end.
  var levelOutcome: LevelOutcome? { levelled?.outcome }
  /// The limiter that works while the stream goes by. Nil if there is none, or if the output waits for its level.
  var passingLimit: LimitRequest? { levelTarget == nil ? limit : nil }
  /// Whether a codec may exceed the limit, and its file was not decoded.
  var mayExceedLimit: Bool { limit != nil && plan.isLossy && !checksLevel }
  /// Asks for a new part; nil if the output has no parts.
  var partControl: SplittingSink.Control? { plan.recording.names == nil ? nil : splitControl }

  /// Why SIGUSR1 begins no new file; nil if it does.
  var refusalOfParts: String? {
    if partControl != nil { return nil }
    guard let path = plan.sink.ownPath else { return "'\(name)' is no file" }
    return liveness == .live
      ? "'\(path)' is no pattern; a name such as take-%03d.wav is one"
      : "'\(path)' is no recording; without a device there has to be --split"
  }

  var keepsNotANumber: Bool { [.f32, .f64].contains(account.writtenEncoding) }

  /// Puts a mark into the file, if its container has marks. Does nothing if a trigger joins events in one
  /// file, because the position may not be in the file.
  ///
  /// - Parameters:
  ///   - position: in samples per channel of the stream, at `sampleRate`.
  ///   - sampleRate: in hertz.
  ///   - label: one line of text.
  func mark(_ position: Int64, at sampleRate: Int, label: String) {
    let joinsEvents = plan.recording.trigger != nil
    guard !joinsEvents || account.isInParts && plan.recording.limits.contains(.event) else {
      return
    }
    account.mark(position, at: sampleRate, label: label)
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
    account.isInParts && liveness == .live && plan.recording.last == nil
  }

  /// Whether only some of the samples are kept, for example those of sounds.
  var choosesSamples: Bool {
    plan.recording.trigger != nil || plan.recording.last != nil
  }

  var isSoundFile: Bool { account.soundFileFormat != nil || account.foreignFormat != nil }

  var encoderNotes: [String] {
    guard let container = account.encodedFile?.container else {
      return account.notes(of: name) + [decodingNote].compactMap { $0 }
    }
    let change = container.replaced.map {
      "the sound of '\(name)' is \(container.codec) now, and was \($0)"
    }
    let subtitles = account.encodedFile?.subtitleConversions ?? []
    return subtitles.map { "the subtitles of '\(name)' are \($0)" }
      + [change, container.delayNote(for: name), videoNote, otherVideosNote].compactMap { $0 }
  }

  private var decodingNote: String? {
    guard let decoded = decoded?.rawValue, let encoding = account.writtenEncoding?.rawValue else {
      return nil
    }
    return
      "'\(name)' is \(encoding) now, and its source \(decoded); -f \(decoded) encodes it again"
  }

  /// The note about a sound that was put into a video of another length; nil if they differ by at most a second.
  private var videoNote: String? {
    guard plan.video != nil || isSum,
      let excess = account.encodedFile?.excessOverPictures,
      abs(excess) > 1
    else { return nil }
    return
      "the sound of '\(name)' is \(abs(excess).decimal(1)) s \(excess > 0 ? "longer" : "shorter") than the pictures"
  }

  /// The note about videos of a mix whose pictures the output lacks; nil if there are none.
  private var otherVideosNote: String? {
    guard account.encodedFile?.isVideo == true, let video = videoInput?.video else {
      return nil
    }
    var known: Set = [video]
    let others = videos.filter { known.insert($0).inserted }
    guard !others.isEmpty else { return nil }
    let names = others.map { "'\($0)'" }.joinedAsList
    return "the pictures of '\(name)' are those of '\(video)'; those of \(names) are left out"
  }

  /// The format of the file as text: "wav, s16"; nil if the output is not a file.
  var fileFormat: String? {
    if let format = account.foreignFormat { return "\(format.container), \(format.codec)" }
    return account.soundFileFormat.map { "\($0.container.rawValue), \($0.encoding.rawValue)" }
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
    let noting = NotingSink(sink, onFormat: { [unowned self] in sampleRate = $0.sampleRate })
    guard let target = levelTarget else { return pieces == nil ? sink : noting }
    let levelled = LevelledSink(
      pieces == nil ? sink : noting, target, layout: sources.metadata?.channelLayout,
      precision: checksLevel ? .single : .double, name: name)
    self.levelled = levelled
    return levelled
  }
}

extension Session {
  func setSink(_ output: SessionOutput, at place: SinkPlace) throws(AudioError) {
    try setSink(at: place) { [control] (sources) throws(AudioError) in
      try output.make(sources, control)
    }
  }
}

/// The reports of a recording.
extension SessionOutput {
  /// The zone of all times of day.
  var civilTime: CivilTime { plan.recording.civilTime }

  /// The note if a trigger let nothing through; nil if it did, or if there is none.
  var silenceNote: String? {
    guard let trigger = plan.recording.trigger, journal.eventTotals.count == 0 else {
      return nil
    }
    let reason = trigger.sound.missing
    return plan.recording.limits.contains(.event)
      ? "no part was written: \(reason)" : "'\(name)' holds no sample: \(reason)"
  }

  /// The samples per channel that a trigger let through; nil without one.
  var triggeredSamplesPerChannel: Int64? {
    plan.recording.trigger == nil ? nil : journal.eventTotals.samplesPerChannel
  }

  /// The samples that a trigger let through, as text; nil without one.
  var triggerSummary: String? {
    guard plan.recording.trigger != nil else { return nil }
    let (count, kept) = journal.eventTotals
    return "\(count.counted("event")), \(kept) samples per channel kept"
  }

  /// Sends all further reports of the recording to `inbox`, on the writer's thread.
  func follow(as sink: SessionSummary.Sink, telling inbox: CrossThreadEvents) {
    journal.follow(as: sink, telling: inbox)
  }

  /// The first parts that are complete; nil if the output is not split.
  var completedParts: [SplittingSink.Part]? { account.isInParts ? journal.parts : nil }

  /// The count of complete parts; nil if the output is not split.
  var completedPartCount: Int? { account.isInParts ? journal.partCount : nil }

  /// The first events that are over; nil without a trigger.
  var events: [TriggeredSink.Event]? { plan.recording.trigger == nil ? nil : journal.events }
}

/// Chooses the format of a file, and the settings of its codec.
extension SessionOutput {
  /// The container for the extension of the output's name. WAV without an extension.
  ///
  /// - Throws: `unsupported` for an unknown extension.
  private func container(byNameOf path: String) throws(AudioError) -> Container {
    do throws(AudioError) {
      return try Container(outputPath: path)
    } catch {
      var error = error
      error.advice =
        adviceOnVideos(path) ?? Container.advice(forOutput: path, video: input?.video)
        ?? "say which with --type"
      throw error
    }
  }

  /// The advice if a video of several inputs cannot be written. Nil without one.
  private func adviceOnVideos(_ path: String) -> String? {
    guard inputs.count > 1, !videos.isEmpty, Container.isVideo(path) else {
      return nil
    }
    return isSum
      ? "the pictures go along into mp4, mov, mkv and webm"
      : "videos are not joined; write the sound alone, such as to sound.m4a"
  }

  /// The format that was asked for; else the container by the file's name and the encoding by the sources.
  func format(
    _ path: String, _ sources: SinkRequest
  ) throws(AudioError) -> FileFormat {
    let container =
      if let asked = plan.container { asked } else {
        try container(byNameOf: plan.typedName(path))
      }
    let format: FileFormat
    if let encoding = plan.encoding {
      format = try FileFormat(
        container, encoding.encoding, byteOrder: encoding.byteOrder, isPadded: encoding.isPadded)
    } else {
      let stored = SampleEncoding.widest(sources.encodings)
      format = try FileFormat(container, for: stored)
      let isOfSource = inputs.contains { $0.file?.soundFile.container == container }
      if isOfSource, stored.isLossy, stored != format.encoding, container.canWrite(stored) {
        decoded = stored
      }
    }
    return try format.encoded(with: encoder(for: format.encoding.lossyCodec))
  }

  /// The settings of the line. Without a bit rate or quality there, they keep the rate of the sources, or of the sound
  /// that is replaced.
  ///
  /// - Parameters:
  ///   - codec: ffmpeg's name of it. Nil for an encoding without bit rates.
  ///   - video: the video whose sound is replaced. Nil if there is none.
  func encoder(
    for codec: String?, replacingSoundOf video: VideoTarget? = nil
  ) throws(AudioError) -> EncoderSettings {
    var settings = plan.encoder
    guard let codec, settings.bitRate == nil, settings.quality == nil else { return settings }
    if let video {
      settings.kept = codec == video.codec ? try video.lossyCoding(until: control) : nil
    } else {
      let files = inputs.compactMap(\.file)
      settings.kept = .highest(
        of: try files.map { (file) throws(AudioError) in try file.lossyCoding() }, in: codec)
    }
    kept = settings.kept
    return settings
  }

  /// The note about a bit rate that the output could not keep; nil if it has the source's.
  ///
  /// - Parameter format: of the output.
  func bitRateNote(_ format: StreamFormat) -> String? {
    guard let kept, let reached = try? kept.reached(in: format) else { return nil }
    let (had, has) = (kept.kilobits, LossyCoding.kilobits(reached))
    return had == has
      ? nil
      : "'\(name)' has \(has) kbit/s, and its source \(had): \(kept.codec) goes no nearer at"
        + " \(format)"
  }
}

/// The level behind a codec that changes samples: such a file is decoded, and written again if its level is wrong.
extension SessionOutput {
  /// Decides whether a complete file keeps the level that it is to have.
  ///
  /// - Parameter track: of its sound.
  func keepsLevel(_ file: FileDescriptor, track: Int = 1) throws(AudioError) -> Bool {
    guard let levelled, checksLevel else { return true }
    let source = FileSource(path: file.pathForOthers)
    source.track = .number(track)
    let sink = SoundMeterSink(measures: [.loudness, .truePeak]) { levelled.layout }
    let session = Session()
    if let workers { session.workers = workers }
    try session.setLocal(source)
    try session.setSink(sink, at: .publish)
    // Its meter reads more than BS.1770 requires, as other programs do.
    let limiter = try limit.map { (request) throws(AudioError) in
      try LimiterObserver(
        .record,
        limit: min(request.limit + LimiterSetting.margin, LimiterObserver.limits.upperBound),
        parameters: FrameParameters(mode: .readOnly))
    }
    if let limiter { try session.register(limiter) }
    _ = try session.run()
    return sink.measurement.map {
      levelled.accepts($0, beyondLimit: limiter?.largestReduction)
    } ?? true
  }
}

extension OutputPlan {
  /// Whether the output is a single file behind a codec that changes samples, and no device is waiting.
  func canCheckLevel(of liveness: Liveness) -> Bool {
    guard isLossy, liveness != .live, case .file(let path) = sink else { return false }
    return recording.names == nil && recording.cuts == nil && recording.trigger == nil
      && recording.last == nil && !recording.splitsChannels && isRegularFile(path) ?? true
  }

  /// Whether the codec of a file or stream changes samples.
  var isLossy: Bool {
    let path: String
    switch sink {
    case .file(let file): path = file
    case .standardOutput: path = "-"
    case .end: return false
    }
    if container == nil {
      // A video has AAC unless its former sound was something else.
      if EncodedContainer(videoName: path, codec: nil) != nil { return true }
      if let encoded = EncodedContainer(fileName: path) { return !encoded.isLossless }
    }
    guard let container = container ?? (try? Container(outputPath: path)) else { return false }
    let encoding = encoding?.encoding ?? container.defaultEncoding(for: .s16)
    // A step of these at full scale is 3 % of it.
    return encoding.isLossy || encoding == .ulaw || encoding == .alaw
  }
}
