// SPDX-License-Identifier: Apache-2.0
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
  private let terminalWidth: () -> Int?
  /// Where the status is written; nil = where errors are.
  private var terminal: StatusTerminal?
  /// Whether it is still to be opened.
  private var opensTerminal: Bool
  /// What is visible of the status, and how wide its lines are.
  private var status = ""
  private var statusColumns: [Int] = []
  private var statusWidth: Int?

  /// - Parameters:
  ///   - hasTerminal: whether the status may be written past `writeError`, to the terminal on standard error.
  ///   - terminalWidth: its columns now; nil = nobody knows.
  init(
    verbosity: Verbosity, style: TerminalStyle, errorIsTerminal: Bool, hasTerminal: Bool = false,
    terminalWidth: @escaping () -> Int? = { nil },
    writeOutput: @escaping (String) throws -> Void, writeError: @escaping (String) -> Void
  ) {
    opensTerminal = hasTerminal && errorIsTerminal
    self.terminalWidth = terminalWidth
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
    writeBehindStatus(
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
    writeBehindStatus(lines)
  }

  /// Whether the terminal shows colours.
  var isColoured: Bool { style.isColoured }

  /// Replaces the status by `text`, a line; only on a terminal and without `-q`.
  func showStatus(_ text: String) { showStatus([text], [text.count]) }

  /// Replaces the status by `lines`. Where the terminal takes nothing now, the old ones stay.
  func showStatus(_ lines: [StyledText]) {
    showStatus(lines.map(\.finished), lines.map(\.columns))
  }

  private func showStatus(_ lines: [String], _ columns: [Int]) {
    let (text, width) = (lines.joined(separator: "\n"), terminalWidth())
    guard showsStatus, text != status || width != statusWidth else { return }
    let isHigher = statusRows > max(1, columns.count)
    let shown =
      toBeginning + lines.joined(separator: "\u{1B}[K\r\n") + "\u{1B}[K"
      + (isHigher ? "\u{1B}[J" : "")
    if opensTerminal {
      terminal = StatusTerminal()
      opensTerminal = false
    }
    guard writeStatus(shown) else { return }
    (status, statusColumns, statusWidth) = (text, columns, width)
  }

  func eraseStatus() {
    guard !status.isEmpty else { return }
    _ = writeStatus(toBeginning + (statusRows > 1 ? "\u{1B}[J" : "\u{1B}[K"))
    (status, statusColumns) = ("", [])
  }

  /// - Returns: false where the terminal takes nothing now.
  private func writeStatus(_ text: String) -> Bool {
    if let terminal { return terminal.write(text) }
    writeError(text)
    return true
  }

  /// Writes to standard error, behind what a terminal has not taken yet of the status.
  private func writeBehindStatus(_ text: String) {
    eraseStatus()
    writeError((terminal?.takeRest() ?? "") + text)
  }

  /// How many rows of the terminal the status covers: a line that has become too wide covers more than one.
  private var statusRows: Int {
    guard let width = terminalWidth(), width > 0 else { return statusColumns.count }
    return statusColumns.reduce(0) { $0 + max(1, ($1 + width - 1) / width) }
  }

  /// From the end of the status to its beginning.
  private var toBeginning: String {
    let rows = statusRows
    return rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r"
  }

  private func line(_ text: String) {
    writeBehindStatus(text + "\n")
  }
}

extension Console {
  /// The console of the process.
  static func standard(verbosity: Verbosity) -> Console {
    Console(
      verbosity: verbosity, style: .forStandardError(),
      errorIsTerminal: StandardStream.error.isTerminal, hasTerminal: true,
      terminalWidth: { StandardStream.error.terminalWidth },
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

/// How texts on a terminal are highlighted.
struct TerminalStyle: Sendable {
  var isColoured: Bool

  /// Coloured on a terminal, unless `NO_COLOR` is set (https://no-color.org).
  static func forStandardError() -> TerminalStyle { of(.error) }

  static func of(_ stream: StandardStream) -> TerminalStyle {
    let isRefused = environmentVariable("NO_COLOR").map { !$0.isEmpty } ?? false
    let isDumb = environmentVariable("TERM") == "dumb"
    return TerminalStyle(isColoured: stream.isTerminal && !isRefused && !isDumb)
  }

  /// `text` in bold red.
  func error(_ text: String) -> String {
    isColoured ? "\u{1B}[1;31m\(text)\u{1B}[0m" : text
  }
}

/// The exit code of the program.
enum ExitCode: Int32, Sendable, CaseIterable {
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
  /// The name of a file: JSON is UTF-8, so bytes that are none are written out, and can be read back.
  static func path(_ path: String) -> JSONValue { .string(Pathname(path).escaped) }
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
