/// A usage error together with the command that was being read; nil where it was none yet.
struct RejectedInvocation: Error {
  var error: UsageError
  var command: (any Command.Type)?

  init(_ error: UsageError, of command: (any Command.Type)?) {
    self.error = error
    self.command = command
  }

  /// The three lines for standard error.
  func text(style: TerminalStyle) -> String {
    let usage = command.map { $0.usage } ?? RootHelp.usage
    let page = command.map { "rawaudio \($0.name) --help" } ?? "rawaudio --help"
    return """
      \(style.error("Error:")) \(error.message.printable)
      Usage: \(usage)
        See '\(page)' for more information.

      """
  }
}
