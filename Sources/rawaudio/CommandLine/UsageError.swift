// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A mistake in the command line. It is reported with the usage of the command; the exit code is 64.
struct UsageError: Error, Equatable {
  /// One sentence, with a capital letter and without a full stop.
  var message: String

  init(_ message: String) {
    self.message = message
  }

  init(invalid text: String, for declaration: Declaration, because reason: String) {
    self.init("The value '\(text)' is invalid for '\(declaration.label)': \(reason)")
  }
}

extension UsageError {
  /// Adds the equivalent of a sox effect among the files.
  func hinting(at arguments: ParsedArguments, of command: any Command.Type) -> UsageError {
    let declarations = command.declarations
    let words = declarations.filter(\.isArgument).flatMap { arguments.texts(of: $0) }
    let hints = words.lazy.compactMap { ForeignOptionHint.hint(forEffect: $0, among: declarations) }
    return hints.first.map { UsageError("\(message); \($0)") } ?? self
  }
}

/// The reason for an invalid value. It completes "The value 'x' is invalid for '--rate': …".
struct InvalidValue: Error, Equatable {
  var reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

/// A usage error, and the command being read. Nil before the command is known.
struct RejectedInvocation: Error {
  var error: UsageError
  var command: (any Command.Type)?

  init(_ error: UsageError, of command: (any Command.Type)?) {
    self.error = error
    self.command = command
  }

  /// Prints the error, the usage, and a pointer to the help page.
  func report(on console: Console) {
    console.usageError(
      error.message, usage: command.map { $0.usage } ?? Program.usage,
      helpCommand: command.map { "rawaudio \($0.name) --help" } ?? "rawaudio --help")
  }
}

extension AudioError {
  /// The reason and the advice.
  var reasonAndAdvice: String { [reason, advice].compactMap { $0 }.joined(separator: "; ") }
}
