// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// `rawaudio convert`: one source to one sink, or many files to as many.
struct ConvertCommand: Command {
  enum Subject: Sendable, Hashable {
    case source(SourceEndpoint)
    case list(WorkListRequest, OutputListRequest)
  }

  var subject: Subject
  var input: InputDescription
  var output: OutputRequest
  var edits: EditRequest
  var duration: TimePosition?
  /// Decibels.
  var gain: Double
  var processing: ProcessingRequest
  var observation: ObserverList

  static let name = "convert"
  static let abstract = "Convert encodings, containers, rates and channels; trim, fade and level."
  static let discussion = """
    Samples that nothing has to change stay exactly as they are. Of many sources each becomes a file of its own, as \
    if it were converted alone; one that fails never stops the others. The output's name is then a pattern: {path} is \
    the source's folder below the one that all share, {stem} its name without extension, {id} what the list calls it, \
    {n} its place in the list from 1; {{ and }} are braces.
    """

  static let source = Argument(
    .source(name: "source"), isRequired: false, isRepeatable: true,
    help: """
      What to convert: any number of paths, or one of - for standard input, alsa:NAME for a device, tone:440, \
      noise:white, noise:pink, sweep:20-20000 or silence:.
      """)

  static let parameters: [any Declared] =
    [
      source, EditOptions.start, EditOptions.end, ProcessingOptions.duration,
      ProcessingOptions.gain,
    ]
    + EditOptions.parameters + LoudnessOptions.edits + ProcessingOptions.conversionParameters
    + WorkListOptions.parameters
    + InputOptions.parameters
    + [
      OutputOptions.output, OutputOptions.force, OutputListOptions.existing, OutputOptions.type,
      rate, channels, format,
    ] + OutputOptions.encoderParameters + MetadataOptions.parameters + LoudnessOptions.tags
    + RecordingOptions.parameters
    + ObserverOptions.parameters(at: [.record])

  static let rate = Option(
    "rate", short: "r", .sampleRate, default: "the source's", group: .output,
    help: "Sample rate of the output.")
  static let channels = Option(
    "channels", short: "c", .channelCount, default: "the source's", group: .output,
    help: "Channels of the output.")
  static let format = Option(
    "format", short: "f", .format, default: "the source's", group: .output,
    help: "Encoding of the output: u8, s16, s24, s32, f32, f64, ulaw, ...")

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

  init(_ arguments: ParsedArguments, in context: InvocationContext) throws(UsageError) {
    let sources = try arguments.values(of: Self.source)
    let isList =
      sources.count > 1 || WorkListOptions.areUsed(arguments)
      || arguments.has(OutputListOptions.existing)
    input = try InputOptions.descriptions(arguments, inputCount: 1)[0]
    edits = try EditOptions.requests(arguments, for: [sources.first ?? .standardInput])[0]
    edits.isInverted = arguments.has(EditOptions.invert)
    edits.loudness = try LoudnessOptions.request(arguments, of: sources)
    duration = try arguments.value(of: ProcessingOptions.duration)
    gain = try arguments.value(of: ProcessingOptions.gain) ?? 0
    processing = try ProcessingOptions.request(arguments)
    if isList {
      try Self.requireWholeFiles(of: sources, arguments)
      subject = try Self.list(of: sources, edits.loudness, arguments)
      output = try OutputOptions.request(arguments, to: .null)
    } else {
      guard let source = sources.first else {
        throw UsageError("Missing expected argument '\(Self.source.declaration.label)'")
      }
      subject = .source(source)
      output = try OutputOptions.request(arguments, in: context, sinkOnTerminal: nil)
      try ProcessingOptions.requireDuration(duration, orEnds: [edits.end], for: [source])
    }
    try edits.requireOneEnd(beside: duration)
    output.recording = try RecordingOptions.request(
      arguments, to: output.sink, liveness: sources.liveness)
    observation = try ObserverOptions.request(
      arguments, in: .recording(Self.name),
      lowest: LowestFormat(sampleRate: input.sampleRate, channelCount: input.channelCount),
      sinks: [output.sink])
    observation.channelCount = edits.channelMap?.origins.count
    if isList { try requireOneOutputEach() }
  }

  /// Throws where a source of a list would become parts.
  private static func requireWholeFiles(
    of sources: [SourceEndpoint], _ arguments: ParsedArguments
  ) throws(UsageError) {
    let partial: [any Declared] = [RecordingOptions.split, RecordingOptions.threshold]
    guard let asked = partial.first(where: arguments.has) else { return }
    let ofLists: [any Declared] = WorkListOptions.parameters + [OutputListOptions.existing]
    guard sources.count == 1, !arguments.has(WorkListOptions.list),
      let listed = ofLists.first(where: arguments.has)
    else {
      throw UsageError(
        "'\(RecordingOptions.split.declaration.label)' and '\(RecordingOptions.threshold.declaration.label)'"
          + " take one source")
    }
    throw UsageError(
      "'\(asked.declaration.label)' does not go with '\(listed.declaration.label)', which is for sources that become"
        + " one file each; leave one of them out")
  }

  private static func list(
    of sources: [SourceEndpoint], _ loudness: LoudnessRequest?, _ arguments: ParsedArguments
  ) throws(UsageError) -> Subject {
    var paths: [String] = []
    for source in sources {
      guard case .file(let path) = source else {
        throw UsageError(
          "Only files can be converted together; standard input, a device and a generated signal go alone"
        )
      }
      paths.append(path)
    }
    let list = try WorkListOptions.request(
      arguments, paths: paths, expecting: Self.source.declaration)
    try loudness?.check(list)
    let sink = try arguments.value(of: OutputOptions.output)
    return .list(list, try OutputListOptions.request(arguments, to: sink, of: list))
  }

  /// Throws where many sources would write into one file beside their outputs.
  private func requireOneOutputEach() throws(UsageError) {
    for observer in observation.observers {
      guard observer.form.mode == .readOnly else { continue }
      throw UsageError(
        invalid: observer.text, for: ObserverOptions.observe.declaration,
        because: "many sources cannot share it; it takes one source")
    }
  }

  func run(on console: Console) throws -> ExitCode {
    switch subject {
    case .source(let source):
      let isLive = source.isLive || output.sink.isLive
      let control = SessionControl()
      [source].prepare(control, on: console)
      return try SessionRunner(
        command: try session(
          from: source, to: output, isLive: isLive, control: control, on: console),
        activity: "converting",
        failureConditions: processing.failureConditions
      ).run()
    case .list(let list, let outputs):
      return try ListConversion(command: self, outputs: outputs, console: console).run(list)
    }
  }

  /// The session that converts one source.
  ///
  /// - Parameter album: what is known of it and of all sources of the run; nil where each is by itself.
  func session(
    from source: SourceEndpoint, to output: OutputRequest, isLive: Bool = false,
    start: TimePosition? = nil, duration: TimePosition? = nil, workers: WorkerAllowance? = nil,
    control: SessionControl = SessionControl(), album: AlbumPart? = nil, on console: Console
  ) throws -> CommandSession {
    let session = Session(control: control)
    session.resamplerQuality = processing.resamplerQuality
    if let workers { session.workers = workers }
    // A generated source takes this rate.
    session.mixSampleRate = output.sampleRate
    let duration = duration ?? self.duration
    let edited = editedSource(
      source, to: output, start: start, duration: duration, workers: session.workers,
      control: control, album: album)
    let (input, factor, levelling) = try edited.openLevelled(on: console)
    let output = SessionOutput(
      output, processing, liveness: source.liveness, workers: session.workers)
    output.levelling = levelling
    output.input = input
    output.gain = Decibels.level(abs(factor)) + gain
    try session.setLocal(input.source, gain: factor * Decibels.factor(gain))
    try edits.register(on: session, at: .record)
    try session.setSink(.publish, output)
    let observers = try InstalledObservers(
      observation, on: session, console: console, isLive: isLive, duration: duration)
    return CommandSession(
      session: session, inputs: [input], outputs: [.publish: output], observers: observers,
      console: console)
  }

  /// One source and what is done to it.
  func editedSource(
    _ source: SourceEndpoint, to output: OutputRequest, start: TimePosition?,
    duration: TimePosition?, workers: WorkerAllowance?, control: SessionControl,
    album: AlbumPart? = nil
  ) -> EditedSource {
    var edits = edits
    if let start { edits.start = .fromStart(start) }
    return EditedSource(
      endpoint: source, description: input, edits: edits, duration: duration,
      sampleRate: output.sampleRate, channelCount: output.channelCount,
      noiseChannelCount: edits.channelMap == nil ? output.channelCount : nil,
      resamplerQuality: processing.resamplerQuality, workers: workers, control: control,
      album: album)
  }
}
