internal import AudioCore

/// Where a command writes: results to standard output, everything else to standard error.
///
/// Main thread only.
final class Console {
  let verbosity: Verbosity
  private let style: TerminalStyle
  /// Whether a status line is visible: on a terminal, without `-q`.
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
  /// - Throws: ``ReaderGone``, which ends the run without a message, or `AudioError`.
  func print(_ text: String) throws {
    eraseStatus()
    try writeOutput(text)
  }

  /// Prints a failure in one line, always.
  func error(_ error: AudioError) {
    line("\(style.error("rawaudio:")) \("\(error)".printable)")
  }

  /// Prints a mistake in the command line in three lines, always.
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

  /// Prints what the user should know; not with `-q`.
  func note(_ text: String) {
    if verbosity != .quiet { line("rawaudio: \(text.printable)") }
  }

  /// Prints what the user asked for, always.
  func result(_ text: String) {
    line("rawaudio: \(text.printable)")
  }

  /// Prints what the user asked for in JSON, in one line, always.
  func json(_ value: JSONValue) { line(value.compact) }

  /// Prints what was negotiated or chosen; only with `-v`.
  func detail(_ text: String) {
    if verbosity == .verbose { line("rawaudio: \(text.printable)") }
  }

  /// Prints whole lines that another console has made.
  func pass(_ lines: String) {
    eraseStatus()
    writeError(lines)
  }

  /// Replaces the status line by `text`; only on a terminal and without `-q`.
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
      // If standard error is gone, there is nowhere to report that.
      writeError: { try? StandardStream.error.write($0) })
  }
}

/// How much a command prints on standard error besides errors.
enum Verbosity: Sendable {
  case quiet
  case normal
  case verbose
}

/// How texts on standard error are highlighted.
struct TerminalStyle: Sendable {
  var isColoured: Bool

  /// Coloured on a terminal, unless `NO_COLOR` is set (https://no-color.org).
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

/// The exit code of the program.
enum ExitCode: Int32, Sendable {
  case success = 0
  /// The run failed.
  case failure = 1
  /// The run is complete, but something happened that `--fail-on` names.
  case strict = 2
  /// The command line has a mistake; EX_USAGE of sysexits.h.
  case usage = 64
  /// 128 + the number of the signal, as shells count it.
  case hungUp = 129
  case interrupted = 130
  case terminated = 143
}

extension JSONValue {
  /// The name of a file: JSON is UTF-8, so bytes that are none are shown as messages show them.
  static func path(_ path: String) -> JSONValue { .string(Pathname.shown(in: path)) }
}

extension String {
  /// With what could control the terminal, or change the order or the look of the text around it, written out:
  /// `\u{202E}`; and with the bytes of names that are no UTF-8. A file's name and what stands in it may hold anything.
  var printable: String {
    var text = ""
    for scalar in Pathname.shown(in: self).unicodeScalars {
      if scalar.isUnseen {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
