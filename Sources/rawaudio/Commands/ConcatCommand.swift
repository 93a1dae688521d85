// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// `rawaudio concat`: one source after another, in one output.
struct ConcatCommand: Command {
  /// One source, and the part of it that is used.
  struct Input: Sendable, Hashable {
    var source: SourceEndpoint
    var description: InputDescription
    var edits: EditRequest
  }

  /// Never empty.
  var inputs: [Input]
  var joint: SequenceJoint
  /// Whether a mark stands where each source begins.
  var marks: Bool
  /// Decibels.
  var gain: Double
  /// Of the whole.
  var fades: EditRequest
  var output: OutputRequest
  var processing: ProcessingRequest
  var observation: ObserverList

  static let name = "concat"
  static let abstract = "Join sources, one after another, in one output."
  static let discussion = """
    Nothing lies between two sources, and nothing is lost. Sources of different rates and channel counts are \
    converted; each begins where the exact sum of the lengths before it ends, rounded up to a sample. Parts of one \
    recording are converted as one stream. '--start', '--end' and the input options apply to all sources where they \
    are given once, and in order where they are given once for each; fades are those of the whole. To observers the \
    whole is one source.
    """

  static let source = Argument(
    .source(name: "source"), isRepeatable: true,
    help: """
      What to join: paths, - for standard input, alsa:NAME for a device, tone:440, noise:white, noise:pink, \
      sweep:20-20000 or silence:.
      """)
  static let gap = Option(
    "gap", .time, default: "0", help: "How much silence to put between two sources.")
  static let crossfade = Option(
    "crossfade", .length, default: "none",
    help: """
      How long the end of a source and the beginning of the next lie over each other, faded out and in. --fade-curve \
      says how; the default is equal-power.
      """)

  static let marks = Flag(
    "marks", help: "Put a mark with its name where each source begins, as far as the container can."
  )

  static let parameters: [any Declared] =
    [source, gap, crossfade, marks, EditOptions.start, EditOptions.end, ProcessingOptions.gain]
    + [EditOptions.fadeIn, EditOptions.fadeOut, EditOptions.curve]
    + ProcessingOptions.conversionParameters + InputOptions.parameters + OutputOptions.parameters
    + MetadataOptions.tagParameters + ObserverOptions.parameters(at: [.record])

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

  init(_ arguments: ParsedArguments, in context: InvocationContext) throws(UsageError) {
    let sources = try arguments.values(of: Self.source)
    let descriptions = try InputOptions.descriptions(arguments, inputCount: sources.count)
    let edits = try EditOptions.parts(arguments, of: sources)
    inputs = sources.indices.map {
      Input(source: sources[$0], description: descriptions[$0], edits: edits[$0])
    }
    gain = try arguments.value(of: ProcessingOptions.gain) ?? 0
    fades = try EditOptions.fades(arguments)
    joint = try Self.joint(arguments)
    marks = arguments.has(Self.marks)
    processing = try ProcessingOptions.request(arguments)
    output = try OutputOptions.request(arguments, in: context, sinkOnTerminal: nil)
    observation = try ObserverOptions.request(
      arguments, in: .recording(Self.name), lowest: LowestFormat(), sinks: [output.sink])
    try InputOptions.requireSingleStandardInput(sources)
    for (index, source) in sources.enumerated() where source.isEndless && edits[index].end == nil {
      let mayGoOn = source.isLive && index == sources.count - 1
      if mayGoOn { continue }
      throw UsageError(
        "Source \(index + 1) never ends; say where with '--\(EditOptions.end.declaration.name)'")
    }
  }

  private static func joint(_ arguments: ParsedArguments) throws(UsageError) -> SequenceJoint {
    let curve = try arguments.value(of: EditOptions.curve)
    let gap = try arguments.value(of: gap)
    guard let overlap = try arguments.value(of: crossfade) else {
      return gap.map { .gap($0) } ?? .direct
    }
    if gap != nil {
      throw UsageError("Sources either have a gap between them or lie over each other")
    }
    return .crossfade(overlap, curve ?? .equalPower)
  }

  func run(on console: Console) throws -> ExitCode {
    let liveness = inputs.map(\.source).liveness
    let session = Session()
    inputs.map(\.source).prepare(session.control, on: console)
    session.resamplerQuality = processing.resamplerQuality
    session.mixSampleRate = output.sampleRate
    var opened: [SessionInput] = []
    for input in inputs {
      opened.append(
        try EditedSource(
          endpoint: input.source, description: input.description, edits: input.edits,
          needsLength: marks && !input.source.isEndless, noiseChannelCount: output.channelCount,
          control: session.control
        ).open(on: console).input)
    }
    let list = SequenceSource(
      opened.map(\.source), joint: joint, quality: processing.resamplerQuality)
    list.sampleRate = output.sampleRate
    list.channelCount = output.channelCount
    if marks { list.labels = opened.map(\.name) }
    try session.setLocal(list, gain: Decibels.factor(gain))
    try fades.registerShape(on: session, at: .record)
    let sink = SessionOutput(output, processing, liveness: liveness)
    try session.setSink(.publish, sink)
    let isLive = liveness == .device || output.sink.isLive
    let observers = try InstalledObservers(
      observation, on: session, console: console, isLive: isLive, duration: nil)
    return try SessionRunner(
      command: CommandSession(
        session: session, inputs: opened, outputs: [.publish: sink], observers: observers,
        console: console),
      activity: "joining",
      failureConditions: processing.failureConditions
    ).run()
  }
}
