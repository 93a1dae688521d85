// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// `rawaudio mix`: the sum of any number of sources.
struct MixCommand: Command {
  /// One source of the mix.
  struct Input: Sendable, Hashable {
    var source: SourceEndpoint
    var description: InputDescription
    var edits: EditRequest
    /// Decibels.
    var gain: Double
    /// −1 left, 0 centre, 1 right.
    var pan: Double
    /// Where the source begins in the mix.
    var offset: TimePosition
  }

  /// Never empty.
  var inputs: [Input]
  var ducks: [DuckRequest]
  var output: OutputRequest
  var duration: TimePosition?
  var processing: ProcessingRequest
  var observation: ObserverList

  static let name = "mix"
  static let abstract = "Sum any number of sources."
  static let discussion = """
    Sources of different rates and channel counts are converted; the levels stay as they are. On a \
    terminal the mix is played on the default device, unless an output is named.
    '--gain', '--pan', '--offset', the edits and the input options apply to all sources where they are \
    given once, and in order where they are given once for each source. To observers the sources are 1, \
    2, ... in order; edits act in front of before-mixing, level, balance and offset behind it.
    """

  static let source = Argument(
    .source(name: "source"), isRepeatable: true,
    help: """
      What to mix: paths, - for standard input, alsa:NAME for a device, tone:440, noise:white, \
      noise:pink, sweep:20-20000 or silence:.
      """)
  static let gain = Option(
    "gain", .decibels, default: "0",
    help: "Change the level of a source by this many decibels (repeatable).")
  static let pan = Option(
    "pan", .pan, default: "0", help: "Balance of a source from -1, left, to 1, right (repeatable).")
  static let offset = Option(
    "offset", .time, default: "0",
    help: "Where in the mix a source begins (repeatable): \(TimePosition.forms).")
  static let duration = Option(
    "duration", short: "d", .length, default: "to the end of the last source",
    help: "How long: \(TimePosition.forms).")

  static let duck = Option(
    "duck", .duck, group: .edits,
    help: """
      Take a source down while another one sounds: 2:1,-12dB is source 2 by 12 dB under source 1 (repeatable). \
      Behind commas: threshold=-40 (dBFS, from which a sample counts), attack=0.1, hold=0.5, release=1 (seconds).
      """)

  static let parameters: [any Declared] =
    [source, gain, pan, offset, EditOptions.start, EditOptions.end, duration]
    + EditOptions.parametersForEach + [duck] + ProcessingOptions.conversionParameters
    + InputOptions.parameters + OutputOptions.parameters + MetadataOptions.parameters
    + RecordingOptions.parameters
    + ObserverOptions.parameters(at: [.playback, .beforeMixing, .mixed])

  static let examples = [
    Example(
      "Two tones, left and right:",
      "rawaudio mix tone:440 tone:660 --pan -1 --pan 1 -c 2 -d 5 -o chord.wav"),
    Example(
      "The second source a second and a half later, both 6 dB quieter:",
      """
      rawaudio mix chord.wav chord.wav --offset 0 --offset 1.5 \\
        --gain -6 -o sum.wav
      """),
    Example("Through another program:", "rawaudio mix chord.wav sum.wav | ffmpeg -i - out.mp3"),
  ]

  init(_ arguments: ParsedArguments, in context: InvocationContext) throws(UsageError) {
    let sources = try arguments.values(of: Self.source)
    let gains = try arguments.values(of: Self.gain, perInput: sources.count)
    let pans = try arguments.values(of: Self.pan, perInput: sources.count)
    let offsets = try arguments.values(of: Self.offset, perInput: sources.count)
    let descriptions = try InputOptions.descriptions(arguments, inputCount: sources.count)
    let edits = try EditOptions.requestsForEach(arguments, of: sources)
    inputs = sources.indices.map { index in
      Input(
        source: sources[index], description: descriptions[index], edits: edits[index],
        gain: gains[index] ?? 0, pan: pans[index] ?? 0, offset: offsets[index] ?? .samples(0))
    }
    duration = try arguments.value(of: Self.duration)
    ducks = try Self.ducks(arguments, of: sources.count)
    processing = try ProcessingOptions.request(arguments)
    output = try OutputOptions.request(arguments, in: context, sinkOnTerminal: .device("default"))
    output.recording = try RecordingOptions.request(
      arguments, to: output.sink, liveness: sources.liveness)
    observation = try ObserverOptions.request(
      arguments, in: .summing(sources.count, Self.name),
      lowest: LowestFormat(sampleRate: output.sampleRate, channelCount: output.channelCount),
      sinks: [output.sink])
    try InputOptions.requireSingleStandardInput(sources)
    try ProcessingOptions.requireDuration(duration, orEnds: edits.map(\.end), for: sources)
  }

  private static func ducks(
    _ arguments: ParsedArguments, of sourceCount: Int
  ) throws(UsageError) -> [DuckRequest] {
    let ducks = try arguments.values(of: duck)
    for request in ducks where max(request.ducked, request.key) > sourceCount {
      throw UsageError(
        invalid: "\(max(request.ducked, request.key))", for: duck.declaration,
        because: "there are \(sourceCount) sources")
    }
    return ducks
  }

  func run(on console: Console) throws -> ExitCode {
    let session = Session()
    let liveness = inputs.map(\.source).liveness
    inputs.map(\.source).prepare(session.control, on: console)
    session.resamplerQuality = processing.resamplerQuality
    session.mixSampleRate = output.sampleRate
    session.mixChannelCount = output.channelCount
    session.mixDuration = duration
    var opened: [SessionInput] = []
    for (index, input) in inputs.enumerated() {
      let edited = EditedSource(
        endpoint: input.source, description: input.description, edits: input.edits,
        sweepDuration: duration, noiseChannelCount: output.channelCount,
        resamplerQuality: processing.resamplerQuality, control: session.control)
      let (source, factor) = try edited.open(on: console)
      opened.append(source)
      try session.addRemote(
        source.source,
        entry: MixEntry(
          gain: factor * Decibels.factor(input.gain), pan: input.pan, offset: input.offset))
      try input.edits.register(on: session, at: .beforeMixing, of: SourceKey(ordinal: index + 1))
    }
    for duck in ducks {
      let (ducked, key) = (SourceKey(ordinal: duck.ducked), SourceKey(ordinal: duck.key))
      let observer = DuckObserver(
        ducked, under: key, by: duck.decibels, times: duck.times, threshold: duck.threshold)
      for source in [key, ducked] { try session.register(observer, from: source) }
    }
    let output = SessionOutput(output, processing, liveness: liveness)
    try session.setSink(.playback, output)
    let isLive = liveness == .device || self.output.sink.isLive
    let observers = try InstalledObservers(
      observation, on: session, console: console, isLive: isLive, duration: duration)
    return try SessionRunner(
      command: CommandSession(
        session: session, inputs: opened, outputs: [.playback: output], observers: observers,
        console: console),
      activity: "mixing",
      failureConditions: processing.failureConditions
    ).run()
  }
}
