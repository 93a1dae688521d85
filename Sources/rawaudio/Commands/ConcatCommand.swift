// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// `rawaudio concat`: one source after another, in one output.
struct ConcatCommand: Command {
  @Argument(
    .source(name: "source"), help: SourceEnds.help("What to join: paths,"))
  var sources: [SourceEndpoint]
  @Option("gap", .time, default: "0", help: "How much silence to put between two sources.")
  var gap: TimePosition?
  @Option(
    "crossfade", .length, default: "none",
    help: """
      How long the end of a source and the beginning of the next lie over each other, faded out and in. --fade-curve \
      says how; the default is equal-power.
      """)
  var crossfade: TimePosition?
  @Flag(
    "marks",
    help: "Put a mark with its title or name where each source begins, if the container has marks."
  )
  var marks: Bool
  var part = PartOptions()
  var zone = ZoneOptions()
  /// Decibels.
  @Option(.gain) var gain: Double
  var fades = FadeOptions()
  var filtering = FilterOptions()
  var level = LevelOptions()
  var processing = ProcessingOptions()
  var track = TrackOptions()
  var input = InputOptions()
  var destination = OutputOptions()
  var format = OutputFormatOptions()
  var tags = TagOptions()
  var observers = ObserverOptions(at: [.record])

  /// One description and one used part for each source.
  private(set) var descriptions: [InputDescription] = []
  private(set) var edits: [EditRequest] = []
  /// The edits of the whole output: its filters, then its fades.
  private(set) var wholeEdits: [EditRequest] = []
  private(set) var joint = SequenceJoint.direct
  private(set) var output = OutputPlan()
  private(set) var levelTarget: LevelTarget?
  private(set) var observation = ObserverList(main: .record)

  static let name = "concat"
  static let usual = "output gap crossfade fade-in fade-out start end loudness format force"
  static let abstract = "Join sources, one after another, in one output."
  static let discussion = """
    Nothing lies between two sources, and nothing is lost. Sources of different rates and channel counts are \
    converted; each begins where the exact sum of the lengths before it ends, rounded up to a sample. Parts of one \
    recording are converted as one stream. '--start', '--end' and the input options apply to all sources if \
    given once, and in order if given once for each; fades are those of the whole. To observers the \
    whole is one source.
    """

  static let examples = [
    Example(
      "Parts of a recording as one file:", "rawaudio concat sweep.flac sweep.flac -o whole.wav"),
    Example(
      "A second of silence between two files:",
      "rawaudio concat chord.wav sum.wav --gap 1 -o list.flac"),
    Example(
      "One fades into the other:",
      "rawaudio concat chord.wav sum.wav --crossfade 0.5 --fade-out 2 -o faded.wav"),
  ]

  mutating func validate(in context: InvocationContext) throws(UsageError) {
    descriptions = try input.descriptions(count: sources.count, track)
    edits = try part.requests(for: sources, in: zone.civilTime)
    try fades.requireFade(or: $crossfade)
    wholeEdits = [try filtering.ofWhole(), try fades.ofWhole()]
    joint = try jointOfSources()
    if edits.first?.clock != nil, let other = [$gap, $crossfade, $marks].first(where: \.isGiven) {
      throw UsageError(
        "'\(other.label)' does not go with times of day, which say where each part lies")
    }
    output = format.request(
      to: try destination.sink(in: context), overwrites: destination.overwrites,
      samplesPerCall: observers.samplesPerCall,
      metadata: tags.request(decoder: input.decoding.decoder))
    output.recording.civilTime = zone.civilTime
    var naming = OutputNaming(liveness: sources.liveness).after(sources.first)
    naming.civilTime = zone.civilTime
    let (first, path, decoder) = (edits[0], sources[0].filePath, input.decoding.decoder)
    naming.time = { [zone] in first.beginning(of: path, decoder, in: zone.civilTime) }
    try output.name(by: naming, for: destination.$sink)
    observation = try observers.list(
      in: .recording(Self.name), sinks: [output.sink], overwrites: output.overwrites,
      decoder: input.decoding.decoder)
    levelTarget = try level.target(isLive: sources.contains { $0.isLive }, output.sink)
    try sources.requireSingleStandardInput()
    for (index, source) in sources.enumerated() where source.isEndless && edits[index].end == nil {
      let mayGoOn = source.isLive && index == sources.count - 1
      if mayGoOn { continue }
      throw UsageError("Source \(index + 1) never ends; say where with '\(part.$ends.word)'")
    }
  }

  private func jointOfSources() throws(UsageError) -> SequenceJoint {
    guard let crossfade else { return gap.map { .gap($0) } ?? .direct }
    if gap != nil {
      throw UsageError("Sources either have a gap between them or lie over each other")
    }
    return .crossfade(crossfade, fades.curves.last ?? .equalPower)
  }

  /// The sources with silence between them, by the clock, and the moment of the first sample.
  private func clockedInputs(
    _ clock: ClockPart, _ control: SessionControl, on console: Console
  ) throws(AudioError) -> (inputs: [SessionInput], start: Int64) {
    let parts = try ClockedParts(sources.compactMap(\.filePath), clock, input.decoding.decoder)
    parts.notes.forEach(console.note)
    let inputs = try parts.pieces.map { (piece) throws(AudioError) in
      switch piece {
      case .gap(let count, _):
        return SessionInput(SilenceSource(), name: "silence")
          .cut(.init(duration: .samples(count), purpose: .limit))
      case .part(let index, let range):
        var edits = EditRequest()
        edits.start = .fromStart(.samples(range.lowerBound))
        edits.end = .fromStart(.samples(range.upperBound))
        return try EditedSource(
          endpoint: sources[index], description: descriptions[index], edits: edits,
          control: control
        ).open(on: console).input
      }
    }
    return (inputs, parts.startTime)
  }

  func run(on console: Console) throws -> ExitCode {
    let liveness = sources.liveness
    let session = Session()
    sources.prepare(session.control, on: console)
    session.resamplerQuality = processing.resamplerQuality
    session.mixSampleRate = output.sampleRate
    var opened: [SessionInput] = []
    var startTime: Int64?
    if let clock = edits.first?.clock {
      (opened, startTime) = try clockedInputs(clock, session.control, on: console)
    }
    for (index, source) in sources.enumerated() where edits[index].clock == nil {
      opened.append(
        try EditedSource(
          endpoint: source, description: descriptions[index], edits: edits[index],
          needsLength: marks && source.canBeReadAhead, noiseChannelCount: output.channelCount,
          control: session.control
        ).open(on: console).input)
    }
    let list = SequenceSource(
      opened.map(\.source), joint: joint, quality: processing.resamplerQuality)
    list.sampleRate = output.sampleRate
    list.channelCount = output.channelCount
    if marks {
      list.labels = zip(sources, opened).map { source, input in
        if case .file(let path) = source { path.fileStem } else { input.name }
      }
    }
    try session.setLocal(list, gain: Decibels.factor(gain))
    for edits in wholeEdits { try edits.registerShape(on: session, at: .record) }
    let sink = SessionOutput(
      output, from: opened, liveness, dither: processing.dither, levelTarget: levelTarget,
      limit: level.limiting.limit)
    sink.startTime = startTime
    return try SessionRunner(
      command: CommandSession(
        session, from: opened, to: [.publish: sink], observation, duration: nil, on: console),
      activity: "joining",
      failureConditions: processing.failureConditions
    ).run()
  }
}
