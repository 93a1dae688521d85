// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// `rawaudio mix`: the sum of any number of sources.
struct MixCommand: Command {
  /// One source of the mix.
  struct Input: Sendable {
    var source: SourceEndpoint
    var description = InputDescription()
    var edits = EditRequest()
    /// Decibels.
    var gain = 0.0
    /// −1 left, 0 centre, 1 right.
    var pan = 0.0
    /// The start of the source in the mix.
    var offset = TimePosition.samples(0)

    /// The wanted sound tracks. A file that cannot be read now fails when it is opened.
    func tracks(_ wanted: SoundTracks) -> [SoundTrack] {
      var file: DecodedFileInformation? {
        guard case .file(let path) = source,
          case .decodedFile(let file)? = try? FileInformation(
            path: path, decoder: description.decoder ?? .automatic)
        else { return nil }
        return file
      }
      return switch wanted {
      case .all: (1...(file?.streamCount ?? 1)).map { .number($0) }
      case .some(let tracks): tracks
      case .named(let title, let parts):
        file?.hasSoundTrack(titled: title) == true ? [.named(title)] : parts
      }
    }
  }

  @Argument(
    .source(name: "source"), help: SourceEnds.help("What to mix: paths,"))
  var sources: [SourceEndpoint]
  @Option(
    "gain", .decibels, default: "0",
    help: "Change the level of a source by this many decibels (repeatable).")
  var gains: [Double]
  @Option(
    "pan", .pan, default: "0", help: "Balance of a source from -1, left, to 1, right (repeatable).")
  var pans: [Double]
  @Option(
    "offset", .time, default: "0",
    help: "Where in the mix a source begins (repeatable): \(TimePosition.forms).")
  var offsets: [TimePosition]
  @Option(
    "track", .soundTracks, default: "1",
    help:
      "Sound tracks of a source, as sources of their own: 2, 1,3, all, or a title or language (repeatable)."
  )
  var tracks: [SoundTracks]
  @Flag(
    "to-channels",
    help:
      "Give the channels of each source places of their own, one behind the other, instead of a sum."
  )
  var joinsChannels: Bool
  var edits = EditOptions(
    normalizing: """
      Change the level so that the largest sample of the sum is at so many dBFS; given once for each source, that of each.
      """)
  @Option(.duration(default: "to the end of the last source")) var duration: TimePosition?
  @Option(
    "invert", .sourceNumbers, impliedValue: "all", group: .edits,
    help: "Invert the polarity of all sources, or of some: --invert=2,3.")
  var inverted: [SourceNumbers]
  @Option(
    "duck", .duck, group: .edits,
    help: """
      Take a source down while another one sounds: 2:1,-12dB is source 2 by 12 dB under source 1 (repeatable). \
      Behind commas: threshold=-40 (dBFS, from which a sample counts), attack=0.1, hold=0.5, release=1 (seconds).
      """)
  var ducks: [DuckRequest]
  var level = LevelOptions()
  var processing = ProcessingOptions()
  var input = InputOptions()
  var destination = OutputOptions()
  var format = OutputFormatOptions()
  var metadata = MetadataOptions()
  var recording = RecordingOptions()
  var observers = ObserverOptions(at: [.playback, .beforeMixing, .mixed])

  /// Never empty.
  private(set) var inputs: [Input] = []
  private(set) var output = OutputPlan()
  private(set) var levelTarget: LevelTarget?
  private(set) var observation = ObserverList(main: .playback)

  static let name = "mix"
  static let usual = "output gain offset pan duration loudness limit duck track force"
  static let abstract = "Sum any number of sources."
  static let discussion = """
    Sources of different rates and channel counts are converted; the levels stay as they are. On a \
    terminal the mix is played on the default device, unless an output is named.
    '--gain', '--pan', '--offset', the edits and the input options apply to all sources if given once, \
    and in order if given once for each source. To observers the sources are 1, \
    2, ... in order; edits act in front of before-mixing, level, balance and offset behind it.
    """

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

  mutating func validate(in context: InvocationContext) throws(UsageError) {
    inputs = try mixInputs()
    let sources = inputs.map(\.source)
    for duck in ducks {
      try requireSource(max(duck.ducked, duck.key), of: $ducks, among: inputs)
    }
    output = format.request(
      to: try destination.sink(in: context, onTerminal: .device("default")),
      overwrites: destination.overwrites, samplesPerCall: observers.samplesPerCall,
      metadata: try metadata.request(decoder: input.decoding.decoder))
    try output.name(
      by: recording.naming(liveness: sources.liveness).after(sources.first),
      for: destination.$sink)
    output.recording = try recording.request(
      to: output.sink, namedBy: destination.$sink, liveness: sources.liveness)
    observation = try observers.list(
      in: .summing(sources.count, Self.name),
      sampleRate: output.sampleRate, channelCount: output.channelCount,
      sinks: [output.sink], overwrites: output.overwrites, decoder: input.decoding.decoder)
    levelTarget = try level.target(
      isLive: sources.contains { $0.isLive }, output.sink, peak: edits.peakOfSum, edits.$peaks)
    try sources.requireSingleStandardInput()
    try sources.require($duration, orEnds: inputs.map(\.edits.end))
  }

  private func mixInputs() throws(UsageError) -> [Input] {
    var inputs = sources.map { Input(source: $0) }
    try _gains.apply(to: &inputs) { $0.gain = $1 }
    try _pans.apply(to: &inputs) { $0.pan = $1 }
    try _offsets.apply(to: &inputs) { $0.offset = $1 }
    let descriptions = try input.descriptions(count: sources.count)
    let edits = try edits.requests(forSumOf: sources)
    for index in inputs.indices {
      (inputs[index].description, inputs[index].edits) = (descriptions[index], edits[index])
    }
    var wanted = Array(repeating: SoundTracks.some([1]), count: sources.count)
    try _tracks.apply(to: &wanted) { $0 = $1 }
    inputs = zip(inputs, wanted).flatMap { input, tracks in
      input.tracks(tracks).map { track in
        var input = input
        input.description.track = track
        return input
      }
    }
    for numbers in inverted {
      if case .some(let some) = numbers {
        try requireSource(some.max() ?? 0, of: $inverted, among: inputs)
      }
      for index in inputs.indices where numbers.contains(index + 1) {
        inputs[index].edits.isInverted = true
      }
    }
    return inputs
  }

  /// - Throws: if an option names a missing source.
  private func requireSource(
    _ number: Int, of option: Declaration, among inputs: [Input]
  ) throws(UsageError) {
    guard number > inputs.count else { return }
    throw UsageError(
      invalid: "\(number)", for: option, because: "there are \(inputs.count) sources")
  }

  /// The names of the channels that the sources become: those in the sources, else the names of the sources.
  private func trackNames(of opened: [SessionInput]) throws(AudioError) -> [String] {
    var names: [String] = []
    for (input, opened) in zip(inputs, opened) {
      let metadata = try opened.source.metadata()
      let count = input.edits.channelMap?.origins.count ?? metadata?.channelCount ?? 1
      let given =
        input.edits.channelMap == nil
        ? metadata?.trackNames(of: count) ?? [] : []
      let name = input.source.filePath?.fileStem ?? input.source.name
      for channel in 0..<count {
        let own = channel < given.count ? given[channel] : nil
        names.append(own ?? (count == 1 ? name : "\(name)-\(channel + 1)"))
      }
    }
    return names
  }

  func run(on console: Console) throws -> ExitCode {
    output.metadata.marks?.tell(on: console)
    let session = Session()
    let sources = inputs.map(\.source)
    let liveness = sources.liveness
    sources.prepare(session.control, on: console)
    session.resamplerQuality = processing.resamplerQuality
    session.mixSampleRate = output.sampleRate
    session.mixChannelCount = output.channelCount
    session.duration = duration
    var opened: [SessionInput] = []
    for (index, input) in inputs.enumerated() {
      let edited = EditedSource(
        endpoint: input.source, description: input.description, edits: input.edits,
        sweepDuration: duration, noiseChannelCount: output.channelCount,
        resamplerQuality: processing.resamplerQuality, control: session.control)
      let (source, factor, _) = try edited.open(on: console)
      opened.append(source)
      var entry = MixEntry(
        gain: factor * Decibels.factor(input.gain), pan: input.pan, offset: input.offset)
      entry.hasOwnChannels = joinsChannels
      try session.addRemote(source.source, entry: entry)
      try input.edits.register(on: session, at: .beforeMixing, of: SourceKey(ordinal: index + 1))
    }
    for duck in ducks {
      let (ducked, key) = (SourceKey(ordinal: duck.ducked), SourceKey(ordinal: duck.key))
      let observer = DuckObserver(
        ducked, under: key, by: duck.decibels, times: duck.times, threshold: duck.threshold)
      for source in [key, ducked] { try session.register(observer, from: source) }
    }
    let output = SessionOutput(
      output, from: opened, liveness, dither: processing.dither, levelTarget: levelTarget,
      limit: level.limiting.limit)
    output.isSum = true
    if joinsChannels {
      output.trackNames = { () throws(AudioError) in try trackNames(of: opened) }
    }
    return try SessionRunner(
      command: CommandSession(
        session, from: opened, to: [.playback: output], observation, duration: duration,
        on: console),
      activity: "mixing",
      failureConditions: processing.failureConditions
    ).run()
  }
}
