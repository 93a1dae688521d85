// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// Makes the sink of an output: a device or a file, in parts, behind a trigger, in the background.
extension SessionOutput {
  private typealias Made = (sink: any AudioSink, account: any SinkAccount)

  /// Samples per channel that may wait for a slow disk: a few seconds.
  private static let backlog = 1 << 18
  /// The time that may wait besides while a disk stands still. A slow reader of a pipe is not waited for so long.
  private static let reserve = Duration.seconds(60)

  func assemble(
    _ sources: SinkRequest
  ) throws(AudioError) -> (sink: any AudioSink, account: any SinkAccount) {
    if liveness != .live, let time = beginning(of: sources) { clock.begin(at: time) }
    switch plan.sink {
    case .end(let end):
      if digestsSamples, type(of: end).discards { return try digestSink(sources) }
      var device = deviceRequest
      device.sampleRate = plan.sampleRate
      device.channelCount = plan.channelCount
      device.encoding = plan.encoding?.encoding
      device.preferredEncoding = .playable(.widest(sources.encodings))
      switch try end.sink(device) {
      case .plain(let sink): return (watched(triggered(cut(sink))), EmptyAccount())
      case .live(let sink):
        self.device = sink
        return (sink, LiveAccount(device: sink))
      }
    case .standardOutput:
      return try fileSink("-", sources)
    case .file(let path):
      if !plan.recording.splitsChannels {
        try makeFolders(for: plan.recording.names?.folder ?? path)
      }
      return try fileSink(path, sources)
    }
  }

  /// Makes the folders of a file, if its name is a pattern.
  func makeFolders(for path: String) throws(AudioError) {
    try plan.folders?.make(for: path)
  }

  /// When the first sample was recorded, by the file, the line, or the file's name; in nanoseconds since 1970.
  private func beginning(of sources: SinkRequest) -> Int64? {
    let metadata = sources.metadata
    let stated = metadata?.statedTime(at: metadata?.sampleRate ?? 0)?.inZone(of: namedTime)
    if let time = stated?.time(in: civilTime) ?? firstTime { return time }
    let before = Int64((input?.originTime ?? 0) * 1e9)
    return namedTime.map { $0.time(in: civilTime) + before }
  }

  /// The moment of the first sample, in nanoseconds since 1970, if the line asks for it by the clock.
  private var firstTime: Int64? { startTime ?? input?.startTime }

  /// The digest is that of a WAV file.
  private func digestSink(_ sources: SinkRequest) throws(AudioError) -> Made {
    let whole = try FileFormat(.wav, for: .widest(sources.encodings))
    let sink = DigestSink(
      plan.encoding?.encoding ?? whole.encoding, sampleRate: plan.sampleRate,
      channelCount: plan.channelCount, dither: dither)
    return (watched(triggered(cut(sink))), sink)
  }

  private func fileSink(
    _ path: String, _ sources: SinkRequest
  ) throws(AudioError) -> Made {
    let isEncoded = plan.container == nil
    if isEncoded, let video = plan.video ?? videoInput?.video,
      EncodedContainer(videoName: plan.typedName(path), codec: nil) != nil
    {
      return try videoSink(path, video, sources)
    }
    if isEncoded, plan.video == nil,
      let container = EncodedContainer(
        fileName: plan.typedName(path), ofVideo: !videos.isEmpty)
    {
      return try encodedSink(path, container, sources)
    }
    if plan.video != nil {
      throw AudioError(
        .unsupported, cannot: "put the sound into a video as", path,
        because: "the output is none of \(EncodedContainer.videoNames.joined(separator: ", "))")
    }
    let format = try format(path, sources)
    guard format.container != .raw || !setsTexts else {
      throw AudioError(
        .unsupported, cannot: "write tags to", name,
        because: "a file without a header has none")
    }
    try requirePlaces(in: format.container.rawValue) { format.container.hasPlace(for: $0) }
    // The writer of a pipe waits while the disk works; a fast one is not to wait twice a second.
    let isFromDevice = liveness == .live
    let canTellOrigin =
      plan.sink != .standardOutput
      && [.origin, .texts].contains { format.container.hasPlace(for: $0) }
    var carried = try carried(
      from: sources, isOpus: format.encoding == .opus, canTellOrigin: canTellOrigin)
    if let trackNames = trackNames {
      carried.describeChannels(try trackNames(), hasNames: format.container.hasTrackNames)
    }
    return try recorder(path, format, carried, beganAt: carried.beginning) {
      [plan, unowned self] path, channel in
      let sink = SoundFileSink(
        path: path, format: format, sampleRate: plan.sampleRate,
        channelCount: plan.recording.splitsChannels ? nil : plan.channelCount,
        dither: dither.ofChannel(channel), overwrite: plan.overwrites,
        replacement: isRecording && !checksLevel ? .inPlace : .onCompletion,
        synchronization: plan.recording.synchronization
          ?? (isFromDevice ? .regularly : .never))
      sink.destination.isNameGenerated = plan.isNameGenerated || plan.recording.splitsChannels
      if let workers = workers { sink.workers = workers }
      sink.digestsSamples = digestsSamples
      sink.samplesPerWrite = plan.samplesPerCall
      sink.metadata = carried.metadata
      sink.accepts = { [unowned self] (file) throws(AudioError) in try keepsLevel(file) }
      return sink
    }
  }

  /// Checks that the container takes the cover and the marks that the line asks for.
  func requirePlaces(
    in container: String, _ hasPlace: (Metadata.Field) -> Bool
  ) throws(AudioError) {
    if plan.metadata.cover != nil, !hasPlace(.pictures) {
      throw AudioError(
        .unsupported, cannot: "write a cover to", name,
        because: "\(container) has no place for pictures",
        advice: "write to flac, mp3, ogg, opus, wav or m4a")
    }
    if let marks = plan.metadata.marks, !hasPlace(.marks) {
      throw AudioError(
        .unsupported, cannot: "write \(marks.kind.rawValue)s to", name,
        because: "\(container) has no place for them",
        advice: "write to wav, flac, mp3, ogg, opus, m4a or mka")
    }
  }

  /// The metadata of the files, with loudness tags and the time of origin if they are asked for.
  ///
  /// - Parameter isOpus: whether libsndfile writes Opus, whose gain has a tag of its own.
  func carried(
    from sources: SinkRequest, isOpus: Bool, canTellOrigin: Bool
  ) throws(AudioError) -> CarriedMetadata {
    var plan = plan
    if let levelling = levelling {
      plan.metadata.edits += levelling.tags(afterGain: gain, isOpus: isOpus)
    }
    let origin = tellsOrigin && canTellOrigin ? OriginNotes(plan.recording.origin) : nil
    origin?.onFailure = { [journal] in journal.record($0) }
    return try CarriedMetadata(
      sources.metadata, plan, origin,
      beganAt: beginning(of: sources), startedAt: firstTime,
      within: sources.duration.map { $0 / .seconds(1) },
      until: control)
  }

  private func refusal(_ path: String, _ reason: String, _ advice: String) -> AudioError {
    AudioError(.unsupported, cannot: "write to", path, because: reason, advice: advice)
  }

  /// The sink for a video whose sound is replaced.
  ///
  /// - Throws: `unsupported` if the sound is not as long as that of the video, or is to have texts.
  private func videoSink(
    _ path: String, _ video: String, _ sources: SinkRequest
  ) throws(AudioError) -> Made {
    guard plan.fileEncoder != .none else {
      throw refusal(path, "nothing here writes videos", "ffmpeg would write it")
    }
    let input = plan.video == nil ? videoInput : nil
    if input?.isTrimmed == true {
      throw refusal(
        path, "pictures are not cut with the sound", "write the part to a file of sound")
    }
    if setsTexts {
      throw refusal(path, "the texts of a video are copied as they are", "leave tags out")
    }
    if plan.metadata.cover != nil || plan.metadata.marks != nil {
      throw refusal(
        path, "the pictures and chapters of a video are copied as they are",
        "leave covers and chapters out")
    }
    let target = try VideoTarget(
      path: video,
      track: (input?.file?.decodedFile?.information?.track).map { .number($0) } ?? plan.track)
    guard
      let container = EncodedContainer(videoName: plan.typedName(path), codec: target.codec)
    else {
      throw refusal(path, "it is no video", "write to mp4, mov, mkv or webm")
    }
    return try encodedSink(path, container, into: target, sources)
  }

  /// The sink for a file that ffmpeg writes.
  ///
  /// - Throws: `unsupported` if ffmpeg must not be asked, or if there are parts: each would be a program of its own, which
  ///   has to end before the next one begins.
  private func encodedSink(
    _ path: String, _ container: EncodedContainer, into video: VideoTarget? = nil,
    _ sources: SinkRequest
  ) throws(AudioError) -> Made {
    guard plan.fileEncoder != .none else {
      throw refusal(path, "nothing here encodes \(container.name)", "ffmpeg would encode it")
    }
    guard plan.recording.names == nil, !plan.recording.splitsChannels else {
      throw refusal(
        path, "a recording in parts is not encoded by ffmpeg",
        "record to flac, and convert the parts")
    }
    try requirePlaces(in: container.name) { container.hasPlace(for: $0) }
    let carried = try carried(
      from: sources, isOpus: false, canTellOrigin: container.tellsOrigin)
    let sink = try EncodedFileSink(
      path: path, container, into: video, for: .widest(sources.encodings),
      encoding: plan.encoding?.encoding,
      settings: encoder(for: container.coding, replacingSoundOf: video),
      sampleRate: plan.sampleRate, channelCount: plan.channelCount,
      dither: dither, overwrite: plan.overwrites,
      synchronization: plan.recording.synchronization ?? .never)
    sink.destination.isNameGenerated = plan.isNameGenerated
    sink.metadata = carried.metadata
    sink.accepts = { [unowned self, unowned sink] (file) throws(AudioError) in
      try keepsLevel(file, track: sink.track)
    }
    return (try inBackground(watched(triggered(awaiting(sink)))), sink)
  }

  /// A recording is written by a thread of its own.
  private func inBackground(_ sink: any AudioSink) throws(AudioError) -> any AudioSink {
    guard isRecording, !checksLevel else { return sink }
    // A disk that is stuck must delay neither the observers nor a device that plays.
    let reserve: Duration = if case .file = plan.sink { Self.reserve } else { .zero }
    return BackgroundSink(
      sink, named: name, on: try BackgroundWriter(), overflow: .wait,
      capacity: Self.backlog,
      reserve: reserve)
  }

  /// Whether the clock ends parts.
  private var goesByClock: Bool {
    plan.recording.limits.contains { if case .clock = $0 { true } else { false } }
  }

  /// The clock of the parts' times; nil if nothing tells the time, or if names count the samples from now on.
  private func partClock(beganAt beginning: Int64?) throws(AudioError) -> RecordingClock? {
    if liveness == .live {
      guard let stated = input?.device?.statedTime else { return .system }
      return .live({ .now }, lead: { stated.lead ?? 0 })
    }
    if let beginning { return .stated(beginning) }
    guard goesByClock || plan.recording.names?.haveTimes == true else { return nil }
    if liveness == .stream { return .system }
    guard goesByClock else { return nil }
    throw AudioError(
      .unsupported, cannot: "split by the clock", name,
      because: "the source does not say when it was recorded",
      advice: "split after a length of time, such as --split 1:00:00")
  }

  /// The sink behind the trigger, if one is asked for.
  private func triggered(_ sink: any AudioSink) -> any AudioSink {
    guard let trigger = plan.recording.trigger else { return sink }
    let hasParts = plan.recording.names != nil || plan.recording.cuts != nil
    return TriggeredSink(sink, trigger) { [unowned self] event in
      journal.record(event)
      if !hasParts { tell(OutputPiece(event)) }
    }
  }

  /// The sink behind the cuts, if there are any and no files for them.
  private func cut(_ sink: any AudioSink) -> any AudioSink {
    guard let cuts = plan.recording.cuts else { return sink }
    return CuttingSink(sink, cuts, onCut: { (_) throws(AudioError) in }) { [unowned self] part in
      tell(OutputPiece(part))
    }
  }

  private func tell(_ piece: OutputPiece) {
    guard let pieces = pieces else { return }
    let input = input
    let time = piece.time ?? clock.time(of: piece.samples.lowerBound, at: sampleRate)
    pieces.add(
      piece, of: input?.name, from: input?.originTime ?? 0, at: sampleRate,
      time: time.map(civilTime.description))
  }

  /// The sink behind the meter of the alarms, if there are alarms.
  private func watched(_ sink: any AudioSink) -> any AudioSink {
    guard let onLevel else { return sink }
    return LevelMonitorSink(sink, onStretch: onLevel)
  }
}

/// Makes the files of an output: one, one for each part, one for each channel, or both.
extension SessionOutput {
  /// Makes the file of a path; of a file of one channel also from the channel's number, from 0.
  private typealias FileMaker = (_ path: String, _ channel: Int) -> SoundFileSink

  /// One file, or the parts of one stream.
  private struct Written {
    var sink: any AudioSink
    var account: any SinkAccount
    /// Nil for one file.
    var parts: SplittingSink?
  }

  /// The parts of all channels, which end together.
  private final class PartsOfChannels {
    var all: [SplittingSink] = []

    func end() throws(AudioError) { for parts in all { try parts.endPart() } }

    func end(repeating overlap: Int64) throws(AudioError) {
      for parts in all { try parts.endPart(repeating: overlap) }
    }
  }

  /// The sink for a file or standard output: in parts and with a trigger if the line asks for them, and written in the
  /// background if it is a recording.
  ///
  /// - Parameter beginning: when the source was recorded, if that is known; in nanoseconds since 1970.
  private func recorder(
    _ path: String, _ format: FileFormat, _ carried: CarriedMetadata, beganAt beginning: Int64?,
    _ makeFile: @escaping FileMaker
  ) throws(AudioError) -> Made {
    let parts = PartsOfChannels()
    var endPart = { () throws(AudioError) in try parts.end() }
    let clock = try plan.recording.names == nil ? nil : partClock(beganAt: beginning)
    var sink: any AudioSink
    let account: any SinkAccount
    if plan.recording.splitsChannels {
      let channels = ChannelAccounts()
      sink = channelFiles(path, format, carried, clock, parts, channels, makeFile)
      account = channels
    } else {
      let written = written(
        path, plan.recording.names, carried, clock,
        plan.recording.last == nil ? splitControl : SplittingSink.Control()
      ) { makeFile($0, 0) }
      (sink, account) = (written.sink, written.account)
      parts.all = written.parts.map { [$0] } ?? []
    }
    if let last = plan.recording.last {
      sink = LastSamplesSink(sink, last, control: splitControl)
      return (try inBackground(watched(triggered(sink))), account)
    }
    if plan.recording.names == nil {
      sink = awaiting(sink)
    } else {
      if let cuts = plan.recording.cuts {
        let cutting = CuttingSink(
          sink, cuts, onCut: { (overlap) throws(AudioError) in try parts.end(repeating: overlap) })
        sink = cutting
        endPart = { () throws(AudioError) in
          try cutting.endPart()
          try parts.end()
        }
      }
      if liveness == .live, plan.recording.trigger == nil {
        sink = SkippingSink(awaiting(sink), gaps, onBreak: endPart)
      }
    }
    sink = scheduled(watched(triggered(sink)), clock, onBreak: endPart)
    return (try inBackground(sink), account)
  }

  /// The sink behind the windows in which to record, if there are any.
  private func scheduled(
    _ sink: any AudioSink, _ clock: RecordingClock?,
    onBreak: @escaping () throws(AudioError) -> Void
  ) -> any AudioSink {
    guard let schedule = plan.recording.schedule, let clock else { return sink }
    return ScheduledSink(
      sink, schedule, by: clock, leadIn: plan.recording.leadIn, onBreak: onBreak
    ) { [journal] change in journal.record(change) }
  }

  /// The sink behind the wait for a first sample, where a live source may be away, or none is there yet. A pipe gets the
  /// silence meanwhile.
  private func awaiting(_ sink: any AudioSink) -> any AudioSink {
    guard liveness == .live, plan.recording.trigger == nil,
      case .file(let path) = plan.sink, isRegularFile(path) ?? true
    else { return sink }
    return AwaitedSink(sink, sources, leavesOut: plan.recording.names != nil)
  }

  /// The sink for one stream.
  ///
  /// - Parameter names: of its parts; nil for one file.
  private func written(
    _ path: String, _ names: PartNames?, _ carried: CarriedMetadata, _ clock: RecordingClock?,
    _ control: SplittingSink.Control, _ makeFile: @escaping (String) -> SoundFileSink
  ) -> Written {
    let (journal, time) = (journal, self.clock)
    guard let names else {
      let whole = makeFile(path)
      whole.metadata = carried.metadata
      let isNoted = plan.sink.partFolder != nil || plan.recording.splitsChannels
      guard isNoted else { return Written(sink: whole, account: whole) }
      let noting = NotingSink(
        whole,
        onCompletion: { [unowned self] length in
          journal.record(wholeOf: path, samplesPerChannel: length, at: time.time(of: 0, at: 1))
          if plan.recording.splitsChannels {
            tell(OutputPiece(wholeOf: path, samplesPerChannel: length, whole))
          }
        })
      return Written(sink: noting, account: whole)
    }
    let splitting = SplittingSink(
      names, limits: plan.recording.limits, leadIn: plan.recording.leadIn,
      control: control, making: makeFile
    ) { [unowned self] part in
      journal.record(part)
      tell(OutputPiece(part))
    }
    splitting.metadataOfPart = { [unowned splitting] position, format in
      carried.ofPart(
        from: position, within: splitting.lengthOfPart, at: splitting.partTime, in: format)
    }
    splitting.clock = clock
    splitting.opensLate = plan.recording.schedule != nil
    splitting.goesOn = (isRecording || plan.recording.goesOn) && !plan.overwrites
    if goesByClock || names.haveTimes { splitting.onClockStep = { journal.record($0) } }
    splitting.retention = plan.recording.retention
    if let partWork {
      partWork.expect(names, synchronizing: splitting.isSynchronizing)
      splitting.sparesPart = { partWork.needs($0) }
      splitting.onBegin = { part in
        journal.describe(part).map { partWork.begin($0, of: names) }
      }
    }
    splitting.waitsForRoom = plan.recording.waitsForRoom
    splitting.onFullDisk = { journal.record($0) }
    splitting.onRemoval = { journal.record($0) }
    return Written(sink: splitting, account: splitting, parts: splitting)
  }

  /// The sink for a file of each channel, or the parts of each channel.
  private func channelFiles(
    _ path: String, _ format: FileFormat, _ carried: CarriedMetadata, _ clock: RecordingClock?,
    _ parts: PartsOfChannels, _ accounts: ChannelAccounts, _ makeFile: @escaping FileMaker
  ) -> any AudioSink {
    var common = clock
    var refresh: () -> Void = {}
    // All channels of a part begin at one time.
    if case .live(_, let lead)? = clock { (common, refresh) = RecordingClock.shared(lead: lead) }
    let sink = ChannelFilesSink(
      format.encoding.precision, channelCount: plan.channelCount
    ) { [unowned self] (count) throws(AudioError) in
      let names = ChannelNames(
        given: carried.metadata?.trackNames(of: count)
          ?? Array(repeating: nil, count: count), layout: carried.metadata?.channelLayout)
      let hasParts = plan.recording.names != nil
      let all = try (0..<count).map { (channel) throws(AudioError) in
        let own = try names.path(path, channel: channel, namesParts: hasParts)
        let parts = hasParts ? try PartNames(own, in: plan.recording.civilTime) : nil
        try makeFolders(for: parts?.folder ?? own)
        return written(
          own, parts,
          carried.ofChannel(channel, of: count), common, SplittingSink.Control()
        ) { makeFile($0, channel) }
      }
      accounts.channels = all.map(\.account)
      parts.all = all.compactMap(\.parts)
      return all.map(\.sink)
    }
    sink.onWrite = refresh
    if plan.recording.names != nil, plan.recording.last == nil {
      sink.parts = (splitControl, { () throws(AudioError) in try parts.end() })
    }
    return sink
  }
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
