internal import AudioCore

/// `rawaudio convert`: one source to one sink.
struct ConvertCommand: Command {
  var source: SourceEndpoint
  var input: InputDescription
  var output: OutputRequest
  var start: TimePosition?
  var duration: TimePosition?
  /// Decibels.
  var gain: Double
  var processing: ProcessingRequest
  var observation: ObserverList

  static let name = "convert"
  static let abstract = "Convert encodings, containers, rates and channels; trim."
  static let discussion = "Samples that nothing has to change stay exactly as they are."

  static let source = Argument(
    .source(name: "source"),
    help: """
      What to convert: a path, - for standard input, alsa:NAME for a device, tone:440, noise:white, \
      noise:pink, sweep:20-20000 or silence:.
      """)

  static let parameters: [any Declared] =
    [source, ProcessingOptions.start, ProcessingOptions.duration, ProcessingOptions.gain]
    + ProcessingOptions.conversionParameters + InputOptions.parameters
    + [
      OutputOptions.output, OutputOptions.force, OutputOptions.type, rate, channels, format,
    ] + RecordingOptions.parameters + ObserverOptions.parameters(at: [.record])

  static let rate = Option(
    "rate", short: "r", .sampleRate, default: "the source's", group: .output,
    help: "Sample rate of the output.")
  static let channels = Option(
    "channels", short: "c", .channelCount, default: "the source's", group: .output,
    help: "Channels of the output.")
  static let format = Option(
    "format", short: "f", .encoding, default: "the source's", group: .output,
    help: "Encoding of the output: u8, s16, s24, s32, f32, f64, ulaw, ...")

  static let examples = [
    Example(
      "A test signal of ten seconds:",
      "rawaudio convert sweep:20-20000 -d 10 --gain -3 -o sweep.flac"),
    Example(
      "Raw samples for a speech recogniser:",
      "rawaudio convert sweep.flac -r 16000 -c 1 -f s16 -t raw -o speech.raw"),
    Example(
      "Two and a half seconds of it, quieter:",
      "rawaudio convert sweep.flac --start 5 -d 2.5 --gain -6 -o part.wav"),
  ]

  init(_ arguments: ParsedArguments, in context: InvocationContext) throws(UsageError) {
    guard let source = try arguments.value(of: Self.source) else {
      throw UsageError("Missing expected argument '\(Self.source.declaration.usage)'")
    }
    self.source = source
    input = try InputOptions.descriptions(arguments, inputCount: 1)[0]
    start = try arguments.value(of: ProcessingOptions.start)
    duration = try arguments.value(of: ProcessingOptions.duration)
    gain = try arguments.value(of: ProcessingOptions.gain) ?? 0
    processing = try ProcessingOptions.request(arguments)
    output = try OutputOptions.request(arguments, in: context, sinkOnTerminal: nil)
    output.recording = try RecordingOptions.request(arguments, to: output.sink)
    observation = try ObserverOptions.request(
      arguments, in: .recording(Self.name),
      lowest: LowestFormat(sampleRate: input.sampleRate, channelCount: input.channelCount),
      sinks: [output.sink])
    try ProcessingOptions.requireDuration(duration, for: [source])
  }

  func run(on console: Console) throws -> ExitCode {
    let session = Session()
    session.resamplerQuality = processing.resamplerQuality
    // A generated source takes this rate.
    session.mixSampleRate = output.sampleRate
    let input = try source.input(input, duration: duration)
      .trimmed(start: start, duration: duration)
    let output = SessionOutput(output, processing, isRecording: source.isDevice)
    try session.setLocal(input.source, gain: Decibels.factor(gain))
    try session.setSink(.publish, output)
    let isLive = source.isDevice || self.output.sink.isDevice
    let observers = try InstalledObservers(
      observation, on: session, console: console, isLive: isLive, duration: duration)
    return try SessionRunner(
      command: CommandSession(
        session: session, inputs: [input], outputs: [.publish: output], observers: observers,
        console: console),
      activity: "converting", endsBySignal: isLive, failureConditions: processing.failureConditions
    ).run()
  }
}
