// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// `rawaudio play`: files, one after another, on an ALSA device.
struct PlayCommand: Command {
  /// The play list. Never empty.
  @Argument(
    .source(name: "source"), help: SourceEnds.help("What to play: paths,", devices: false))
  var sources: [SourceEndpoint]
  @Option(
    "start", .time, default: "0", help: "Where in the source to begin: \(TimePosition.forms).")
  var start: TimePosition?
  @Option(.duration(default: "to the end")) var duration: TimePosition?
  /// Decibels.
  @Option(.gain) var gain: Double
  var filtering = FilterOptions()
  var limiting = LimitOptions()
  var processing = ProcessingOptions()
  var track = TrackOptions()
  var input = InputOptions()
  @Flag(.force(.observers, help: "Replace existing files of taps and events."))
  var overwrites: Bool
  var device = DeviceOptions(.playingDevice)
  var status = StatusRequest()
  var observers = ObserverOptions(
    at: [.playback, .beforeMixing, .mixed], reachesPipes: false)

  /// One description per source.
  private(set) var inputs: [InputDescription] = []
  private(set) var observation = ObserverList(main: .playback)
  private(set) var filters = EditRequest()

  static let name = "play"
  static let usual = "device start duration gain highpass lowpass limit meter name verbose"
  static let abstract = "Play files or standard input on a device."
  static let discussion = """
    Plays one after the other without a gap; Ctrl-C ends it. To observers the whole play list is one \
    source with the id 1.
    """

  static let examples = [
    Example("A tone of three seconds:", "rawaudio play tone:440 --gain -20 -d 3"),
    Example(
      "The output of another program:", "sox -n -t wav - synth 3 sine 440 | rawaudio play -"),
  ]

  mutating func validate(in context: InvocationContext) throws(UsageError) {
    inputs = try input.descriptions(count: sources.count, track)
    try sources.requireSingleStandardInput()
    if sources.dropLast().contains(where: \.isEndless) {
      throw UsageError("A generated source or a device never ends; only the last source can be one")
    }
    observation = try observers.list(
      in: .summing(1, Self.name), sinks: [], overwrites: overwrites,
      decoder: input.decoding.decoder)
    filters = try filtering.ofWhole()
    try context.checkDeviceOptions(of: [], [device.end])
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
    let input = list.cut(.init(start: start.map { .fromStart($0) }, duration: duration))
    try session.addRemote(input.source, entry: MixEntry(gain: Decibels.factor(gain)))
    let output = SessionOutput(
      OutputPlan(sink: device.end), from: [], .none, dither: processing.dither,
      limit: limiting.limit)
    output.deviceRequest = request(on: console)
    try filters.registerShape(on: session, at: .beforeMixing)
    return try SessionRunner(
      command: CommandSession(
        session, from: opened, to: [.playback: output], observation, duration: duration,
        on: console),
      activity: "playing", failureConditions: processing.failureConditions,
      status: status.measuring(at: .playback)
    ).run()
  }

  /// The request to the device. Samples of files may wait, within the latency that the status line hides. Samples of a
  /// pipe are played at once.
  private func request(on console: Console) -> DeviceRequest {
    var request = DeviceRequest(device.buffering)
    if observation.observers.isEmpty, limiting.limit == nil, sources.liveness == .none {
      request.latency = console.longestLatency
    }
    return request
  }
}
