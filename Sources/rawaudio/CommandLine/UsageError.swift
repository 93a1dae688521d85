/// A command line that means nothing: told together with the usage of the command, exit 64.
struct UsageError: Error, Equatable {
  /// One sentence without a full stop, starting with a capital.
  var message: String

  init(_ message: String) {
    self.message = message
  }

  init(invalid text: String, for declaration: Declaration, because reason: String) {
    self.init("The value '\(text)' is invalid for '\(declaration.label)': \(reason)")
  }
}

/// Why a text is not a value; the phrase that ends "The value 'x' is invalid for '--rate': …".
struct InvalidValue: Error, Equatable {
  var reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

/// A usage error together with the command whose words were being read; nil where there was none yet.
struct RejectedInvocation: Error {
  var error: UsageError
  var command: (any Command.Type)?

  init(_ error: UsageError, of command: (any Command.Type)?) {
    self.error = error
    self.command = command
  }

  /// Tells the error, and where to read more.
  func report(on console: Console) {
    console.usageError(
      error.message, usage: command.map { $0.usage } ?? Program.usage,
      helpCommand: command.map { "rawaudio \($0.name) --help" } ?? "rawaudio --help")
  }
}
