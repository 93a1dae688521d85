// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioPrograms
internal import AudioCore

/// `rawaudio session`: local, remote and shared sources, three sinks, every observer.
struct SessionCommand: Command {
  /// A source that enters the sum.
  struct Incoming: Sendable, Hashable {
    var source: SourceEndpoint
    var key: SourceKey
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
  /// The level of SCHED_FIFO; nil for ordinary threads.
  var priority: Int?
  var duration: TimePosition?
  /// The socket through which programs join; nil where none do.
  var socketPath: String?
  /// How many samples a second a program that joins may ask for; nil = as many as usual.
  var clientLimit: Int?
  /// Whether the session ends when the last source has left.
  var endsWhenEmpty: Bool
  var processing: ProcessingRequest
  var observation: ObserverList
  var meter: StatusRequest.Meter
  var timeline: TimelineRequest
  var unattended: UnattendedRequest

  static let name = "session"
  static let abstract = "Run local, remote and shared sources, three sinks and observers at once."
  static let discussion = """
    The local source passes record and goes to the publish sink. Remote and shared sources pass \
    before-mixing; their sum passes playback and goes to the playback sink. Both together pass mixed \
    and go to the mixed sink. At least one source is needed, and a sink or an observer that tells \
    something. The options of the output are those of every sink that is a file.
    With --listen, programs in any language join while the session runs: as sources, as observers, or in \
    control. /usr/share/doc/rawaudio/joining.md says how (or below /usr/local/share).
    """

  static let local = Option(
    "local", .source(name: "source"), help: "The source that passes record, with the id local."
  ).givenOnce
  static let remote = Option(
    "remote", .namedSource,
    help: """
      A source that passes before-mixing (repeatable). Its id is its place among the remote sources, \
      from 1, unless one is named: anna=a.wav, room/anna=a.wav.
      """)
  static let shared = Option(
    "shared", .namedSource,
    help: "The same for a source that everybody shares; its id is shared unless one is named.")
  static let publish = Option("publish", .sink, help: "Where the local source goes to.").givenOnce
  static let playback = Option(
    "playback", .sink, help: "Where the sum of the remote and shared sources goes to."
  ).givenOnce
  static let mixed = Option("mixed", .sink, help: "Where record and playback together go to.")
    .givenOnce
  static let duration = Option(
    "duration", short: "d", .length, default: "to the end of the last source",
    help: """
      How long, of the local source and of the sum: \(TimePosition.forms).
      """)
  static let listen = Option(
    "listen", .path(name: "socket"),
    help: """
      Let programs join through a Unix socket, which only you can connect to and which is removed at \
      the end. The session goes on without a source, until it is stopped.
      """
  ).givenOnce
  static let clientLimit = Option(
    "client-limit", .samplesPerSecond, default: "\(SessionListener.Options().samplesPerSecond)",
    help: """
      With --listen, how many samples a second a program may send or ask for, rate times channels; all together eight \
      times as many. By default 16 channels at 192 kHz.
      """)
  static let untilEmpty = Flag(
    "until-empty",
    help: "With --listen, end when the last source has left, once there was one.")
  static let force = Flag("force", group: .output, help: "Replace existing files.")
  static let rate = Option(
    "rate", short: "r", .sampleRate, default: "the highest among the sources", group: .output,
    help: "Sample rate of the sums and of every file.")
  static let channels = Option(
    "channels", short: "c", .channelCount, default: "the largest count among the sources",
    group: .output, help: "Channels of the sums and of every file.")

  static let sinks = [
    (SinkPlace.publish, publish), (.playback, playback), (.mixed, mixed),
  ]

  static let parameters: [any Declared] =
    [local, remote, shared, publish, playback, mixed, duration, listen, clientLimit, untilEmpty]
    + ProcessingOptions.conversionParameters + [TimelineOptions.json] + InputOptions.parameters
    + [force, OutputOptions.type, rate, channels, OutputOptions.format]
    + OutputOptions.encoderParameters + RecordingOptions.parameters + UnattendedOptions.parameters
    + [DeviceOptions.periodSize, DeviceOptions.bufferSize, DeviceOptions.priority]
    + TimelineOptions.sessionParameters
    + [StatusOptions.meter]
    + ObserverOptions.parameters(at: [.record, .beforeMixing, .shared, .playback, .mixed])

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
      "Whoever joins, in one file and in a track each; all lie side by side:",
      """
      rawaudio session --listen joining.sock -d 3 --playback joined.wav \\
        --observe before-mixing:tap=joined-%s.wav
      """),
  ]

  init(_ arguments: ParsedArguments, in context: InvocationContext) throws(UsageError) {
    meter = try arguments.value(of: StatusOptions.meter) ?? .line
    let localSource = try arguments.value(of: Self.local)
    let remotes = try arguments.values(of: Self.remote)
    let shared = try arguments.values(of: Self.shared)
    let endpoints = (localSource.map { [$0] } ?? []) + (remotes + shared).map(\.endpoint)
    var descriptions = try InputOptions.descriptions(arguments, inputCount: endpoints.count)[...]
    local = localSource.flatMap { source in
      descriptions.popFirst().map { Local(source: source, description: $0) }
    }
    let keys = NamedSource.keys(of: remotes, shared: shared)
    incoming = zip(zip(remotes + shared, keys), descriptions).enumerated().map { index, item in
      Incoming(
        source: item.0.0.endpoint, key: item.0.1, isShared: index >= remotes.count,
        description: item.1)
    }
    outputs = [:]
    for (place, option) in Self.sinks {
      guard let sink = try arguments.value(of: option) else { continue }
      outputs[place] = try OutputOptions.request(arguments, to: sink)
    }
    let format = try arguments.value(of: OutputOptions.format)
    sampleRate = try arguments.value(of: Self.rate) ?? format?.sampleRate
    channelCount = try arguments.value(of: Self.channels) ?? format?.channelCount
    periodSize = try arguments.value(of: DeviceOptions.periodSize)
    bufferSize = try arguments.value(of: DeviceOptions.bufferSize)
    timeline = try TimelineOptions.request(arguments)
    unattended = try UnattendedOptions.request(
      arguments, sinks: outputs.values.map(\.sink), timeline)
    timeline.reopens = unattended.reopens
    priority = try arguments.value(of: DeviceOptions.priority)
    duration = try arguments.value(of: Self.duration)
    socketPath = try arguments.value(of: Self.listen)
    clientLimit = try arguments.value(of: Self.clientLimit)
    endsWhenEmpty = arguments.has(Self.untilEmpty)
    processing = try ProcessingOptions.request(arguments)
    try RecordingOptions.apply(
      arguments, to: &outputs, named: Self.sinks,
      liveness: socketPath != nil ? .device : endpoints.liveness)
    for (declaration, isGiven) in [
      (Self.untilEmpty.declaration, endsWhenEmpty),
      (Self.clientLimit.declaration, clientLimit != nil),
    ] where isGiven && socketPath == nil {
      throw UsageError("'\(declaration.label)' needs '\(Self.listen.declaration.label)'")
    }
    let main: ObservationPosition = localSource == nil ? .playback : .record
    observation = ObserverList(main: main)
    try check(endpoints)
    observation = try ObserverOptions.request(
      arguments, in: scene(main), lowest: lowest(main), sinks: outputs.values.map(\.sink))
    try checkThatSomethingComesOut()
  }

  private func scene(_ main: ObservationPosition) -> ObservationScene {
    var positions: [ObservationPosition] = local == nil ? [] : [.record]
    if hasSum {
      let hasShared = isOpen || incoming.contains(where: \.isShared)
      positions += hasShared ? [.beforeMixing, .shared, .playback] : [.beforeMixing, .playback]
    }
    return ObservationScene(
      name: "this session", main: main, positions: positions + [.mixed],
      local: local == nil ? [] : [.local],
      incoming: incoming.map(\.key),
      hasMixedSink: outputs[.mixed] != nil, isOpen: isOpen)
  }

  /// Whether sources join while the session runs.
  private var isOpen: Bool { socketPath != nil }

  /// Whether there is, or may be, a source that enters the sum.
  private var hasSum: Bool { isOpen || !incoming.isEmpty }

  private func lowest(_ main: ObservationPosition) -> LowestFormat {
    if main == .playback {
      return LowestFormat(sampleRate: sampleRate, channelCount: channelCount)
    }
    return LowestFormat(
      sampleRate: local?.description.sampleRate, channelCount: local?.description.channelCount)
  }

  /// Checks that the options fit together.
  private func check(_ endpoints: [SourceEndpoint]) throws(UsageError) {
    if endpoints.isEmpty, !isOpen {
      throw UsageError(
        "A session needs a source: \(Self.labels([Self.local], [Self.remote, Self.shared]))")
    }
    try InputOptions.requireSingleStandardInput(endpoints)
    if !isOpen { try ProcessingOptions.requireDuration(duration, for: endpoints) }
    var taken: Set<SourceKey> = [.local]
    for source in incoming where !taken.insert(source.key).inserted {
      throw UsageError("Two sources have the id '\(source.key)'; name each with ID=SOURCE")
    }
    if outputs[.publish] != nil, local == nil {
      throw UsageError(
        "'\(Self.publish.declaration.label)' needs \(Self.labels([Self.local], []))")
    }
    if outputs[.playback] != nil, !hasSum {
      throw UsageError(
        "'\(Self.playback.declaration.label)' needs \(Self.labels([], [Self.remote, Self.shared]))")
    }
  }

  /// A session whose audio goes nowhere is a mistake.
  private func checkThatSomethingComesOut() throws(UsageError) {
    guard outputs.isEmpty, !isOpen, !observation.observers.contains(where: \.tells) else { return }
    let sinks = Self.sinks.map { "'\($0.1.declaration.label)'" }.joinedAsAlternatives
    throw UsageError(
      "A session needs a sink, \(sinks), or an observer that tells something, such as"
        + " '--observe mixed:meter'")
  }

  private static func labels(
    _ local: [Option<SourceEndpoint>], _ others: [Option<NamedSource>]
  ) -> String {
    (local.map(\.declaration) + others.map(\.declaration)).map { "'\($0.label)'" }
      .joinedAsAlternatives
  }

  func run(on console: Console) throws -> ExitCode {
    let session = Session()
    session.resamplerQuality = processing.resamplerQuality
    session.mixSampleRate = sampleRate
    session.mixChannelCount = channelCount
    session.mixDuration = duration
    let endpoints = (local.map { [$0.source] } ?? []) + incoming.map(\.source)
    endpoints.prepare(session.control, on: console)
    let inputs = try addSources(to: session)
    let liveness = isOpen ? .device : inputs.map(\.liveness).max() ?? .none
    let isLive = liveness == .device || outputs.values.contains { $0.sink.isLive }
    let sinks = outputs.mapValues { request in
      SessionOutput(
        request.sink.isLive ? OutputRequest(sink: request.sink, overwrites: false) : request,
        processing, device: playbackOptions, liveness: liveness)
    }
    for (place, output) in sinks { try session.setSink(place, output) }
    let observers = try InstalledObservers(
      observation, on: session, console: console, isLive: isLive, isOpen: isOpen,
      duration: duration)
    let guests = try socketPath.map { (path) throws(AudioError) in
      try JoiningPrograms(
        at: path, in: session, untilEmpty: endsWhenEmpty, options: listening,
        splitting: sinks.values.compactMap(\.partControl), console: console)
    }
    defer { guests?.end() }
    return try SessionRunner(
      command: CommandSession(
        session: session, inputs: inputs, outputs: sinks, observers: observers, console: console,
        timeline: timeline),
      activity: "running", failureConditions: processing.failureConditions,
      status: StatusRequest(position: isLive ? meterPosition : nil, meter: meter),
      unattended: unattended
    ).run()
  }

  private var listening: SessionListener.Options {
    var options = SessionListener.Options()
    if let clientLimit { options.samplesPerSecond = clientLimit }
    let label = Self.clientLimit.declaration.label
    options.advice = "ask for less, or raise the limit of the session with '\(label)'"
    return options
  }

  /// Where levels are measured: what is played, else what is recorded.
  private var meterPosition: ObservationPosition? {
    let hasSum = isOpen || !incoming.isEmpty
    if hasSum, isOpen || outputs[.playback] != nil { return .playback }
    return local != nil && outputs[.publish] != nil ? .record : nil
  }

  private func addSources(to session: Session) throws(AudioError) -> [SessionInput] {
    var inputs: [SessionInput] = []
    if let local {
      let input = try local.source.input(
        local.description, device: deviceOptions, duration: duration, channelCount: channelCount
      ).limited(to: duration)
      try session.setLocal(input.source)
      inputs.append(input)
    }
    for source in incoming {
      let input = try source.source.input(
        source.description, device: deviceOptions, duration: duration, channelCount: channelCount)
      if source.isShared {
        try session.addShared(input.source, id: source.key.id, group: source.key.group)
      } else {
        try session.addRemote(input.source, id: source.key.id, group: source.key.group)
      }
      inputs.append(input)
    }
    return inputs
  }

  /// The buffering that is asked of every device that plays. The device chooses the rest.
  private var playbackOptions: AlsaOptions { AlsaOptions(device) }

  private var device: DeviceRequest {
    DeviceRequest(name: "", periodSize: periodSize, bufferSize: bufferSize, priority: priority)
  }

  /// What is asked of every device that records. The device chooses the rest.
  private var deviceOptions: AlsaOptions {
    AlsaOptions(device, timeline)
  }
}
