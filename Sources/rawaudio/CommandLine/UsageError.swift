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
  /// Adds what to say instead where an effect of sox stands among the files.
  func hinting(at arguments: ParsedArguments, of command: any Command.Type) -> UsageError {
    let declarations = command.declarations
    let words = declarations.filter(\.isArgument).flatMap { arguments.texts(of: $0) }
    let hints = words.lazy.compactMap { BroughtHabit.hint(forEffect: $0, among: declarations) }
    return hints.first.map { UsageError("\(message); \($0)") } ?? self
  }
}

/// Why a text is not a valid value. The reason completes "The value 'x' is invalid for '--rate': …".
struct InvalidValue: Error, Equatable {
  var reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

/// A usage error, and the command whose words were being read; nil if no command was known yet.
struct RejectedInvocation: Error {
  var error: UsageError
  var command: (any Command.Type)?

  init(_ error: UsageError, of command: (any Command.Type)?) {
    self.error = error
    self.command = command
  }

  /// Prints the error, the usage, and how to get the help page.
  func report(on console: Console) {
    console.usageError(
      error.message, usage: command.map { $0.usage } ?? Program.usage,
      helpCommand: command.map { "rawaudio \($0.name) --help" } ?? "rawaudio --help")
  }
}

extension AudioError {
  /// Why it failed, and what to do next.
  var reasonAndAdvice: String { [reason, advice].compactMap { $0 }.joined(separator: "; ") }
}
