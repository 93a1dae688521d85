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
  func usageError(_ rejection: RejectedInvocation) {
    eraseStatus()
    writeError(rejection.text(style: style))
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
