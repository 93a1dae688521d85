// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc

/// The outputs of a command: results go to standard output, all other texts to standard error.
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
  /// The terminal for the status. Nil = the same output as errors.
  private var terminal: StatusTerminal?
  private var opensTerminal: Bool
  /// The visible status, and the widths of its lines.
  private var status = ""
  private var statusColumns: [Int] = []
  private var statusWidth: Int?

  /// - Parameters:
  ///   - hasTerminal: whether the status may bypass `writeError`, to the terminal on standard error.
  ///   - terminalWidth: its current columns. Nil = unknown.
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
    line("\(style.error("rawaudio:")) \("\(error)".told)")
  }

  /// Prints a mistake in the command line in three lines, always.
  ///
  /// - Parameters:
  ///   - message: a sentence without a full stop.
  ///   - usage: the usage of the command.
  ///   - helpCommand: the command line that shows the page to read.
  func usageError(_ message: String, usage: String, helpCommand: String) {
    pass(
      """
      \(style.error("Error:")) \(message.told)
      Usage: \(usage)
        See '\(helpCommand)' for more information.

      """)
  }

  /// Prints a note for the user, with `-q` only if it is the reason of the exit code.
  func note(_ text: String, isFatal: Bool) {
    if isFatal || verbosity != .quiet { line("rawaudio: \(text.told)") }
  }

  /// Prints a note for the user, except with `-q`.
  func note(_ text: String) { note(text, isFatal: false) }

  /// Prints a requested result, always.
  func result(_ text: String) { note(text, isFatal: true) }

  /// Prints a requested result as one line of JSON, always.
  func json(_ value: JSONValue) { line(value.compact) }

  /// Prints a negotiated or chosen value, only with `-v`.
  func detail(_ text: String) {
    if verbosity == .verbose { line("rawaudio: \(text.told)") }
  }

  var isColoured: Bool { style.isColoured }

  /// Replaces the status by one line, only on a terminal and without `-q`.
  func showStatus(_ text: String) { showStatus([text], [text.count]) }

  /// Replaces the status by `lines`. The old ones stay while the terminal takes no bytes.
  func showStatus(_ lines: [StyledText]) {
    showStatus(lines.map(\.finished), lines.map(\.columns))
  }

  private func showStatus(_ lines: [String], _ columns: [Int]) {
    let text = lines.joined(separator: "\n")
    let width = terminalWidth()
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
    status = text
    statusColumns = columns
    statusWidth = width
  }

  func eraseStatus() {
    guard !status.isEmpty else { return }
    _ = writeStatus(toBeginning + (statusRows > 1 ? "\u{1B}[J" : "\u{1B}[K"))
    status = ""
    statusColumns = []
  }

  /// - Returns: false if the terminal takes no bytes now.
  private func writeStatus(_ text: String) -> Bool {
    if let terminal { return terminal.write(text) }
    writeError(text)
    return true
  }

  /// Prints whole lines, after the rest of a status that the terminal has not yet taken.
  func pass(_ text: String) {
    eraseStatus()
    writeError((terminal?.takeRest() ?? "") + text)
  }

  /// The number of terminal rows under the status. A line that has become too wide covers more than one.
  private var statusRows: Int {
    guard let width = terminalWidth(), width > 0 else { return statusColumns.count }
    return statusColumns.reduce(0) { $0 + max(1, ($1 + width - 1) / width) }
  }

  /// The sequence that moves from the end of the status to its beginning.
  private var toBeginning: String {
    let rows = statusRows
    return rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r"
  }

  private func line(_ text: String) {
    pass(text + "\n")
  }

  static func standard(verbosity: Verbosity) -> Console {
    Console(
      verbosity: verbosity, style: .of(.error),
      errorIsTerminal: StandardStream.error.isTerminal, hasTerminal: true,
      terminalWidth: { StandardStream.error.terminalWidth },
      writeOutput: { try StandardStream.output.write($0) },
      // If standard error is gone, the failure cannot be reported.
      writeError: { try? StandardStream.error.write($0) })
  }
}

/// The amount of output on standard error besides errors.
enum Verbosity: Sendable {
  case quiet
  case normal
  case verbose
}

enum ExitCode: Int32, Sendable, CaseIterable {
  case success = 0
  case failure = 1
  /// The run is complete, but met a condition of `--fail-on`.
  case strict = 2
  /// A mistake in the command line; EX_USAGE of sysexits.h.
  case usage = 64
  /// 128 + the number of the signal, as in shells.
  case hungUp = 129
  case interrupted = 130
  case terminated = 143
}

/// The terminal on standard error, for texts that are rewritten repeatedly. Rejected bytes wait for the next write, so
/// that a stopped terminal (Ctrl-S) never blocks.
///
/// Main thread only.
private final class StatusTerminal {
  /// Its own open file: making the shared one nonblocking would change it for other programs.
  private let descriptor: Int32
  /// The bytes not yet taken.
  private var rest: [UInt8] = []

  /// - Returns: nil if it cannot be reopened, as after `su`.
  init?() {
    descriptor = unsafe open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// - Returns: false if the terminal still takes no bytes. Then `text` is dropped.
  func write(_ text: String) -> Bool {
    guard flush() else { return false }
    rest = Array(text.utf8)
    _ = flush()
    return true
  }

  /// Takes the rest of a begun text, which must be written before any other.
  func takeRest() -> String {
    defer { rest = [] }
    return String(decoding: rest, as: UTF8.self)
  }

  /// - Returns: whether all bytes are written.
  private func flush() -> Bool {
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      }
      if count < 0, errno == EINTR { continue }
      // Other writes report a failure.
      guard count > 0 else { return false }
      rest.removeFirst(count)
    }
    return true
  }
}
