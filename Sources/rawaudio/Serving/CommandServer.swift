// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Glibc
internal import Synchronization

/// Runs the command lines that another program sends, one after another. The process stays, so a small request does not
/// start a program.
///
/// Standard input takes a line of JSON for each command line: its words, and the folder in which it runs. Standard output
/// is that of the commands. Standard error gets their lines, and a ``CommandReply`` after each command. If standard input
/// ends, a running command is interrupted as by Ctrl-C. `docs/architecture/command.md` describes the exchange.
struct CommandServer {
  /// The word of the command line that asks for it, in place of a subcommand.
  static let word = "serve"
  let program: Program
  /// Runs any command line, and writes its texts.
  let run: ([String]) -> Ending
  private let filterCache = ResamplerFilterCache()
  private let watch = RequesterWatch()

  init(_ program: Program, run: @escaping ([String]) -> Ending) {
    self.program = program
    self.run = run
  }

  /// Serves until standard input ends.
  ///
  /// - Parameter limit: the seconds without a request after which SIGALRM ends the process; 0 = none.
  func serve(idle limit: UInt32) -> ExitCode {
    CodecChatter.silence()
    guard tell(.object([("event", .string("ready")), ("version", .string(program.version))])),
      let requests = try? ListReader(path: "-", endsWithNull: false),
      let thread = try? SystemThread(named: "requester", { [watch] in watch.run() })
    else { return .failure }
    defer { _ = thread.join(atMost: .zero) }
    alarm(limit)
    while let line = try? requests.nextEntry() {
      alarm(0)
      defer { alarm(limit) }
      guard tell(answer(line).json) else { return .failure }
    }
    return .success
  }

  private func answer(_ line: ArraySlice<UInt8>) -> CommandReply {
    let words: [String]
    do throws(AudioError) {
      let request = try JSONValue(reading: line)
      words = try request["words"].words
      try request["folder"]?.text.map { (folder) throws(AudioError) in
        try enter(Pathname(escaped: folder))
      }
    } catch {
      return CommandReply(Ending(.usage, error))
    }
    guard let command = conversion(words) else {
      return watch.interrupting { CommandReply(run(words)) }
    }
    return convert(command, words)
  }

  private func enter(_ folder: Pathname) throws(AudioError) {
    if unsafe chdir(folder.cString) != 0 {
      throw AudioError(systemCode: errno, cannot: "work in", folder.text)
    }
  }

  /// The conversion of one file that the words ask for. Nil for all else.
  private func conversion(_ words: [String]) -> (ConvertCommand, source: String)? {
    guard words.first == ConvertCommand.name,
      case .run(let command, _)? = try? program.parse(
        words, in: InvocationContext(standardOutputIsTerminal: false), pageWidth: 80),
      let command = command as? ConvertCommand, case .source(.file(let path)) = command.subject
    else { return nil }
    return (command, path)
  }

  /// Converts as an item of a list, so that filters are designed once for all requests.
  private func convert(_ command: (ConvertCommand, source: String), _ words: [String])
    -> CommandReply
  {
    let (command, source) = command
    let conversion = ItemConversion(
      command: command, outputGuard: OutputGuard(.fail), verbosity: .normal,
      filterCache: filterCache)
    let file = ListedFile(source, number: 1)
    let result = watch.converting(isLive: file.isLive) { control in
      conversion.convert(PieceJob.Piece(file: file, output: nil), until: control) { format in
        _ = tell(
          .object([
            ("event", .string("started")), ("sampleRate", .integer(Int64(format.sampleRate))),
            ("channels", .integer(Int64(format.channelCount))),
          ]))
      }
    }
    guard let result else { return CommandReply(Ending(.interrupted)) }
    for line in result.lines { try? StandardStream.error.write(line) }
    var ending = Ending(.success)
    if let failure = result.failure {
      ending = Ending(
        .failure, failure.advised(forOptions: ConvertCommand.declarations, words: words))
    } else if !result.conditions.isDisjoint(with: command.processing.failureConditions) {
      ending.code = .strict
    }
    return CommandReply(ending, result: result.json(of: .file(file)))
  }

  /// - Returns: false if standard error is gone.
  private func tell(_ line: JSONValue) -> Bool {
    (try? StandardStream.error.write(line.compact + "\n")) != nil
  }
}

/// The end of a command line.
struct Ending {
  var code: ExitCode
  /// The reason of a failure. Nil if none was thrown.
  var error: (any Error)?

  init(_ code: ExitCode, _ error: (any Error)? = nil) { (self.code, self.error) = (code, error) }
}

/// The last line about a command.
struct CommandReply {
  let ending: Ending
  /// The line of `--results`. Nil for all but conversions.
  var result: JSONValue?

  init(_ ending: Ending, result: JSONValue? = nil) { (self.ending, self.result) = (ending, result) }

  var json: JSONValue {
    .object([
      ("event", .string("reply")), ("code", .integer(Int64(ending.code.rawValue))),
      ("error", error ?? .null), ("result", result ?? .null),
    ])
  }

  private var error: JSONValue? {
    switch ending.error {
    case nil: nil
    case let error as AudioError:
      .object([
        ("action", .string(error.action)), ("subject", .path(error.subject)),
        ("reason", .string(error.reason.withoutSecrets)),
        ("advice", error.advice.map { .string($0.withoutSecrets) } ?? .null),
      ])
    case let error as UsageError: .object([("reason", .string(error.message.withoutSecrets))])
    case let error as RejectedInvocation:
      .object([("reason", .string(error.error.message.withoutSecrets))])
    case let error?: .object([("reason", .string("\(error)"))])
    }
  }
}

extension JSONValue? {
  /// The words of a command line.
  fileprivate var words: [String] {
    get throws(AudioError) {
      guard let elements = self?.elements else { throw Self.noWords }
      var words: [String] = []
      for element in elements {
        guard let text = element.text else { throw Self.noWords }
        words.append(Pathname(escaped: text).text)
      }
      return words
    }
  }

  private static var noWords: AudioError {
    AudioError(.malformed, cannot: "read the request", "", because: "'words' is no array of texts")
  }
}

/// Ends the running command if the program that asked for it is gone.
private final class RequesterWatch: Sendable {
  private enum Work {
    case none
    /// A conversion. One that reads a pipe is completed, any other is abandoned.
    case conversion(SessionControl, isLive: Bool)
    /// Any other command, which handles signals.
    case command
  }

  private let work = Mutex(Work.none)

  /// The pause between two requests to end, in seconds. A second signal in less time is ignored.
  private static let pause: UInt32 = 2

  /// - Parameter isLive: whether its source cannot be read again.
  func converting<Result>(isLive: Bool, _ body: (SessionControl) -> Result) -> Result {
    let control = SessionControl()
    return doing(.conversion(control, isLive: isLive)) { body(control) }
  }

  func interrupting<Result>(_ body: () -> Result) -> Result { doing(.command, body) }

  private func doing<Result>(_ now: Work, _ body: () -> Result) -> Result {
    work.withLock { $0 = now }
    defer { work.withLock { $0 = .none } }
    return body()
  }

  /// The loop of its thread, which ends with the process.
  func run() {
    var input = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
    while unsafe poll(&input, 1, -1) < 1
      || Int32(input.revents) & (POLLHUP | POLLERR | POLLNVAL) == 0
    {}
    while true {
      work.withLock { work in
        switch work {
        case .none: break
        case .conversion(let control, let isLive):
          control.requestStop(isLive && control.request == nil ? .finish : .abandon)
        case .command: kill(getpid(), SIGINT)
        }
      }
      sleep(Self.pause)
    }
  }
}
