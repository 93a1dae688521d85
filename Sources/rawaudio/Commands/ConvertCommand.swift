// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// `rawaudio convert`: one source to one sink, or many files to one file each.
struct ConvertCommand: Command {
  enum Subject: Sendable, Equatable {
    case source(SourceEndpoint)
    case list(WorkListRequest, OutputListRequest)
  }

  @Argument(
    .source(name: "source"), isRequired: false,
    help: SourceEnds.help("What to convert: any number of files and folders, or one of"))
  var sources: [SourceEndpoint]
  var editing = EditOptions()
  @Option(.duration(default: "to the end")) var duration: TimePosition?
  /// Decibels.
  @Option(.gain) var gain: Double
  @Flag("invert", group: .edits, help: "Invert the polarity.") var isInverted: Bool
  @Flag(
    "reverse", group: .edits,
    help: "Play it backwards (in front of all that changes the sound; by a temporary file).")
  var isReversed: Bool
  @Option(
    "shift", .shift, group: .edits, givenOnce: true,
    help: """
      Move the sound, of a video against its pictures, by 120ms, or by -120ms, which leaves out its beginning.
      """)
  var shift: Shift?
  var processing = ProcessingOptions()
  var track = TrackOptions(
    help:
      "Sound track of a video to read, and to replace if the output is a video: its number, title or language."
  )
  @Option(
    "into", .path(name: "video"), group: .output,
    help: "Put the sound into a video in the place of its own: --into talk.mp4 -o out.mp4.")
  var video: String?
  var listing = WorkListOptions()
  var pieces = PieceOptions()
  var inputs = InputOptions()
  var destination = OutputListOptions()
  var format = OutputFormatOptions(
    rate: "the source's", channels: "the source's", encoding: "the source's")
  var copying = CopyOptions()
  var metadata = MetadataOptions()
  var loudness = LoudnessOptions()
  var limiting = LimitOptions()
  var recording = RecordingOptions()
  var observers = ObserverOptions(at: [.record])

  private(set) var subject = Subject.source(.standardInput)
  /// The origin of the pieces. Nil for whole sources.
  private(set) var pieceOrigin: PieceOrigin?
  /// Whether each item of a list is split into parts.
  private(set) var splitsItems = false
  private(set) var input = InputDescription()
  private(set) var output = OutputPlan()
  private(set) var edits = EditRequest()
  /// The level that a limiter, or the codec of the output, must not change. Nil if there is none.
  private(set) var levelTarget: LevelTarget?
  private(set) var observation = ObserverList(main: .record)

  static let name = "convert"
  static let usual = "output rate channels format start duration gain loudness tag force"
  static let abstract = "Convert encodings, containers, rates and channels; trim, fade and level."
  static let discussion = """
    Samples that nothing has to change stay exactly as they are. Of many sources each becomes a file of its own, as \
    if it were converted alone; one that fails never stops the others. The output is then a folder, or a pattern such as \
    out/{stem}.wav (see 'rawaudio help pieces').
    """

  static let examples = [
    Example(
      "A test signal of ten seconds:",
      "rawaudio convert sweep:20-20000 -d 10 --gain -3 -o sweep.flac"),
    Example(
      "Raw samples for a speech recogniser:",
      "rawaudio convert sweep.flac -r 16000 -c 1 -f s16 -t raw -o speech.raw"),
    Example(
      "The first two and a half seconds of each file, quieter, in a folder:",
      "rawaudio convert sweep.flac chord.wav -d 2.5 --gain -6 -o 'quiet/{stem}.wav'"),
  ]

  mutating func validate(in context: InvocationContext) throws(UsageError) {
    try settlePieces()
    let hasFolders = sources.contains(where: \.isFolder)
    destination.output.settle(endingIn: format.ending, keepingFolders: hasFolders)
    let isList =
      hasFolders || sources.count > 1 || destination.$existing.isGiven
      || context.given(of: .list) != nil || pieceOrigin != nil
    input = try inputs.description(track)
    if video != nil { input.track = 1 }
    try settleEdits()
    try copying.settle(context.given, sources, cutsAtMarks: recording.cutsAtMarks)
    try loudness.check(sources, beside: editing.$peaks)
    try settleLevel()
    let sink: SinkEndpoint
    if isList {
      subject = try list()
      sink = .null
      splitsItems = pieceOrigin == nil && !recording.splits.isEmpty
      if splitsItems, destination.existing == .skip {
        throw UsageError(
          "'\(destination.$existing.word) skip' is for sources that become one file each; write the parts again"
            + " with '\(destination.$existing.word) replace'")
      }
    } else {
      guard let source = sources.first else {
        throw UsageError("Missing expected argument '\($sources.label)'")
      }
      subject = .source(source)
      sink = try destination.output.sink(in: context)
      try sources.require($duration, orEnds: [edits.end])
    }
    try editing.part.requireOneEnd(beside: $duration)
    try settleOutput(sink)
    observation = try observers.list(
      in: .recording(Self.name),
      sampleRate: input.sampleRate, channelCount: input.channelCount,
      sinks: [output.sink], overwrites: output.overwrites, decoder: input.decoder)
    observation.civilTime = recording.civilTime
    observation.channelCount = edits.channelMap?.origins.count
    if isList { try requireOneOutputEach() }
  }

  private mutating func settlePieces() throws(UsageError) {
    let split = recording.cutsAtMarks ? recording.$splits : nil
    if split != nil, recording.splits.count > 1 {
      throw UsageError("'\(recording.$splits.word) marks' goes alone")
    }
    try pieces.check(
      marks: split,
      besides: [
        editing.part.$starts, editing.part.$ends, $duration, listing.list.$path,
        recording.$threshold, recording.$labels,
      ] + (split == nil ? [recording.$splits] : []))
    pieceOrigin = try pieces.origin(marks: split)
  }

  private mutating func settleEdits() throws(UsageError) {
    edits = try editing.requests(
      for: [sources.first ?? .standardInput], in: recording.civilTime)[0]
    edits.isInverted = isInverted
    edits.isReversed = isReversed
    edits.shift = shift
    if isReversed, let source = sources.first(where: { $0.isLive }) {
      throw UsageError($isReversed, needsEndOf: source)
    }
  }

  private mutating func settleOutput(_ sink: SinkEndpoint) throws(UsageError) {
    output = format.request(
      to: sink, overwrites: destination.output.overwrites,
      samplesPerCall: observers.samplesPerCall,
      metadata: try metadata.request(decoder: input.decoder))
    output.video = video
    output.track = track.tracks.first ?? 1
    output.recording.civilTime = recording.civilTime
    switch subject {
    case .source(let source):
      let (edits, decoder, civilTime) = (edits, input.decoder, recording.civilTime)
      var naming = recording.naming(liveness: sources.liveness).after(source)
      naming.time = { edits.beginning(of: source.filePath, decoder, in: civilTime) }
      try output.name(by: naming, for: destination.output.$sink)
      try output.metadata.check(fields: naming.fields, of: metadata.tags.$edits)
      do throws(AudioError) {
        if let item = naming.item { try output.metadata.fill(from: item) }
      } catch {
        throw UsageError("'\(metadata.tags.$edits.label)': \(error.reason)")
      }
    case .list(let list, _):
      try output.metadata.check(fields: list.fields, of: metadata.tags.$edits)
    }
    guard pieceOrigin == nil else { return }
    output.recording = try recording.request(
      to: splitsItems ? destination.output.sink ?? sink : output.sink,
      namedBy: destination.output.$sink, liveness: sources.liveness,
      readsTimes: edits.clock != nil)
  }

  /// Chooses the source of the level: one gain before the observers, or a target loudness behind a limiter.
  private mutating func settleLevel() throws(UsageError) {
    if loudness.$truePeak.isGiven { try limiting.requireNoCeiling(loudness.$truePeak) }
    if let target = loudness.target, let limit = limiting.limit, !loudness.isAlbum {
      if loudness.tags {
        throw UsageError(
          "'\(loudness.$tags.label)' does not go with '\(loudness.$target.label)' and '\(limiting.$limit.label)'"
            + " together; tag the result in a second run")
      }
      levelTarget = LevelTarget(loudness: target, ceiling: nil, limiter: limit.setting)
      return
    }
    if edits.peak != nil {
      levelTarget = LevelTarget(peak: .kept, limiter: limiting.limit?.setting)
    } else if loudness.target != nil, !loudness.tags, limiting.limit == nil {
      levelTarget = LevelTarget(ceiling: loudness.truePeak, isCeilingRaised: true)
    }
    guard loudness.isWanted else { return }
    edits.loudness = loudness
    edits.loudness?.limit = limiting.limit
  }

  private func list() throws(UsageError) -> Subject {
    let list = try listing.request(
      paths: try sources.pathsTogether("converted"), expecting: $sources, cutting: pieceOrigin,
      of: input.container)
    try loudness.check(list)
    let outputs = try destination.request(for: list, by: recording.naming(liveness: .none))
    return .list(list.leavingOut(outputs.names), outputs)
  }

  /// - Throws: if many sources would share a file of an observer.
  private func requireOneOutputEach() throws(UsageError) {
    for observer in observation.observers {
      guard observer.form.mode == .readOnly else { continue }
      throw UsageError(
        refused: observer, because: "many sources cannot share it; it takes one source")
    }
  }

  func run(on console: Console) throws -> ExitCode {
    output.metadata.marks?.tell(on: console)
    switch subject {
    case .source(let source):
      let control = SessionControl()
      [source].prepare(control, on: console)
      let collector = PieceCollector(
        try output.recording.openLabels(output.overwrites ? .replace : .fail), keepsPieces: false)
      return try collector.run {
        try SessionRunner(
          command: try session(
            of: editedSource(source, to: output, control: control), to: output, pieces: collector,
            on: console),
          activity: "converting",
          failureConditions: processing.failureConditions
        ).run()
      }
    case .list(let list, let outputs):
      return try ListConversion.run(self, list, outputs, on: console)
    }
  }

  func session(
    of edited: EditedSource, to output: OutputPlan, pieces: PieceCollector? = nil,
    on console: Console
  ) throws -> CommandSession {
    let session = Session(control: edited.control)
    session.resamplerQuality = processing.resamplerQuality
    if let workers = edited.workers { session.workers = workers }
    // A generated source takes this rate.
    session.mixSampleRate = output.sampleRate
    var edited = edited
    edited.workers = session.workers
    let copied = try copying.sound(of: edited, to: output, on: console)
    edited.packets = copied?.sound
    let (input, factor, levelling) = try edited.open(on: console)
    let output = SessionOutput(
      output, from: [input], edited.endpoint.liveness, dither: processing.dither,
      levelTarget: levelTarget, limit: limiting.limit)
    (output.workers, output.pieces) = (session.workers, pieces)
    (output.levelling, output.gain) = (levelling, Decibels.level(abs(factor)) + gain)
    output.namedTime = edited.keepsTime ? edited.endpoint.namedTime : nil
    try session.setLocal(input.source, gain: factor * Decibels.factor(gain))
    try edits.register(on: session, at: .record)
    var command = try CommandSession(
      session, from: [input], to: [.publish: output], observation, duration: edited.duration,
      on: console)
    command.copying = copied
    return command
  }

  /// Returns one source with its edits.
  ///
  /// - Parameters:
  ///   - part: the item of a list that states a part of the source.
  ///   - album: the facts of this source and of the album. Nil without an album.
  func editedSource(
    _ source: SourceEndpoint, to output: OutputPlan, part: ListedFile? = nil,
    workers: WorkerAllowance? = nil, control: SessionControl, album: AlbumPart? = nil
  ) -> EditedSource {
    let (edits, duration) = edits.limited(to: part, duration)
    return EditedSource(
      endpoint: source, description: input, edits: edits, duration: duration,
      sampleRate: output.sampleRate, channelCount: output.channelCount,
      noiseChannelCount: edits.channelMap == nil ? output.channelCount : nil,
      resamplerQuality: processing.resamplerQuality, workers: workers, control: control,
      album: album)
  }
}
