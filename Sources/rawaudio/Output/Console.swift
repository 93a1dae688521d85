internal import AudioCore

/// What a command tells the user: results on standard output, everything else on standard error.
///
/// Main thread only.
final class Console {
  let verbosity: Verbosity
  private let style: TerminalStyle
  /// Whether a status is seen: on a terminal, unless the user wants quiet.
  let showsStatus: Bool
  private let writeOutput: (String) throws -> Void
  private let writeError: (String) -> Void
  private var status = ""

  init(
    verbosity: Verbosity, style: TerminalStyle, errorIsTerminal: Bool,
    writeOutput: @escaping (String) throws -> Void, writeError: @escaping (String) -> Void
  ) {
    self.verbosity = verbosity
    self.style = style
    self.writeOutput = writeOutput
    self.writeError = writeError
    showsStatus = errorIsTerminal && verbosity != .quiet
  }

  /// Writes to standard output.
  ///
  /// - Throws: ``ReaderGone``, which ends the run quietly, or `AudioError`.
  func print(_ text: String) throws {
    eraseStatus()
    try writeOutput(text)
  }

  /// A failure: one line, always shown.
  func error(_ error: AudioError) {
    line("\(style.error("rawaudio:")) \("\(error)".printable)")
  }

  /// A command line that means nothing: three lines, always shown.
  ///
  /// - Parameters:
  ///   - message: a sentence without a full stop.
  ///   - usage: how the command is written.
  ///   - helpCommand: the command line that shows the page to read.
  func usageError(_ message: String, usage: String, helpCommand: String) {
    eraseStatus()
    writeError(
      """
      \(style.error("Error:")) \(message.printable)
      Usage: \(usage)
        See '\(helpCommand)' for more information.

      """)
  }

  /// What the user should know though nobody asked; not with `-q`.
  func note(_ text: String) {
    if verbosity != .quiet { line("rawaudio: \(text.printable)") }
  }

  /// What the user asked to be told; always shown.
  func result(_ text: String) {
    line("rawaudio: \(text.printable)")
  }

  /// What the user asked to be told in JSON: one line; always shown.
  func json(_ value: JSONValue) { line(value.compact) }

  /// What was negotiated or chosen; with `-v` only.
  func detail(_ text: String) {
    if verbosity == .verbose { line("rawaudio: \(text.printable)") }
  }

  /// Shows `text` in place of the last status, on a terminal only and without `-q`.
  func showStatus(_ text: String) {
    guard showsStatus, text != status else { return }
    writeError("\r\(text)\u{1B}[K")
    status = text
  }

  func eraseStatus() {
    guard !status.isEmpty else { return }
    writeError("\r\u{1B}[K")
    status = ""
  }

  private func line(_ text: String) {
    eraseStatus()
    writeError(text + "\n")
  }
}

extension Console {
  /// The console of the process.
  static func standard(verbosity: Verbosity) -> Console {
    Console(
      verbosity: verbosity, style: .forStandardError(),
      errorIsTerminal: StandardStream.error.isTerminal,
      writeOutput: { try StandardStream.output.write($0) },
      // Where standard error is gone there is nobody left to tell.
      writeError: { try? StandardStream.error.write($0) })
  }
}

/// How much a command tells on standard error besides errors.
enum Verbosity: Sendable {
  case quiet
  case normal
  case verbose
}

/// How texts on standard error are set off from each other.
struct TerminalStyle: Sendable {
  var isColoured: Bool

  /// Colours on a terminal, unless the user does not want them (https://no-color.org).
  static func forStandardError() -> TerminalStyle {
    let isRefused = environmentVariable("NO_COLOR").map { !$0.isEmpty } ?? false
    let isDumb = environmentVariable("TERM") == "dumb"
    return TerminalStyle(isColoured: StandardStream.error.isTerminal && !isRefused && !isDumb)
  }

  /// `text` in bold red.
  func error(_ text: String) -> String {
    isColoured ? "\u{1B}[1;31m\(text)\u{1B}[0m" : text
  }
}

/// What the command tells the shell.
enum ExitCode: Int32, Sendable {
  case success = 0
  /// Failed at run time.
  case failure = 1
  /// All done, but something happened that `--fail-on` asked to be strict about.
  case strict = 2
  /// The command line means nothing; EX_USAGE of sysexits.h.
  case usage = 64
  /// 128 + the number of the signal, as shells count it.
  case hungUp = 129
  case interrupted = 130
  case terminated = 143
}

extension String {
  /// Without control characters, with which a file or its name could drive the terminal.
  var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}
