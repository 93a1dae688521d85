// SPDX-License-Identifier: Apache-2.0
internal import AudioPictures
internal import AudioCore

/// `rawaudio plot`: what sound looks like.
struct PlotCommand: Command {
  /// What is made of the sound.
  enum Product: Sendable, Hashable {
    case picture(PictureSink.Format, PlotOptions)
    /// Goes to standard output.
    case terminal(TerminalRequest, PlotOptions)
    case peaks(PeakFormat)
  }

  var source: SourceEndpoint
  var input: InputDescription
  var edits: EditRequest
  var duration: TimePosition?
  /// `-` is standard output.
  var path: String
  var overwrites: Bool
  var channelCount: Int?
  var product: Product
  var failureConditions: Set<FailureCondition>

  static let name = "plot"
  static let abstract =
    "Draw waveform and spectrogram as a picture or into the terminal, or write peaks for players."
  static let discussion = """
    The waveform shows the extremes and the RMS of each stretch of time, the spectrogram how strong each frequency is. \
    Memory does not grow with the length of the source. Peaks are those of BBC audiowaveform, version 2, which players in \
    web pages take.
    """

  static let source = Argument(
    .source(name: "source"),
    help: """
      What to draw: a path, - for standard input, alsa:NAME for a device, tone:440, noise:white, noise:pink, \
      sweep:20-20000 or silence:.
      """)
  static let output = Option(
    "output", short: "o", .path(name: "path"), default: "standard output", group: .output,
    help: "Where to write: a path, or - for standard output."
  ).givenOnce
  static let type = Option(
    "type", short: "t", .choice(name: "type", PictureKind.allCases),
    default: "by the output's name, else png", group: .output,
    help: "What to write: a picture (png, svg), or peaks (dat, json).")
  static let json = Flag("json", group: .output, help: "Short for --type json.")
  static let dat = Flag("dat", group: .output, help: "Short for --type dat.")

  static let terminal = Option(
    "terminal", .choice(name: "style", TerminalPicture.Style.allCases),
    impliedValue: TerminalPicture.Style.automatic.rawValue, group: .output,
    help: """
      Draw into the terminal, with its characters; --terminal=blocks or --terminal=braille for one kind only, \
      --terminal=sixel for pixels, where the terminal knows them. As large as the terminal, else 80 columns by 24 rows. \
      Plain text with NO_COLOR, and where standard output is no terminal.
      """)

  static let parameters: [any Declared] =
    [source, EditOptions.start, EditOptions.end, ProcessingOptions.duration]
    + [ProcessingOptions.failOn, EditOptions.channelMap]
    + InputOptions.parameters + [output, OutputOptions.force, type, json, dat, terminal]
    + PictureOptions.parameters

  static let examples = [
    Example("A look at a file, in the terminal:", "rawaudio plot chord.wav --terminal"),
    Example(
      "A picture with octaves of equal height, on white:",
      "rawaudio plot sweep.flac --frequency-scale log --theme light -o sweep.svg"),
    Example(
      "Peaks for a player in a web page:", "rawaudio plot chord.wav --bits 8 -o chord.dat"),
  ]

  init(_ arguments: ParsedArguments, in context: InvocationContext) throws(UsageError) {
    guard let source = try arguments.value(of: Self.source) else {
      throw UsageError("Missing expected argument '\(Self.source.declaration.label)'")
    }
    self.source = source
    input = try InputOptions.descriptions(arguments, inputCount: 1)[0]
    edits = try EditOptions.parts(arguments, of: [source])[0]
    edits.channelMap = try arguments.value(of: EditOptions.channelMap)
    duration = try arguments.value(of: ProcessingOptions.duration)
    try ProcessingOptions.requireDuration(duration, orEnds: [edits.end], for: [source])
    try edits.requireOneEnd(beside: duration)
    failureConditions = try ProcessingOptions.request(arguments).failureConditions
    overwrites = arguments.has(OutputOptions.force)
    channelCount = try arguments.value(of: PictureOptions.channels)
    let output = try arguments.value(of: Self.output)
    if let style = try arguments.value(of: Self.terminal) {
      try Self.requireTerminalAlone(arguments, output)
      path = "-"
      product = .terminal(
        try PictureOptions.terminal(arguments, style),
        try PictureOptions.looks(arguments, of: source.title, edits))
      return
    }
    guard let path = output ?? (context.standardOutputIsTerminal ? nil : "-") else {
      throw UsageError(
        "Standard output is a terminal; name a file with '\(Self.output.declaration.label)', pipe the"
          + " result into another program, or draw here with '--\(Self.terminal.declaration.name)'")
    }
    self.path = path
    let kind = try Self.kind(arguments, path)
    try PictureOptions.requireUse(arguments, for: kind)
    switch kind {
    case .png, .svg:
      product = .picture(
        kind == .png ? .png : .svg,
        try PictureOptions.options(arguments, of: source.title, edits))
    case .dat, .json:
      product = .peaks(try PictureOptions.peaks(arguments, kind == .dat ? .dat : .json))
    }
  }

  /// - Throws: where something says that anything else is written, or somewhere else.
  private static func requireTerminalAlone(
    _ arguments: ParsedArguments, _ output: String?
  ) throws(UsageError) {
    let terminal = "'--\(terminal.declaration.name)'"
    if output != nil, output != "-" {
      throw UsageError(
        "\(terminal) draws on standard output; for a file leave it out, or use the shell's '>'")
    }
    let others: [any Declared] = [type, json, dat]
    if let other = others.first(where: { arguments.has($0) }) {
      throw UsageError(
        "\(terminal) and '\(other.declaration.label)' both say what to write; one is enough")
    }
    try PictureOptions.requireUse(arguments, for: nil)
  }

  private static func kind(
    _ arguments: ParsedArguments, _ path: String
  ) throws(UsageError) -> PictureKind {
    if let last = arguments.last(of: json, dat) {
      return last == json.declaration.name ? .json : .dat
    }
    if let kind = try arguments.value(of: type) { return kind }
    if path == "-" { return .png }
    guard let kind = PictureKind(path: path) else {
      throw UsageError(
        invalid: path, for: output.declaration,
        because: "its end is none of .png, .svg, .dat and .json; say what to write with"
          + " '\(type.declaration.label)'")
    }
    return kind
  }

  func run(on console: Console) throws -> ExitCode {
    let session = Session()
    [source].prepare(session.control, on: console)
    let edited = EditedSource(
      endpoint: source, description: input, edits: edits, duration: duration,
      workers: session.workers, control: session.control)
    let (input, _) = try edited.open(on: console)
    try session.setLocal(input.source)
    try edits.registerShape(on: session, at: .record)
    var picture: TerminalPictureSink?
    let sink: any AudioSink
    switch product {
    case .terminal(let request, let options):
      let drawn = TerminalPictureSink(
        request.picture, options: options, channelCount: channelCount)
      (sink, picture) = (drawn, drawn)

    case .picture(let format, let options):
      sink = PictureSink(
        path: path, format: format, options: options, channelCount: channelCount,
        overwrite: overwrites)
    case .peaks(let format):
      sink = PeaksSink(path: path, format: format, overwrite: overwrites)
    }
    try session.setSink(.publish, sink)
    let observers = try InstalledObservers(
      ObserverList(main: .record), on: session, console: console, isLive: source.isLive,
      duration: duration)
    let code = try SessionRunner(
      command: CommandSession(
        session: session, inputs: [input], outputs: [:], observers: observers, console: console),
      activity: "drawing", failureConditions: failureConditions
    ).run()
    if let picture { try console.print(picture.text) }
    return code
  }
}

extension TerminalRequest {
  /// With what standard output and the locale are now.
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
    // One is left for the line in which the next command is written.
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
