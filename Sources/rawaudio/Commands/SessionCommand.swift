// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioCore

/// `rawaudio session`: local, remote and shared sources, three sinks, every observer.
struct SessionCommand: Command {
  /// A source that enters the sum.
  struct Incoming: Sendable, Equatable {
    var source: SourceEndpoint
    var key: SourceKey
    var isShared: Bool
    var description: InputDescription
  }

  /// The source that passes `record`.
  struct Local: Sendable, Equatable {
    var source: SourceEndpoint
    var description: InputDescription
  }

  @Option(
    "local", .source(name: "source"), givenOnce: true,
    help: "The source that passes record, with the id local.")
  var localSource: SourceEndpoint?
  @Option(
    "remote", .namedSource,
    help: """
      A source that passes before-mixing (repeatable). Its id is its place among the remote sources, \
      from 1, unless one is named: anna=a.wav, room/anna=a.wav.
      """)
  var remotes: [NamedSource]
  @Option(
    "shared", .namedSource,
    help: "As --remote, for a source that all share; its id is shared unless one is named.")
  var shared: [NamedSource]
  @Option("publish", .sink, givenOnce: true, help: "Where the local source goes to.")
  var publish: SinkEndpoint?
  @Option(
    "playback", .sink, givenOnce: true,
    help: "Where the sum of the remote and shared sources goes to.")
  var playback: SinkEndpoint?
  @Option("mixed", .sink, givenOnce: true, help: "Where record and playback together go to.")
  var mixed: SinkEndpoint?
  @Option(
    "playback-of", .sourcePlayback,
    help: "A file or pipe for all that one source hears: mixed without itself (repeatable).")
  var playbacks: [SourcePlayback]
  @Option(
    "tracks", .trackPattern, givenOnce: true,
    help: """
      Files for each remote and shared source by itself; {source} in the name is its id (GROUP-ID with groups). The \
      name may be a pattern as with --split.
      """)
  var trackPattern: String?
  @Option(
    .duration(
      default: "to the end of the last source", of: ", of the local source and of the sum"))
  var duration: TimePosition?
  /// The socket through which programs join. Nil if no programs can join.
  @Option(
    "listen", .path(name: "socket"), givenOnce: true,
    help: """
      Let programs join through a Unix socket, which only you can connect to and which is removed at \
      the end. The session goes on without a source, until it is stopped.
      """)
  var socketPath: String?
  /// The largest number of samples per second that a joining program may request. Nil = the default.
  @Option(
    "client-limit", .samplesPerSecond, default: "\(SessionListener.Options().samplesPerSecond)",
    help: """
      With --listen, how many samples a second a program may send or ask for, rate times channels; all together eight \
      times as many. By default 16 channels at 192 kHz.
      """)
  var clientLimit: Int?
  /// Whether the session ends after the last source has left.
  @Flag(
    "until-empty",
    help: "With --listen, end when the last source has left, once there was one.")
  var endsWhenEmpty: Bool
  var processing = ProcessingOptions()
  var input = InputOptions()
  @Flag(.force(help: "Replace existing files.")) var overwrites: Bool
  @Option(
    "existing", .choice(name: "what"), default: "fail", group: .output,
    help: "If all files of the sinks exist already: fail, skip the session, or replace them.")
  var existing: ExistingOutput
  /// Rate and channels also apply to the sums.
  var format = OutputFormatOptions(
    of: "the sums and of every file", rate: "the highest among the sources",
    channels: "the largest count among the sources")
  var origin = OriginOptions()
  var recording = RecordingOptions()
  var unattended = UnattendedRequest()
  var buffering = BufferingOptions()
  var timeline = TimelineRequest()
  var status = StatusRequest()
  var observers = ObserverOptions(at: [.record, .beforeMixing, .shared, .playback, .mixed])
  var configuration = ConfigurationOptions()

  private(set) var local: Local?
  /// Remote sources, then shared ones.
  private(set) var incoming: [Incoming] = []
  private(set) var outputs: [SinkPlace: OutputPlan] = [:]
  private(set) var observation = ObserverList(main: .playback)

  static let name = "session"
  static let usual = "local remote shared publish playback mixed tracks duration listen observe"
  static let abstract = "Run local, remote and shared sources, three sinks and observers at once."
  static let discussion = """
    The local source passes record and goes to the publish sink. Remote and shared sources pass \
    before-mixing; their sum passes playback and goes to the playback sink. Both together pass mixed \
    and go to the mixed sink. At least one source is needed, and a sink or an observer that tells \
    something. The options of the output are those of every sink that is a file.
    With --listen, programs in any language join while the session runs: as sources, as observers, or in \
    control. /usr/share/doc/rawaudio/joining.md says how (or below /usr/local/share).
    """

  static let examples = [
    Example(
      "Two voices and music: the sum, and a track for each:",
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
      "All sources that join, in one file and in aligned tracks:",
      """
      rawaudio session --listen joining.sock -d 3 --playback joined.wav \\
        --observe before-mixing:tap=joined-%s.wav
      """),
  ]

  mutating func validate(in context: InvocationContext) throws(UsageError) {
    let endpoints = (localSource.map { [$0] } ?? []) + (remotes + shared).map(\.endpoint)
    var descriptions = try input.descriptions(count: endpoints.count)[...]
    local = localSource.flatMap { source in
      descriptions.popFirst().map { Local(source: source, description: $0) }
    }
    let keys = NamedSource.keys(of: remotes, shared: shared)
    incoming = zip(zip(remotes + shared, keys), descriptions).enumerated().map { index, item in
      Incoming(
        source: item.0.0.endpoint, key: item.0.1, isShared: index >= remotes.count,
        description: item.1)
    }
    existing = try existing.settled($existing, $overwrites)
    overwrites = existing == .replace
    let sinks: [(SinkPlace, SinkEndpoint?)] =
      [(.publish, publish), (.playback, playback), (.mixed, mixed)]
      + playbacks.map { ($0.place, $0.sink) } + tracks
    for (place, sink) in sinks {
      guard let sink else { continue }
      guard outputs[place] == nil else {
        throw UsageError("The \(place) has two sinks; give it one")
      }
      outputs[place] = format.request(
        to: sink, overwrites: overwrites, samplesPerCall: observers.samplesPerCall)
    }
    for (place, option) in sinkOptions {
      var naming = recording.naming(
        liveness: isOpen ? .live : endpoints.liveness, goesOn: true)
      if let key = place.source { naming.nameSource(key.fileName) }
      try outputs[place]?.name(by: naming, for: option)
    }
    try context.checkDeviceOptions(of: endpoints, outputs.values.map(\.sink))
    try unattended.check(outputs.values.map(\.sink), timeline)
    timeline.reopens = unattended.reopens
    try recording.apply(
      to: &outputs, namedBy: sinkOptions, liveness: isOpen ? .live : endpoints.liveness)
    for place in outputs.keys { try outputs[place]?.recording.wait(for: unattended) }
    if !isOpen, let stray = [$endsWhenEmpty, $clientLimit].first(where: \.isGiven) {
      throw UsageError(stray, needs: [$socketPath])
    }
    let main: ObservationPosition = local == nil ? .playback : .record
    try check(endpoints)
    let (sampleRate, channelCount) =
      main == .playback
      ? (format.sampleRate, format.channelCount)
      : (local?.description.sampleRate, local?.description.channelCount)
    let request = try origin.request()
    for place in outputs.keys { outputs[place]?.recording.origin = request }
    observation = try observers.list(
      in: scene(main), sampleRate: sampleRate, channelCount: channelCount,
      sinks: outputs.values.map(\.sink), overwrites: overwrites, decoder: input.decoding.decoder)
    observation.civilTime = recording.civilTime
    try checkThatSomethingComesOut()
  }

  private var sinkOptions: [(SinkPlace, Declaration)] {
    [(.publish, $publish), (.playback, $playback), (.mixed, $mixed)]
      + playbacks.map { ($0.place, $playbacks) } + tracks.map { ($0.0, $trackPattern) }
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
      hasPlaybackSink: outputs[.playback] != nil, hasMixedSink: outputs[.mixed] != nil,
      isOpen: isOpen)
  }

  /// Whether sources join while the session runs.
  private var isOpen: Bool { socketPath != nil }

  /// Whether a source enters the sum, or may join later.
  private var hasSum: Bool { isOpen || !incoming.isEmpty }

  /// Checks that the options fit together.
  private func check(_ endpoints: [SourceEndpoint]) throws(UsageError) {
    if endpoints.isEmpty, !isOpen {
      throw UsageError(
        "A session needs a source: \(labels($localSource, $remotes, $shared))")
    }
    try endpoints.requireSingleStandardInput()
    if !isOpen { try endpoints.require($duration) }
    var taken: Set<SourceKey> = [.local]
    for source in incoming where !taken.insert(source.key).inserted {
      throw UsageError("Two sources have the id '\(source.key)'; name each with ID=SOURCE")
    }
    for playback in playbacks where !isOpen && !taken.contains(playback.key) {
      throw UsageError(
        invalid: playback.key.description, for: $playbacks, because: "no source has this id")
    }
    if outputs[.publish] != nil, local == nil {
      throw UsageError("'\($publish.label)' needs \(labels($localSource))")
    }
    if trackPattern != nil, incoming.isEmpty {
      throw UsageError("'\($trackPattern.label)' needs \(labels($remotes, $shared))")
    }
    if outputs[.playback] != nil, !hasSum {
      throw UsageError("'\($playback.label)' needs \(labels($remotes, $shared))")
    }
  }

  /// Rejects a session whose audio goes nowhere.
  private func checkThatSomethingComesOut() throws(UsageError) {
    guard outputs.isEmpty, !isOpen, !observation.observers.contains(where: \.tells) else { return }
    let sinks = labels($publish, $playback, $mixed, $playbacks, $trackPattern)
    throw UsageError(
      "A session needs a sink, \(sinks), or an observer that tells something, such as"
        + " '--observe mixed:meter'")
  }

  private func labels(_ options: Declaration...) -> String {
    options.map { "'\($0.label)'" }.joinedAsAlternatives
  }

  /// Whether all files of the sinks exist. A pattern names new ones.
  private var isDone: Bool {
    let files = outputs.values.filter { $0.recording.names == nil }.compactMap(\.sink.ownPath)
    return !files.isEmpty && files.count == outputs.count
      && files.allSatisfy { isRegularFile($0) == true }
  }

  func run(on console: Console) throws -> ExitCode {
    if existing == .skip, isDone {
      console.note("nothing to do: the files of all sinks exist")
      return .success
    }
    let session = Session()
    session.resamplerQuality = processing.resamplerQuality
    session.mixSampleRate = format.sampleRate
    session.mixChannelCount = format.channelCount
    session.duration = duration
    let endpoints = (local.map { [$0.source] } ?? []) + incoming.map(\.source)
    endpoints.prepare(session.control, on: console)
    let inputs = try addSources(to: session)
    let liveness = isOpen ? .live : inputs.map(\.liveness).max() ?? .none
    let isLive = liveness == .live || outputs.values.contains { $0.sink.isLive }
    let sinks = Dictionary(
      uniqueKeysWithValues: outputs.map { place, plan in
        (place, output(at: place, plan, inputs, liveness))
      })
    let command = try CommandSession(
      session, from: inputs, to: sinks, observation, duration: duration, isOpen: isOpen,
      timeline: timeline, on: console)
    let guests = try socketPath.map { (path) throws(AudioError) in
      try JoiningPrograms(
        at: path, in: session, untilEmpty: endsWhenEmpty, options: listening,
        splitting: sinks.values.compactMap(\.partControl), console: console)
    }
    defer { guests?.end() }
    return try SessionRunner(
      command: command, activity: "running", failureConditions: processing.failureConditions,
      status: status.measuring(at: isLive ? meterPosition : nil),
      unattended: unattended
    ).run()
  }

  private var listening: SessionListener.Options {
    var options = SessionListener.Options()
    if let clientLimit { options.samplesPerSecond = clientLimit }
    let label = $clientLimit.label
    options.advice = "ask for less, or raise the limit of the session with '\(label)'"
    return options
  }

  /// The position of the level measurement: playback with a sink or joining programs, else a published record.
  private var meterPosition: ObservationPosition? {
    if hasSum, isOpen || outputs[.playback] != nil { return .playback }
    return local != nil && outputs[.publish] != nil ? .record : nil
  }

  /// The files of single sources: `--tracks`.
  private var tracks: [(SinkPlace, SinkEndpoint?)] {
    trackPattern.map { pattern in incoming.map { (.track($0.key), .file(pattern)) } } ?? []
  }

  /// - Parameter liveness: of all sources.
  private func output(
    at place: SinkPlace, _ plan: OutputPlan, _ inputs: [SessionInput], _ liveness: Liveness
  ) -> SessionOutput {
    var (inputs, isLive) = (inputs, liveness == .live)
    if case .track(let key) = place,
      let index = incoming.firstIndex(where: { $0.key == key })
    {
      inputs = [inputs[(local == nil ? 0 : 1) + index]]
      // The file of a device says when it began, as that of a capture does.
      isLive = inputs[0].liveness == .live
    }
    let output = SessionOutput(
      plan.sink.isLive ? OutputPlan(sink: plan.sink) : plan, from: inputs, liveness,
      dither: processing.dither)
    output.deviceRequest = DeviceRequest(buffering)
    output.tellsOrigin = isLive && !origin.isHidden
    return output
  }

  private func addSources(to session: Session) throws(AudioError) -> [SessionInput] {
    var inputs: [SessionInput] = []
    if let local {
      let input = try local.source.input(
        local.description, device: deviceRequest, duration: duration,
        channelCount: format.channelCount
      ).cut(.init(duration: duration, purpose: .limit))
      try session.setLocal(input.source)
      inputs.append(input)
    }
    for source in incoming {
      let input = try source.source.input(
        source.description, device: deviceRequest, duration: duration,
        channelCount: format.channelCount)
      if source.isShared {
        try session.addShared(input.source, id: source.key.id, group: source.key.group)
      } else {
        try session.addRemote(input.source, id: source.key.id, group: source.key.group)
      }
      inputs.append(input)
    }
    return inputs
  }

  /// The request to every recording device. The device chooses the rest.
  private var deviceRequest: DeviceRequest { DeviceRequest(buffering, timeline) }
}

extension SinkPlace {
  /// The only source that its sink is for. Nil if it is for several.
  fileprivate var source: SourceKey? {
    switch self {
    case .track(let key), .playbackOf(let key): key
    case .publish, .playback, .mixed: nil
    }
  }
}

extension OutputNaming {
  /// Gives the name the field of a session's source: its id, with that of its group in front.
  fileprivate mutating func nameSource(_ name: String) {
    fields = ["source"]
    item = ListedFile("", number: 1)
    item?.texts = ["source": name]
  }
}
