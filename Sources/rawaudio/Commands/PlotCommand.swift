// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioPictures
internal import AudioCore

/// `rawaudio plot`: pictures of sound, and peaks.
struct PlotCommand: Command {
  /// The output made from the sound.
  enum Product: Sendable, Hashable {
    case picture(PictureSink.Format, PlotOptions)
    /// Goes to standard output.
    case terminal(TerminalRequest, PlotOptions)
    case peaks(PeakFormat)
  }

  enum Subject: Sendable, Equatable {
    case source(SourceEndpoint)
    case list(WorkListRequest, OutputListRequest)
  }

  @Argument(
    .source(name: "source"), isRequired: false,
    help: SourceEnds.help("What to draw: any number of files and folders, or one of"))
  var sources: [SourceEndpoint]
  var part = PartOptions()
  var zone = ZoneOptions()
  @Option(.duration(default: "to the end")) var duration: TimePosition?
  var failures = FailureOptions()
  var channelMap = ChannelMapOptions()
  var listing = WorkListOptions()
  var track = TrackOptions()
  var inputs = InputOptions()
  @Option(
    "output", short: "o", .path(name: "path"), default: "standard output", group: .output,
    givenOnce: true, help: "Where to write: a path, or - for standard output.")
  var output: String?
  @Flag(.force()) var overwrites: Bool
  @Option(
    "existing", .choice(name: "what"), default: "fail", group: .output,
    help: "What to do if an output exists: fail, skip its source, or replace it.")
  var existing: ExistingOutput
  @Option(
    "type", short: "t", .choice(name: "type"),
    default: "by the output's name, else png", group: .output,
    help: "What to write: a picture (png, svg), or peaks (dat, json).")
  var type: PictureKind?
  @Flag("json", group: .output, help: "Short for --type json.") var isJSON: Bool
  @Flag("dat", group: .output, help: "Short for --type dat.") var isDat: Bool
  @Option(
    "terminal", .choice(name: "style"),
    impliedValue: TerminalPicture.Style.automatic.rawValue, group: .output,
    help: """
      Draw into the terminal, with its characters; --terminal=blocks or --terminal=braille for one kind only, \
      --terminal=sixel for pixels, if the terminal knows them. As large as the terminal, else 80 columns by 24 rows. \
      Plain text with NO_COLOR, and if standard output is no terminal.
      """)
  var terminal: TerminalPicture.Style?
  var picture = PictureOptions()
  var peaks = PeakOptions()

  private(set) var subject = Subject.source(.standardInput)
  private(set) var input = InputDescription()
  private(set) var edits = EditRequest()
  /// `-` is standard output.
  private(set) var path = "-"
  private var folders: PartFolders?
  private(set) var product = Product.peaks(PeakFormat(.dat))

  static let name = "plot"
  static let usual = "output show terminal start duration width height theme channels force"
  static let abstract =
    "Draw waveform and spectrogram as a picture or into the terminal, or write peaks for players."
  static let discussion = """
    The waveform shows the extremes and the RMS of each stretch of time, the spectrogram how strong each frequency is. \
    Memory does not grow with the length of the source. Many sources become a picture each, several at the same time. \
    Peaks are those of BBC audiowaveform, version 2, which players in \
    web pages take.
    """

  static let examples = [
    Example("A look at a file, in the terminal:", "rawaudio plot chord.wav --terminal"),
    Example(
      "A picture of each file, on white, with levels that fit it:",
      "rawaudio plot chord.wav sweep.flac --levels auto --theme light -o {stem}.svg"),
    Example(
      "Peaks for a player in a web page:", "rawaudio plot chord.wav --bits 8 -o chord.dat"),
  ]

  mutating func validate(in context: InvocationContext) throws(UsageError) {
    input = try inputs.description(track)
    let source = sources.first ?? .standardInput
    edits = try part.requests(for: [source], in: zone.civilTime)[0]
    edits.channelMap = channelMap.maps.last
    try part.requireOneEnd(beside: $duration)
    let hasFolders = sources.contains(where: \.isFolder)
    let end = isJSON || isDat ? try kind().rawValue : (type ?? .png).rawValue
    output = output?.settled(keepingFolders: hasFolders, endingIn: end)
    if hasFolders || sources.count > 1 || $existing.isGiven || context.given(of: .list) != nil {
      return try validateList(context)
    }
    guard !sources.isEmpty else {
      throw UsageError("Missing expected argument '\($sources.label)'")
    }
    subject = .source(source)
    try [source].require($duration, orEnds: [edits.end])
    if let terminal {
      try requireTerminalAlone(context)
      product = .terminal(try picture.terminal(terminal), picture.looks)
      return
    }
    guard let path = output ?? (context.standardOutputIsTerminal ? nil : "-") else {
      throw UsageError(
        "Standard output is a terminal; name a file with '\($output.label)', pipe the"
          + " result into another program, or draw here with '\($terminal.word)'")
    }
    self.path = path
    product = try product(context)
    var naming = OutputNaming(liveness: .none).after(source)
    (naming.civilTime, naming.time) = (zone.civilTime, beginning(of: source.filePath))
    if let named = try naming.name(path, for: $output) {
      (self.path, folders) = (named.text, named.folders)
    }
  }

  /// Returns the time at which the drawn part of a file begins, in seconds since 1970.
  ///
  /// - Parameter part: the item of a list that states a part of the source.
  fileprivate func beginning(of path: String?, part: ListedFile? = nil) -> () -> Int {
    let (edits, decoder) = (edits.limited(to: part, duration).edits, input.decoder)
    return { [zone] in edits.beginning(of: path, decoder, in: zone.civilTime) }
  }

  private func product(_ context: InvocationContext) throws(UsageError) -> Product {
    let kind = try kind()
    try requireUse(of: kind, context)
    switch kind {
    case .png, .svg:
      return .picture(kind == .png ? .png : .svg, try picture.picture())
    case .dat, .json:
      return .peaks(
        try peaks.format(
          kind == .dat ? .dat : .json, pixelsPerSecond: picture.pixelsPerSecond))
    }
  }

  private mutating func validateList(_ context: InvocationContext) throws(UsageError) {
    let list = try listing.request(
      paths: try sources.pathsTogether("drawn"), expecting: $sources, of: input.container)
    guard let output, output != "-", terminal == nil else {
      throw UsageError(
        "Several sources go to files; name them with '\($output.label)', for example -o 'out/{stem}.png'"
      )
    }
    path = output
    product = try product(context)
    subject = .list(
      list,
      OutputListRequest(
        names: try .init(output, for: list, of: $output, example: "png"),
        existing: try existing.settled($existing, $overwrites)))
  }

  /// - Throws: if an option names another output or another destination.
  private func requireTerminalAlone(_ context: InvocationContext) throws(UsageError) {
    if let output, output != "-" {
      throw UsageError(
        "'\($terminal.word)' draws on standard output; for a file leave it out, or use the shell's '>'"
      )
    }
    if let other = [$type, $isJSON, $isDat].first(where: \.isGiven) {
      throw UsageError(
        "'\($terminal.word)' and '\(other.label)' both say what to write; one is enough")
    }
    try requireUse(of: nil, context)
  }

  /// - Parameter kind: the kind of the output; nil = a terminal's picture.
  /// - Throws: if an option is for pictures and peaks are written, or vice versa.
  private func requireUse(
    of kind: PictureKind?, _ context: InvocationContext
  ) throws(UsageError) {
    let isPicture = kind != .dat && kind != .json
    guard let stray = context.given(of: isPicture ? .peaks : .picture) else { return }
    throw UsageError(
      "'\(stray.label)' is for \(isPicture ? "peaks" : "pictures"); the output is"
        + " \(kind?.rawValue ?? "a picture")")
  }

  private func kind() throws(UsageError) -> PictureKind {
    if isJSON || isDat { return $isJSON.overrides($isDat) ? .json : .dat }
    if let type { return type }
    if path == "-" { return .png }
    guard let kind = PictureKind(path: path) else {
      throw UsageError(
        invalid: path, for: $output,
        because: "its end is none of .png, .svg, .dat and .json; say what to write with"
          + " '\($type.label)'")
    }
    return kind
  }

  func run(on console: Console) throws -> ExitCode {
    switch subject {
    case .source(let source):
      let control = SessionControl()
      [source].prepare(control, on: console)
      try folders?.make(for: path)
      let (command, drawn) = try session(
        of: editedSource(source, control: control), to: path,
        isNameGenerated: folders != nil, overwrites: overwrites, on: console)
      let code = try SessionRunner(
        command: command, activity: "drawing", failureConditions: failures.conditions
      ).run()
      if let drawn { try console.print(drawn.text) }
      return code
    case .list(let list, let outputs):
      return try ListPlot.run(self, list, outputs, on: console)
    }
  }

  /// Returns one source with its edits.
  ///
  /// - Parameter part: the item of a list that states a part of the source.
  fileprivate func editedSource(
    _ source: SourceEndpoint, part: ListedFile? = nil, workers: WorkerAllowance? = nil,
    control: SessionControl
  ) -> EditedSource {
    let (edits, duration) = edits.limited(to: part, duration)
    var needsLength = false
    if case .picture = product {
      needsLength = picture.pixelsPerSecond != nil && source.canBeReadAhead
    }
    return EditedSource(
      endpoint: source, description: input, edits: edits, needsLength: needsLength,
      duration: duration, workers: workers, control: control)
  }

  /// Returns the session that draws one source, and the sink of a terminal.
  ///
  /// - Parameters:
  ///   - path: `-` is standard output.
  ///   - isNameGenerated: whether a pattern or a list makes the path.
  ///   - overwrites: whether an existing file may be replaced.
  fileprivate func session(
    of edited: EditedSource, to path: String, isNameGenerated: Bool = false, overwrites: Bool,
    on console: Console
  ) throws -> (command: CommandSession, drawn: TerminalPictureSink?) {
    let session = Session(control: edited.control)
    if let workers = edited.workers { session.workers = workers }
    var edited = edited
    edited.workers = session.workers
    let input = try edited.open(on: console).input
    try session.setLocal(input.source)
    try edits.registerShape(on: session, at: .record)
    var drawn: TerminalPictureSink?
    switch product {
    case .terminal(let request, let options):
      let sink = TerminalPictureSink(
        request.picture, options: try settled(options, edited),
        channelCount: picture.channelCount)
      try session.setSink(sink, at: .publish)
      drawn = sink
    case .picture(let format, let options):
      let options = try settled(options, edited)
      try session.setSink(at: .publish) { [picture] sources in
        let sink = PictureSink(
          path: path, format: format, options: try picture.sized(options, for: sources.duration),
          channelCount: picture.channelCount, overwrite: overwrites)
        sink.destination.isNameGenerated = isNameGenerated
        return sink
      }
    case .peaks(let format):
      let sink = PeaksSink(path: path, format: format, overwrite: overwrites)
      sink.destination.isNameGenerated = isNameGenerated
      try session.setSink(sink, at: .publish)
    }
    let command = try CommandSession(
      session, from: [input], to: [:], ObserverList(main: .record), duration: edited.duration,
      on: console)
    return (command, drawn)
  }

  /// Returns the options for one source: its title, its start, and the time of day at which it began.
  private func settled(
    _ options: PlotOptions, _ edited: EditedSource
  ) throws(AudioError) -> PlotOptions {
    var options = options
    options.title = picture.shownTitle(of: edited.endpoint.title)
    if case .fromStart(let start) = edited.edits.start { options.start = start }
    if let clock = edited.edits.clock, let path = edited.endpoint.filePath,
      case .fromStart(let start) = try clock.points(in: path, input.decoder).start
    {
      options.start = start
    }
    if picture.axis == .clock {
      options.timeOfDay = try edited.endpoint.timeOfDay(input.decoder, in: zone.civilTime)
    }
    return options
  }
}

extension TerminalRequest {
  /// The picture for the current standard output and locale.
  fileprivate var picture: TerminalPicture {
    let output = StandardStream.output
    let size = output.terminalSize
    func side(_ told: Int?, _ name: String, else usual: Int) -> Int {
      if let told, told > 0 { return told }
      let set = environmentVariable(name).flatMap { Int($0) } ?? 0
      return set > 0 ? set : usual
    }
    func bounded(_ side: Int) -> Int {
      min(TerminalPicture.sides.upperBound, max(TerminalPicture.sides.lowerBound, side))
    }
    var picture = TerminalPicture()
    picture.style = style
    picture.columns = columns ?? bounded(side(size?.columns, "COLUMNS", else: picture.columns))
    // One row is left for the prompt of the next command.
    picture.rows = rows ?? bounded(side(size?.rows, "LINES", else: picture.rows) - 1)
    picture.grows = rows == nil
    picture.isColoured = TerminalStyle.of(output).isColoured
    picture.isUnicode = localeIsUTF8()
    if let size, size.columns > 0, size.rows > 0, size.width > 0, size.height > 0 {
      picture.cellWidth = max(1, size.width / size.columns)
      picture.cellHeight = max(1, size.height / size.rows)
    }
    return picture
  }
}

/// `rawaudio plot` of many files: each to its own picture, as if drawn alone.
private enum ListPlot {
  private struct Drawn: Sendable {
    let item: WorkList.Item
    let result: ItemResult
  }

  /// - Throws: if the list cannot be read, or the results cannot be written.
  static func run(
    _ command: PlotCommand, _ request: WorkListRequest, _ outputs: OutputListRequest,
    on console: Console
  ) throws -> ExitCode {
    let control = SessionControl()
    let interruption = Interruption.handling(control, requesting: .finish)
    let outputGuard = OutputGuard(outputs.existing)
    let verbosity = console.verbosity
    let work = try OrderedWork<Drawn>(request) { error, item in
      Drawn(item: item, result: ItemResult(status: .failed(error)))
    } work: { file, surroundings in
      draw(file, by: command, outputs.names, outputGuard, surroundings, verbosity).map {
        Drawn(item: .file(file), result: $0)
      }
    }
    let report = try ListReport(
      request, "drawing", total: console.showsStatus ? work.countItems() : nil,
      options: PlotCommand.declarations, on: console)
    _ = try work.run(until: control) {
      report.update()
    } deliver: { drawn in
      try report.deliver(drawn.result, of: drawn.item, isLast: !work.isUnfinished)
    }
    return report.end(interruption.exitCode, failingOn: command.failures.conditions)
  }

  /// Draws one file. Nil if it was abandoned. Called on the workers' threads.
  private static func draw(
    _ file: ListedFile, by command: PlotCommand, _ names: OutputListRequest.Names,
    _ outputGuard: OutputGuard, _ surroundings: OrderedWork<Drawn>.Crew.Surroundings,
    _ verbosity: Verbosity
  ) -> ItemResult? {
    let result = ItemResult.of(file, "draw", verbosity) { result, console in
      guard
        let output = try names.output(
          of: file, namesParts: false, in: command.zone.civilTime,
          at: command.beginning(of: file.source, part: file))
      else { return false }
      result.output = output
      guard case .write(let isReplacing) = try outputGuard.claim(output) else {
        result.status = .skipped
        return true
      }
      defer { outputGuard.release(output) }
      try PartFolders(fixedFolders: 0).make(for: output)
      let session = try command.session(
        of: command.editedSource(
          .file(file.source), part: file, workers: surroundings.workers,
          control: surroundings.control), to: output,
        isNameGenerated: names.areGenerated, overwrites: isReplacing, on: console
      ).command
      let report = try session.run { _ in
      } onFailure: {
        $0
      }
      guard report.outcome == .finished, let sink = report.sinks.first else { return false }
      outputGuard.note(output)
      let notes = RunNotes(of: session, failingOn: command.failures.conditions)
      notes.noteFaults(report)
      result.conditions = notes.conditions
      result.figures = .init(
        format: sink.format, samplesPerChannel: sink.samplesPerChannel, clippedSamples: 0,
        isTruncated: session.inputs.contains { $0.truncation != nil },
        isShort: session.inputs.contains { $0.shortage != nil },
        decoder: session.inputs.lazy.compactMap(\.decoder).first)
      return true
    }
    return result?.failure != nil && surroundings.control.request == .abandon ? nil : result
  }
}
