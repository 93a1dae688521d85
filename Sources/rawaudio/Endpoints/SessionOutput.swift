// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioFiles
internal import AudioCore

/// A sink of a command's session. It is kept so that it can be asked afterwards what happened.
final class SessionOutput {
  /// How much audio may wait for a slow disk, in samples per channel: a few seconds.
  private static let backlog = 1 << 18
  /// How much more where a disk stands still. Who reads a pipe more slowly than it is written is not waited for so
  /// long.
  private static let reserve = Duration.seconds(60)

  /// Its name in notes.
  let name: String
  private(set) var request: OutputRequest
  private let processing: ProcessingOptions
  private let deviceOptions: AlsaOptions
  /// How far its inputs are live.
  private let liveness: Liveness
  /// Whether what was written outlives an interruption: it cannot be had again.
  var isRecording: Bool { liveness != .none }
  private let workers: WorkerAllowance?
  /// Whether the file says when it was recorded.
  var tellsOrigin = false
  /// What was found of the source's loudness, and done; nil where nobody asked.
  var levelling: Levelling?
  /// How loud it is to be behind everything else; nil = as it comes.
  var levelTarget: LevelTarget?
  /// The level that was reached; nil before the end.
  var levelOutcome: LevelOutcome? { levelled?.outcome }
  private var levelled: LevelledSink?
  /// By how much the level was changed altogether, in decibels.
  var gain = 0.0
  /// Its only input, if the command has no more.
  var input: SessionInput?
  /// Whether the MD5 of the samples is wanted.
  var digestsSamples = false
  /// The MD5 of the file's samples in hexadecimal digits; nil where there is none.
  var digest: String? {
    file?.sampleDigest.map { digest in
      digest.reduce(into: "") { text, byte in
        text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
  }
  /// Asks for a new part; nil if the output has no parts.
  var partControl: SplittingSink.Control? { request.recording.names == nil ? nil : splitControl }
  private let splitControl = SplittingSink.Control()
  private let journal: RecordingJournal
  /// The time for which the device was away is no part of a recording in parts.
  private let absences = LeavingOutSink.Stretches()
  /// Of the session that it belongs to.
  private var control: SessionControl?
  private var levelTaker: (@Sendable (WatchedStretch) -> Void)?
  private var file: SoundFileSink?
  /// The file, if ffmpeg writes it.
  private var encoded: EncodedFileSink?
  private var parts: SplittingSink?
  /// Its account if it is live.
  private(set) var device: (any LiveSink)?

  /// - Parameters:
  ///   - liveness: of its inputs.
  ///   - workers: whether a file may be encoded by a thread of its own; nil where it may.
  init(
    _ request: OutputRequest, _ processing: ProcessingOptions,
    device: AlsaOptions = AlsaOptions(), liveness: Liveness = .none, workers: WorkerAllowance? = nil
  ) {
    self.request = request
    self.processing = processing
    deviceOptions = device
    self.liveness = liveness
    self.workers = workers
    journal = RecordingJournal(of: request.sink.name, in: request.recording.civilTime)
    name = request.sink.name
    if liveness == .device, request.recording.names == nil {
      // Without --split it is cut by the signal only.
      self.request.recording.names = request.sink.partNames(in: request.recording.civilTime)
    }
  }

  /// Why SIGUSR1 begins no new file; nil if it does.
  var refusalOfParts: String? {
    if partControl != nil { return nil }
    guard case .file(let path) = request.sink, request.sink.isExclusive else {
      return "'\(name)' is no file"
    }
    return liveness == .device
      ? "'\(path)' is no pattern; a name such as take-%03d.wav is one"
      : "'\(path)' is no recording; without a device there has to be --split"
  }

  /// Samples that were beyond full scale and saturated.
  var clippedSamples: Int {
    (file?.clippedSamples ?? encoded?.clippedSamples ?? parts?.clippedSamples ?? 0)
      + Int(device?.statistics.samplesClipped ?? 0)
  }

  /// Samples that were not numbers.
  var notANumberSamples: Int {
    (file?.notANumberSamples ?? encoded?.notANumberSamples ?? parts?.notANumberSamples ?? 0)
      + Int(device?.statistics.samplesNotNumbers ?? 0)
  }

  /// Whether what is not a number is stored as such.
  var keepsNotANumber: Bool {
    guard let encoding = soundFileFormat?.encoding else { return false }
    return encoding == .f32 || encoding == .f64
  }

  /// Puts a mark into the file, if its container has marks. Does nothing if a trigger joins events in one
  /// file, because the position may not be in the file.
  ///
  /// - Parameters:
  ///   - position: in samples per channel of the stream, at `sampleRate`.
  ///   - sampleRate: in hertz.
  ///   - label: one line of text.
  func mark(_ position: Int64, at sampleRate: Int, label: String) {
    if request.recording.trigger == nil {
      file?.mark(position, at: sampleRate, label: label)
    }
    if request.recording.trigger == nil || request.recording.limits.contains(.event) {
      parts?.mark(position, at: sampleRate, label: label)
    }
  }

  /// Ends with a session, also what it waits for.
  fileprivate func belong(to control: SessionControl) { self.control = control }

  /// From now on `take` is given how loud each tenth of a second is, on the thread that writes. Before the session runs.
  func watchLevels(_ take: @escaping @Sendable (WatchedStretch) -> Void) { levelTaker = take }

  /// The only device that feeds the output is lost: where it is in parts, this one ends, and what comes next is left
  /// out. A trigger lets no silence through anyway.
  ///
  /// - Parameter position: in samples per channel of the stream, at `sampleRate`.
  func breakOff(at position: Int64, _ sampleRate: Int) { absences.begin(at: position, sampleRate) }

  /// The device is back, and its first sample stands at this position.
  func goOn(at position: Int64) { absences.end(at: position) }

  /// Whether the time for which its only device is away is left out.
  var leavesAbsencesOut: Bool { parts != nil && liveness == .device }

  /// What was to be carried beside the samples, and is not in the file.
  var metadataOmissions: [Metadata.Omission] {
    file?.metadataOmissions ?? encoded?.metadataOmissions ?? parts?.metadataOmissions ?? []
  }

  /// The format of the file; nil if the output is not a file.
  var soundFileFormat: FileFormat? { file?.fileFormat ?? parts?.fileFormat }

  /// How many samples, over all channels, a pipe gets in one write; nil where they go out as they come.
  var samplesPerWrite: Int? { file?.writesPieces == true ? file?.samplesPerWrite : nil }

  /// Whether it is a file of sound.
  var isSoundFile: Bool { soundFileFormat != nil || encoded != nil }

  /// The note about the file that ffmpeg wrote; nil if there is none.
  var encoderNotes: [String] {
    guard let container = encoded?.container else { return [] }
    let change = container.replaced.map {
      "the sound of '\(name)' is \(container.codec) now, and was \($0)"
    }
    return [change, container.delayNote(for: name)].compactMap { $0 }
  }

  /// The format of the file as text: "wav, s16"; nil if the output is not a file.
  var fileFormat: String? {
    if let encoded { return "\(encoded.container.name), \(encoded.container.codec)" }
    return soundFileFormat.map { "\($0.container.rawValue), \($0.encoding.rawValue)" }
  }

  /// The sink, behind a level if one is asked for.
  fileprivate func levelled(_ sources: SinkRequest) throws(AudioError) -> any AudioSink {
    let sink = try make(sources)
    guard let levelTarget else { return sink }
    let levelled = LevelledSink(
      sink, levelTarget, layout: sources.metadata?.channelLayout, name: name)
    self.levelled = levelled
    return levelled
  }

  /// Makes the sink when the session knows what feeds it.
  func make(_ sources: SinkRequest) throws(AudioError) -> any AudioSink {
    switch request.sink {
    case .end(let end):
      var options = deviceOptions
      options.sampleRate = request.sampleRate
      options.channelCount = request.channelCount
      options.encoding = request.encoding?.encoding
      options.preferredEncoding = .playable(.widest(sources.encodings))
      let sink = try end.sink(options)
      if request.sink.isLive { device = sink as? any LiveSink }
      return device ?? watched(triggered(sink))
    case .standardOutput:
      return try fileSink("-", sources)
    case .file(let path):
      return try fileSink(path, sources)
    }
  }

  private func fileSink(
    _ path: String, _ sources: SinkRequest
  ) throws(AudioError) -> any AudioSink {
    if request.container == nil, let container = EncodedContainer(fileName: path),
      request.film == nil
    {
      return try encodedSink(path, container, sources)
    }
    if request.container == nil, let film = request.film ?? input?.film,
      EncodedContainer(filmName: path, codec: nil) != nil
    {
      return try filmSink(path, film, sources)
    }
    if request.film != nil {
      throw AudioError(
        .unsupported, cannot: "put the sound into a video as", path,
        because: "the output is none of \(EncodedContainer.filmNames.joined(separator: ", "))")
    }
    let format = try format(path, sources)
    let setsTexts = request.metadata.setsTexts || levelling?.request.tags ?? false
    guard format.container != .raw || !setsTexts else {
      throw AudioError(
        .unsupported, cannot: "write tags to", name, because: "a file without a header has none")
    }
    var request = request
    if let levelling {
      request.metadata.edits += levelling.tags(
        afterGain: gain, isOpus: format.encoding == .opus)
    }
    let (dither, isRecording) = (processing.dither, isRecording)
    // The writer of a pipe waits while the disk works; what it sends as fast as it can is not to wait twice a second.
    let isFromDevice = liveness == .device
    let (workers, digestsSamples) = (workers, digestsSamples)
    let canTellOrigin =
      request.sink != .standardOutput
      && [.origin, .texts].contains { format.container.hasPlace(for: $0) }
    let carried = try CarriedMetadata(
      sources.metadata, request,
      startedAt: tellsOrigin && canTellOrigin ? RecordingClock.Moment.now.realTime : nil,
      until: control)
    let beginning = sources.metadata.flatMap { metadata in
      metadata.broadcast?.recordingTime(
        at: metadata.sampleRate ?? 0, in: request.recording.civilTime)
    }
    return try recorder(path, carried, beganAt: beginning) { [request] path in
      let sink = SoundFileSink(
        path: path, format: format, sampleRate: request.sampleRate,
        channelCount: request.channelCount, dither: dither, overwrite: request.overwrites,
        replacement: isRecording ? .inPlace : .onCompletion,
        synchronization: request.recording.synchronization
          ?? (isFromDevice ? .regularly : .never))
      if let workers { sink.workers = workers }
      sink.digestsSamples = digestsSamples
      sink.samplesPerWrite = request.samplesPerCall
      sink.metadata = carried.metadata
      return sink
    }
  }

  /// The sink for a video whose sound is replaced.
  ///
  /// - Throws: `unsupported` where the sound is not as long as that of the video, or is to have texts.
  private func filmSink(
    _ path: String, _ film: String, _ sources: SinkRequest
  ) throws(AudioError) -> any AudioSink {
    func refusal(_ reason: String, _ advice: String) -> AudioError {
      AudioError(.unsupported, cannot: "write to", path, because: reason, advice: advice)
    }
    guard request.fileEncoder != .none else {
      throw refusal("nothing here writes videos", "ffmpeg would write it")
    }
    if request.film == nil, input?.isTrimmed == true {
      throw refusal("pictures are not cut with the sound", "write the part to a file of sound")
    }
    if request.metadata.setsTexts || levelling?.request.tags ?? false {
      throw refusal("the texts of a video are copied as they are", "leave tags out")
    }
    let target = try FilmTarget(path: film, track: request.track)
    guard let container = EncodedContainer(filmName: path, codec: target.codec) else {
      throw refusal("it is no video", "write to mp4, mov, mkv or webm")
    }
    return try encodedSink(path, container, into: target, sources)
  }

  /// The sink for a file that ffmpeg writes.
  ///
  /// - Throws: `unsupported` where ffmpeg must not be asked, or where there are parts: each would be a program of its own,
  ///   which has to end before the next one begins.
  private func encodedSink(
    _ path: String, _ container: EncodedContainer, into film: FilmTarget? = nil,
    _ sources: SinkRequest
  ) throws(AudioError) -> any AudioSink {
    func refusal(_ reason: String, _ advice: String) -> AudioError {
      AudioError(.unsupported, cannot: "write to", path, because: reason, advice: advice)
    }
    guard request.fileEncoder != .none else {
      throw refusal("nothing here encodes \(container.name)", "ffmpeg would encode it")
    }
    guard request.recording.names == nil else {
      throw refusal(
        "a recording in parts is not encoded by ffmpeg", "record to flac, and convert the parts")
    }
    var request = request
    // The gain of Opus has a tag of its own.
    if let levelling { request.metadata.edits += levelling.tags(afterGain: gain, isOpus: false) }
    let carried = try CarriedMetadata(
      sources.metadata, request,
      startedAt: tellsOrigin && container.tellsOrigin
        ? RecordingClock.Moment.now.realTime : nil, until: control)
    let sink = try EncodedFileSink(
      path: path, container, into: film, for: .widest(sources.encodings),
      encoding: request.encoding?.encoding, settings: request.encoder,
      sampleRate: request.sampleRate, channelCount: request.channelCount,
      dither: processing.dither, overwrite: request.overwrites,
      synchronization: request.recording.synchronization ?? .never)
    sink.metadata = carried.metadata
    encoded = sink
    return try inBackground(watched(triggered(sink)))
  }

  /// The sink for a file or standard output: in parts and with a trigger if that is asked for, and written
  /// in the background if it is a recording.
  ///
  /// - Parameter beginning: when the source was recorded, if that is known; in nanoseconds since 1970.
  private func recorder(
    _ path: String, _ carried: CarriedMetadata, beganAt beginning: Int64?,
    _ makeFile: @escaping (String) -> SoundFileSink
  ) throws(AudioError) -> any AudioSink {
    let journal = journal
    var sink: any AudioSink
    if let names = request.recording.names {
      let splitting = SplittingSink(
        names, limits: request.recording.limits, leadIn: request.recording.leadIn,
        control: splitControl, making: makeFile, onPart: journal.record)
      splitting.metadataOfPart = { [unowned splitting] position, format in
        carried.ofPart(from: position, at: splitting.partTime, in: format)
      }
      splitting.clock = try clock(beganAt: beginning)
      splitting.goesOn = isRecording && !request.overwrites
      splitting.onClockStep = { journal.record($0) }
      splitting.retention = request.recording.retention
      splitting.onRemoval = { journal.record($0) }
      parts = splitting
      sink = splitting
    } else {
      let whole = makeFile(path)
      file = whole
      sink = whole
      if request.sink.partFolder != nil {
        sink = CompletedSink(sink) {
          journal.record(wholeOf: path, samplesPerChannel: $0)
        }
      }
    }
    if let parts, liveness == .device, request.recording.trigger == nil {
      sink = LeavingOutSink(sink, absences) { () throws(AudioError) in try parts.endPart() }
    }
    return try inBackground(watched(triggered(sink)))
  }

  /// A recording is written by a thread of its own.
  private func inBackground(_ sink: any AudioSink) throws(AudioError) -> any AudioSink {
    guard isRecording else { return sink }
    // A disk that is stuck must delay neither the observers nor a device that plays.
    let reserve: Duration = if case .file = request.sink { Self.reserve } else { .zero }
    return BackgroundSink(
      sink, named: name, on: try BackgroundWriter(), overflow: .wait, capacity: Self.backlog,
      reserve: reserve)
  }

  /// By what the times of parts are known; nil where they have none, or go by the samples from now on.
  private func clock(beganAt beginning: Int64?) throws(AudioError) -> RecordingClock? {
    let goesByClock = request.recording.limits.contains {
      if case .clock = $0 { true } else { false }
    }
    guard goesByClock || request.recording.names?.haveTimes == true else { return nil }
    if liveness == .device { return .system }
    if let beginning { return .stated(beginning) }
    if liveness == .stream { return .system }
    guard goesByClock else { return nil }
    throw AudioError(
      .unsupported, cannot: "split by the clock", name,
      because: "the source does not say when it was recorded",
      advice: "split after a length of time, such as --split 1:00:00")
  }

  /// The sink behind the trigger, if one is asked for.
  private func triggered(_ sink: any AudioSink) -> any AudioSink {
    guard let trigger = request.recording.trigger else { return sink }
    return TriggeredSink(sink, trigger, onEvent: journal.record)
  }

  /// The sink behind what measures for alarms, if somebody asks for them.
  private func watched(_ sink: any AudioSink) -> any AudioSink {
    guard let levelTaker else { return sink }
    return WatchedSink(sink, onStretch: levelTaker)
  }

  /// The format that was asked for; else the container by the file's name and the encoding by the sources.
  private func format(
    _ path: String, _ sources: SinkRequest
  ) throws(AudioError) -> FileFormat {
    let container =
      if let asked = request.container {
        asked
      } else {
        try Container.container(ofFile: path, film: input?.film)
      }
    guard let encoding = request.encoding else {
      return try FileFormat(container, for: .widest(sources.encodings))
        .encoded(with: request.encoder)
    }
    // FLAC packs 24 bits whatever they came in.
    guard !encoding.isPadded || container == .flac else {
      throw AudioError(
        .unsupported, cannot: "write to", path,
        because: "files hold 24 bits in three bytes, not in four", advice: "use S24_3LE or s24")
    }
    return try FileFormat(container, encoding.encoding, byteOrder: encoding.byteOrder)
      .encoded(with: request.encoder)
  }
}

/// What a recording reports.
extension SessionOutput {
  /// How the time of day is told.
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

  /// How much a trigger let through, as text; nil without one.
  var triggerSummary: String? {
    guard request.recording.trigger != nil else { return nil }
    let (count, kept) = journal.eventTotals
    return "\(count) \(count == 1 ? "event" : "events"), \(kept) samples per channel kept"
  }

  /// From now on everything that the recording reports is told to `inbox`, on the writer's thread.
  func follow(as sink: SessionSummary.Sink, telling inbox: RunInbox) {
    journal.follow(as: sink, telling: inbox)
  }

  /// The first parts that are complete; nil if the output is not split.
  var completedParts: [SplittingSink.Part]? { parts == nil ? nil : journal.parts }

  /// How many parts are complete; nil if the output is not split.
  var completedPartCount: Int? { parts == nil ? nil : journal.partCount }

  /// The part that was completed last.
  var lastPart: SplittingSink.Part? { journal.lastPart }

  /// How many events are over.
  var eventCount: Int { journal.eventTotals.count }

  /// The first events that are over; nil without a trigger.
  var events: [TriggeredSink.Event]? { request.recording.trigger == nil ? nil : journal.events }
}

extension SampleEncoding {
  /// The encoding in which a device should play samples that were stored as `encoding`.
  fileprivate static func playable(_ encoding: SampleEncoding) -> SampleEncoding {
    switch encoding {
    case .s24, .s32, .f32: encoding
    default: encoding.precision == .double ? .s32 : .s16
    }
  }
}

extension Session {
  /// Sets `output` as the sink of `place`.
  func setSink(_ place: SinkPlace, _ output: SessionOutput) throws(AudioError) {
    output.belong(to: control)
    try setSink(place) { (sources) throws(AudioError) in try output.levelled(sources) }
  }
}
