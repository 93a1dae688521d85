// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioFiles
internal import AudioCore

/// Makes the sink of an output: a device or a file, in parts, behind a trigger, in the background.
extension SessionOutput {
  typealias Made = (sink: any AudioSink, account: any SinkAccount)

  /// Samples per channel that may wait for a slow disk: a few seconds.
  private static let backlog = 1 << 18
  /// The time that may wait besides while a disk stands still. A slow reader of a pipe is not waited for so long.
  private static let reserve = Duration.seconds(60)

  func assemble(_ sources: SinkRequest) throws(AudioError) -> Made {
    if setting.liveness != .live, let time = beginning(of: sources) { clock.begin(at: time) }
    switch request.sink {
    case .end(let end):
      if setting.digestsSamples, type(of: end).discards { return try digestSink(sources) }
      var device = setting.device
      device.sampleRate = request.sampleRate
      device.channelCount = request.channelCount
      device.encoding = request.encoding?.encoding
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
      if !request.recording.splitsChannels {
        try makeFolders(for: request.recording.names?.folder ?? path)
      }
      return try fileSink(path, sources)
    }
  }

  /// Makes the folders of a file, if its name is a pattern.
  func makeFolders(for path: String) throws(AudioError) {
    try request.folders?.make(for: path)
  }

  /// When the first sample was recorded, by the file, the line, or the file's name; in nanoseconds since 1970.
  private func beginning(of sources: SinkRequest) -> Int64? {
    let metadata = sources.metadata
    let stated = metadata?.statedTime(at: metadata?.sampleRate ?? 0)?.inZone(of: setting.namedTime)
    if let time = stated?.time(in: civilTime) ?? startTime { return time }
    let before = Int64((setting.input?.originTime ?? 0) * 1e9)
    return setting.namedTime.map { $0.time(in: civilTime) + before }
  }

  /// The moment of the first sample, in nanoseconds since 1970, if the line asks for it by the clock.
  private var startTime: Int64? { setting.startTime ?? setting.input?.startTime }

  /// The digest is that of a WAV file.
  private func digestSink(_ sources: SinkRequest) throws(AudioError) -> Made {
    let whole = try FileFormat(.wav, for: .widest(sources.encodings))
    let sink = DigestSink(
      request.encoding?.encoding ?? whole.encoding, sampleRate: request.sampleRate,
      channelCount: request.channelCount, dither: setting.processing.dither)
    return (watched(triggered(cut(sink))), sink)
  }

  private func fileSink(
    _ path: String, _ sources: SinkRequest
  ) throws(AudioError) -> Made {
    let isEncoded = request.container == nil
    if isEncoded, let film = request.film ?? setting.filmInput?.film,
      EncodedContainer(filmName: request.typedName(path), codec: nil) != nil
    {
      return try filmSink(path, film, sources)
    }
    if isEncoded, request.film == nil,
      let container = EncodedContainer(
        fileName: request.typedName(path), ofFilm: !setting.films.isEmpty)
    {
      return try encodedSink(path, container, sources)
    }
    if request.film != nil {
      throw AudioError(
        .unsupported, cannot: "put the sound into a video as", path,
        because: "the output is none of \(EncodedContainer.filmNames.joined(separator: ", "))")
    }
    let format = try format(path, sources)
    guard format.container != .raw || !setting.setsTexts else {
      throw AudioError(
        .unsupported, cannot: "write tags to", setting.name,
        because: "a file without a header has none")
    }
    try requirePlaces(in: format.container.rawValue) { format.container.hasPlace(for: $0) }
    // The writer of a pipe waits while the disk works; a fast one is not to wait twice a second.
    let isFromDevice = setting.liveness == .live
    let canTellOrigin =
      request.sink != .standardOutput
      && [.origin, .texts].contains { format.container.hasPlace(for: $0) }
    var carried = try carried(
      from: sources, isOpus: format.encoding == .opus, canTellOrigin: canTellOrigin)
    if let trackNames = setting.trackNames {
      carried.describeChannels(try trackNames(), hasNames: format.container.hasTrackNames)
    }
    return try recorder(path, format, carried, beganAt: carried.beginning) {
      [request, setting, unowned self] path, channel in
      let sink = SoundFileSink(
        path: path, format: format, sampleRate: request.sampleRate,
        channelCount: request.recording.splitsChannels ? nil : request.channelCount,
        dither: setting.processing.dither.ofChannel(channel), overwrite: request.overwrites,
        replacement: setting.isRecording && !setting.checksLevel ? .inPlace : .onCompletion,
        synchronization: request.recording.synchronization
          ?? (isFromDevice ? .regularly : .never))
      sink.isNameGenerated = request.isNameGenerated || request.recording.splitsChannels
      if let workers = setting.workers { sink.workers = workers }
      sink.digestsSamples = setting.digestsSamples
      sink.samplesPerWrite = request.samplesPerCall
      sink.metadata = carried.metadata
      sink.accepts = { [unowned self] (file) throws(AudioError) in try keepsLevel(file) }
      return sink
    }
  }

  /// Checks that the container takes the cover and the marks that the line asks for.
  func requirePlaces(
    in container: String, _ hasPlace: (Metadata.Field) -> Bool
  ) throws(AudioError) {
    if request.metadata.cover != nil, !hasPlace(.pictures) {
      throw AudioError(
        .unsupported, cannot: "write a cover to", setting.name,
        because: "\(container) has no place for pictures",
        advice: "write to flac, mp3, ogg, opus, wav or m4a")
    }
    if let marks = request.metadata.marks, !hasPlace(.marks) {
      throw AudioError(
        .unsupported, cannot: "write \(marks.kind.rawValue)s to", setting.name,
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
    var request = request
    if let levelling = setting.levelling {
      request.metadata.edits += levelling.tags(afterGain: setting.gain, isOpus: isOpus)
    }
    let origin = setting.tellsOrigin && canTellOrigin ? OriginNotes(request.recording.origin) : nil
    origin?.onFailure = { [journal] in journal.record($0) }
    return try CarriedMetadata(
      sources.metadata, request, origin,
      beganAt: beginning(of: sources), startedAt: startTime, within: sources.duration,
      until: control)
  }

  private func refusal(_ path: String, _ reason: String, _ advice: String) -> AudioError {
    AudioError(.unsupported, cannot: "write to", path, because: reason, advice: advice)
  }

  /// The sink for a video whose sound is replaced.
  ///
  /// - Throws: `unsupported` if the sound is not as long as that of the video, or is to have texts.
  private func filmSink(
    _ path: String, _ film: String, _ sources: SinkRequest
  ) throws(AudioError) -> Made {
    guard request.fileEncoder != .none else {
      throw refusal(path, "nothing here writes videos", "ffmpeg would write it")
    }
    let input = request.film == nil ? setting.filmInput : nil
    if input?.isTrimmed == true {
      throw refusal(
        path, "pictures are not cut with the sound", "write the part to a file of sound")
    }
    if setting.setsTexts {
      throw refusal(path, "the texts of a video are copied as they are", "leave tags out")
    }
    if request.metadata.cover != nil || request.metadata.marks != nil {
      throw refusal(
        path, "the pictures and chapters of a video are copied as they are",
        "leave covers and chapters out")
    }
    let target = try FilmTarget(
      path: film,
      track: (input?.file?.decodedFile?.information?.track).map { .number($0) } ?? request.track)
    guard
      let container = EncodedContainer(filmName: request.typedName(path), codec: target.codec)
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
    _ path: String, _ container: EncodedContainer, into film: FilmTarget? = nil,
    _ sources: SinkRequest
  ) throws(AudioError) -> Made {
    guard request.fileEncoder != .none else {
      throw refusal(path, "nothing here encodes \(container.name)", "ffmpeg would encode it")
    }
    guard request.recording.names == nil, !request.recording.splitsChannels else {
      throw refusal(
        path, "a recording in parts is not encoded by ffmpeg",
        "record to flac, and convert the parts")
    }
    try requirePlaces(in: container.name) { container.hasPlace(for: $0) }
    let carried = try carried(
      from: sources, isOpus: false, canTellOrigin: container.tellsOrigin)
    let sink = try EncodedFileSink(
      path: path, container, into: film, for: .widest(sources.encodings),
      encoding: request.encoding?.encoding,
      settings: encoder(for: container.coding, replacingSoundOf: film),
      sampleRate: request.sampleRate, channelCount: request.channelCount,
      dither: setting.processing.dither, overwrite: request.overwrites,
      synchronization: request.recording.synchronization ?? .never)
    sink.isNameGenerated = request.isNameGenerated
    sink.metadata = carried.metadata
    sink.accepts = { [unowned self, unowned sink] (file) throws(AudioError) in
      try keepsLevel(file, track: sink.track)
    }
    return (try inBackground(watched(triggered(awaiting(sink)))), sink)
  }

  /// A recording is written by a thread of its own.
  func inBackground(_ sink: any AudioSink) throws(AudioError) -> any AudioSink {
    guard setting.isRecording, !setting.checksLevel else { return sink }
    // A disk that is stuck must delay neither the observers nor a device that plays.
    let reserve: Duration = if case .file = request.sink { Self.reserve } else { .zero }
    return BackgroundSink(
      sink, named: setting.name, on: try BackgroundWriter(), overflow: .wait,
      capacity: Self.backlog,
      reserve: reserve)
  }

  /// Whether the clock ends parts.
  var goesByClock: Bool {
    request.recording.limits.contains { if case .clock = $0 { true } else { false } }
  }

  /// The clock of the parts' times; nil if nothing tells the time, or if names count the samples from now on.
  func partClock(beganAt beginning: Int64?) throws(AudioError) -> RecordingClock? {
    if setting.liveness == .live {
      guard let stated = setting.input?.device?.statedTime else { return .system }
      return .live({ .now }, lead: { stated.lead ?? 0 })
    }
    if let beginning { return .stated(beginning) }
    guard goesByClock || request.recording.names?.haveTimes == true else { return nil }
    if setting.liveness == .stream { return .system }
    guard goesByClock else { return nil }
    throw AudioError(
      .unsupported, cannot: "split by the clock", setting.name,
      because: "the source does not say when it was recorded",
      advice: "split after a length of time, such as --split 1:00:00")
  }

  /// The sink behind the trigger, if one is asked for.
  func triggered(_ sink: any AudioSink) -> any AudioSink {
    guard let trigger = request.recording.trigger else { return sink }
    let hasParts = request.recording.names != nil || request.recording.cuts != nil
    return TriggeredSink(sink, trigger) { [unowned self] event in
      journal.record(event)
      if !hasParts { tell(OutputPiece(event)) }
    }
  }

  /// The sink behind the cuts, if there are any and no files for them.
  private func cut(_ sink: any AudioSink) -> any AudioSink {
    guard let cuts = request.recording.cuts else { return sink }
    return CuttingSink(sink, cuts, onCut: { (_) throws(AudioError) in }) { [unowned self] part in
      tell(OutputPiece(part))
    }
  }

  func tell(_ piece: OutputPiece) {
    guard let pieces = setting.pieces else { return }
    let input = setting.input
    let time = piece.time ?? clock.time(of: piece.samples.lowerBound, at: sampleRate)
    pieces.add(
      piece, of: input?.name, from: input?.originTime ?? 0, at: sampleRate,
      time: time.map(civilTime.description))
  }

  /// The sink behind the meter of the alarms, if there are alarms.
  func watched(_ sink: any AudioSink) -> any AudioSink {
    guard let onLevel else { return sink }
    return LevelMonitorSink(sink, onStretch: onLevel)
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
