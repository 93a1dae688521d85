// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

// The kinds that report on the stream and leave it unchanged.

/// `meter`: levels for people.
struct MeterKind: ObserverKind {
  static let form = ObserverForm(
    "meter", mode: .readOnly,
    help: "Shows peak and RMS; a square wave of full scale has 0 dBFS.")
  static let syntax = ValueSyntax<NoArgument>.none
  let argument: NoArgument

  func install(by installation: ObserverInstallation) throws(AudioError) -> InstalledObserver {
    let meters = installation.meters
    return try installation.register(
      MeterObserver(installation.positions, parameters: installation.parameters) {
        meters.show($0)
      })
  }
}

/// `loudness[=FILE]`: a line of JSON a second.
struct LoudnessKind: RegularLineKind {
  static let form = ObserverForm(
    "loudness", .file, mode: .readOnly,
    help: "Momentary, short-term and integrated loudness once a second, a line of JSON each.")
  let argument: String
  var every: TimePosition?

  init(argument: String) { self.argument = argument }

  func observer(by installation: ObserverInstallation, to lines: BackgroundLines)
    -> any AudioObserver
  {
    LoudnessObserver(
      installation.positions, parameters: installation.parameters,
      interval: every ?? .time(.seconds(1)), to: lines)
  }
}

/// `events[=FILE]`: a line of JSON a call.
struct EventsKind: RegularLineKind {
  static let form = ObserverForm(
    "events", .file, mode: .readOnly,
    help: """
      A line of JSON a call, on standard error or in a file; in the file of a live run one a second, unless \
      samples-per-call or every says otherwise.
      """)
  static let tellsOfRun = true
  let argument: String
  var every: TimePosition?

  init(argument: String) { self.argument = argument }

  func observer(by installation: ObserverInstallation, to lines: BackgroundLines)
    -> any AudioObserver
  {
    let parameters = installation.parameters
    // A line for each call of 10 ms would take 2 GB a day.
    let isLog = installation.isLive && parameters.samplesPerCall == nil && namesFile
    let clock = installation.clock
    return EventObserver(
      installation.positions, parameters: parameters,
      interval: every ?? (isLog ? .time(.seconds(1)) : nil),
      timing: { clock.text(of: $0, at: $1) }, to: lines)
  }
}

/// A kind that writes lines of JSON, to standard error unless its argument names a file.
protocol LineKind: ObserverKind where Argument == String {
  /// Whether it gets the lines of the run besides those of the frames.
  static var tellsOfRun: Bool { get }

  /// The first line of a file. Nil if there is none.
  var head: String? { get }

  /// - Throws: the reason for which it cannot work here.
  func observer(
    by installation: ObserverInstallation, to lines: BackgroundLines
  ) throws(AudioError) -> any AudioObserver
}

extension LineKind {
  static var syntax: ValueSyntax<String> {
    var syntax = ValueSyntax<String>.logPath
    let parse = syntax.parse
    syntax.parse = { text throws(InvalidValue) in text.isEmpty ? text : try parse(text) }
    return syntax
  }
  static var tellsOfRun: Bool { false }
  var head: String? { nil }

  /// Whether the lines go to a file, not to a standard stream.
  fileprivate var namesFile: Bool { !argument.isEmpty && argument != "-" }

  func outputs(
    of observer: ObserverRequest, in scene: ObservationScene
  ) throws(AudioError) -> [SinkEndpoint] {
    argument.isEmpty ? [] : [argument == "-" ? .standardOutput : .file(argument)]
  }

  func install(by installation: ObserverInstallation) throws(AudioError) -> InstalledObserver {
    let lines = try lines(by: installation)
    let made = try observer(by: installation, to: lines)
    var installed = try installation.register(made)
    installed.losses = {
      lines.droppedLines == 0 ? [] : ["\(lines.droppedLines) lines were dropped"]
    }
    guard Self.tellsOfRun else { return installed }
    installed.kept = made
    // The observer throws at its end if a line was not written.
    installed.tell = { line in _ = try? lines.write(line: line.compact) }
    return installed
  }

  private func lines(by installation: ObserverInstallation) throws(AudioError) -> BackgroundLines {
    let overflow = installation.isLive ? BackgroundOverflow.drop : .wait
    let writer = try installation.writer.started()
    guard namesFile else {
      let stream = argument.isEmpty ? StandardStream.error : .output
      return try BackgroundLines(
        descriptor: stream.rawValue, name: stream.name, on: writer, overflow: overflow)
    }
    let names = try LogNames(argument, in: installation.list.civilTime)
    // A live run cannot be repeated: its lines go on behind those of the run before.
    guard installation.isLive, isRegularFile(argument) ?? true else {
      let lines = try BackgroundLines(
        path: try names.present(), overwrite: installation.list.overwrites, on: writer,
        overflow: overflow)
      lines.head = head
      return lines
    }
    let kind = head.map { head in
      let bytes = Array((head + "\n").utf8)
      return LogKind(head: bytes, beginning: Array(bytes.prefix(LogKind.beginningSize)))
    }
    let log = try names.series(kind ?? .events)
    return BackgroundLines(log: log, name: argument, on: writer, overflow: overflow)
  }
}

/// A kind with lines at regular intervals.
protocol RegularLineKind: LineKind {
  /// The length of audio between two lines. Nil = the kind's own.
  var every: TimePosition? { get set }
}

extension RegularLineKind {
  static var everyKey: ObserverKey<Self> {
    ObserverKey("every", .length, \.every, help: "The time between two lines: 60, 0.1.")
  }
  static var keys: [ObserverKey<Self>] { [everyKey] }
}
