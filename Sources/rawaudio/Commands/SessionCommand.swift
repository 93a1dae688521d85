internal import AudioCore

/// `rawaudio session`: local, remote and shared sources, three sinks, every observer.
struct SessionCommand: Command {
  /// A source that enters the sum.
  struct Incoming: Sendable, Hashable {
    var source: NamedSource
    var id: SourceID
    var isShared: Bool
    var description: InputDescription
  }

  /// The source that passes `record`.
  struct Local: Sendable, Hashable {
    var source: SourceEndpoint
    var description: InputDescription
  }

  var local: Local?
  /// Remote sources, then shared ones.
  var incoming: [Incoming]
  var outputs: [SinkPlace: OutputRequest]
  /// Of the sums, in hertz.
  var sampleRate: Int?
  var channelCount: Int?
  var periodSize: DeviceLength?
  var bufferSize: DeviceLength?
  /// The level of SCHED_FIFO; nil = ordinary threads.
  var priority: Int?
  var duration: TimePosition?
  var processing: ProcessingRequest
  var observation: ObservationRequest
  var timeline: TimelineRequest

  static let name = "session"
  static let abstract = "Run local, remote and shared sources, three sinks and observers at once."
  static let discussion = """
    The local source passes record and goes to the publish sink. Remote and shared sources pass \
    before-mixing; their sum passes playback and goes to the playback sink. Both together pass mixed \
    and go to the mixed sink. At least one source is needed, and a sink or an observer that tells \
    something. The options of the output are those of every sink that is a file.
    """

  static let examples = [
    Example(
      "Two voices and music: what is heard, and a track for each:",
      """
      rawaudio session --remote room/anna=tone:300 --remote room/ben=tone:500 \\
        --shared music=noise:pink -d 3 --observe before-mixing:gain=-12 \\
        --observe before-mixing:tap=track-%s.wav --playback heard.wav
      """),
    Example(
      "A meeting: the microphone in one file, everything in another:",
      """
      rawaudio session --local alsa:default --remote heard.wav -d 3 \\
        --publish me.wav --mixed meeting.wav
      """),
    Example(
      "The level of one source at 16 kHz, ten times a second:",
      """
      rawaudio session --remote anna=heard.wav --observe \\
        before-mixing,rate=16000,channels=1,samples-per-call=1600:events=level.json
      """),
  ]

  init(_ arguments: ParsedArguments, in context: InvocationContext) throws(UsageError) {
    let localSource = try arguments.value(of: Self.local)
    let remotes = try arguments.values(of: Self.remote)
    let shared = try arguments.values(of: Self.shared)
    let endpoints = (localSource.map { [$0] } ?? []) + (remotes + shared).map(\.endpoint)
    var descriptions = try InputOptions.descriptions(arguments, inputCount: endpoints.count)[...]
    local = localSource.flatMap { source in
      descriptions.popFirst().map { Local(source: source, description: $0) }
    }
    let ids =
      remotes.enumerated().map { $1.id ?? SourceID(ordinal: $0 + 1) }
      + shared.map { $0.id ?? .shared }
    incoming = zip(zip(remotes + shared, ids), descriptions).enumerated().map { index, item in
      Incoming(
        source: item.0.0, id: item.0.1, isShared: index >= remotes.count, description: item.1)
    }
    outputs = [:]
    for (place, option) in Self.sinks {
      guard let sink = try arguments.value(of: option) else { continue }
      outputs[place] = try OutputOptions.request(arguments, to: sink)
    }
    sampleRate = try arguments.value(of: Self.rate)
    channelCount = try arguments.value(of: Self.channels)
    periodSize = try arguments.value(of: DeviceOptions.periodSize)
    bufferSize = try arguments.value(of: DeviceOptions.bufferSize)
    timeline = try TimelineOptions.request(arguments)
    priority = try arguments.value(of: DeviceOptions.priority)
    duration = try arguments.value(of: Self.duration)
    processing = try ProcessingOptions.request(arguments)
    let main: ObservationPosition = localSource == nil ? .playback : .record
    observation = ObservationRequest(main: main)
    try check(endpoints)
    observation = try ObserverOptions.request(
      arguments, in: scene(main), lowest: lowest(main), sinks: outputs.values.map(\.sink))
    try checkThatSomethingComesOut()
  }

  private func scene(_ main: ObservationPosition) -> ObservationScene {
    var positions: [ObservationPosition] = local == nil ? [] : [.record]
    if !incoming.isEmpty { positions += [.beforeMixing, .playback] }
    return ObservationScene(
      name: "this session", main: main, positions: positions + [.mixed],
      local: local == nil ? [] : [.init(id: .local)],
      incoming: incoming.map { .init(id: $0.id, group: $0.source.group) },
      hasMixedSink: outputs[.mixed] != nil)
  }

  private func lowest(_ main: ObservationPosition) -> LowestFormat {
    if main == .playback {
      return LowestFormat(sampleRate: sampleRate, channelCount: channelCount)
    }
    return LowestFormat(
      sampleRate: local?.description.sampleRate, channelCount: local?.description.channelCount)
  }
}
