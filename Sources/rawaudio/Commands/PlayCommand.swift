// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioCore

/// `rawaudio play`: files, one after another, on an ALSA device.
struct PlayCommand: Command {
  /// The play list; never empty.
  var sources: [SourceEndpoint]
  /// One for each source.
  var inputs: [InputDescription]
  var device: DeviceRequest
  var start: TimePosition?
  var duration: TimePosition?
  /// Decibels.
  var gain: Double
  var processing: ProcessingRequest
  var observation: ObserverList
  var meter: StatusRequest.Meter

  static let name = "play"
  static let abstract = "Play files or standard input on a device."
  static let discussion = """
    Plays one after the other without a gap; Ctrl-C ends it. To observers the whole play list is one \
    source with the id 1.
    """

  static let source = Argument(
    .source(name: "source"), isRepeatable: true,
    help: """
      What to play: paths, - for standard input, tone:440, noise:white, noise:pink, sweep:20-20000 or \
      silence:.
      """)

  static let parameters: [any Declared] =
    [source, ProcessingOptions.start, ProcessingOptions.duration, ProcessingOptions.gain]
    + ProcessingOptions.conversionParameters + InputOptions.parameters + [force]
    + DeviceOptions.parameters
    + [StatusOptions.meter]
    + ObserverOptions.parameters(at: [.playback, .beforeMixing, .mixed], reachesPipes: false)

  static let force = Flag(
    OutputOptions.force.declaration.name, group: .observers,
    help: "Replace existing files of taps and events.")

  static let examples = [
    Example("A tone of three seconds:", "rawaudio play tone:440 --gain -20 -d 3"),
    Example(
      "What another program makes:", "sox -n -t wav - synth 3 sine 440 | rawaudio play -"),
  ]

  init(_ arguments: ParsedArguments, in context: InvocationContext) throws(UsageError) {
    sources = try arguments.values(of: Self.source)
    inputs = try InputOptions.descriptions(arguments, inputCount: sources.count)
    device = try DeviceOptions.request(arguments)
    start = try arguments.value(of: ProcessingOptions.start)
    duration = try arguments.value(of: ProcessingOptions.duration)
    gain = try arguments.value(of: ProcessingOptions.gain) ?? 0
    processing = try ProcessingOptions.request(arguments)
    try InputOptions.requireSingleStandardInput(sources)
    if sources.dropLast().contains(where: \.isEndless) {
      throw UsageError("A generated source or a device never ends; only the last source can be one")
    }
    meter = try arguments.value(of: StatusOptions.meter) ?? .line
    observation = try ObserverOptions.request(
      arguments, in: .summing(1, Self.name), lowest: LowestFormat(), sinks: [])
  }

  func run(on console: Console) throws -> ExitCode {
    let session = Session()
    sources.prepare(session.control, on: console)
    session.resamplerQuality = processing.resamplerQuality
    var opened: [SessionInput] = []
    for (source, description) in zip(sources, inputs) {
      opened.append(try source.input(description, duration: duration))
    }
    let list = SessionInput(
      SequenceSource(opened.map(\.source), quality: processing.resamplerQuality),
      name: opened.map(\.name).joined(separator: "', '"))
    let input = list.trimmed(start: start, duration: duration)
    try session.addRemote(input.source, entry: MixEntry(gain: Decibels.factor(gain)))
    let output = SessionOutput(
      OutputRequest(sink: .device(device.name), overwrites: false), processing,
      device: options(on: console))
    try session.setSink(.playback, output)
    let observers = try InstalledObservers(
      observation, on: session, console: console, isLive: true, duration: duration)
    return try SessionRunner(
      command: CommandSession(
        session: session, inputs: opened, outputs: [.playback: output], observers: observers,
        console: console),
      activity: "playing", failureConditions: processing.failureConditions,
      status: StatusRequest(position: .playback, meter: meter)
    ).run()
  }

  /// What is asked of the device. Files are there in time, so samples may wait, as long as nobody sees it; what comes
  /// through a pipe is to be heard at once.
  private func options(on console: Console) -> AlsaOptions {
    var options = AlsaOptions(device)
    if observation.observers.isEmpty, sources.liveness == .none {
      options.latency = console.longestLatency
    }
    return options
  }
}
