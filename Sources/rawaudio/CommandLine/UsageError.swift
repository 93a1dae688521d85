/// A command line that means nothing: told together with the usage of the command, exit 64.
struct UsageError: Error, Equatable {
  /// One sentence without a full stop, starting with a capital.
  var message: String

  init(_ message: String) {
    self.message = message
  }
}

extension UsageError {
  init(invalid text: String, for declaration: Declaration, because reason: String) {
    self.init("The value '\(text)' is invalid for '\(declaration.label)': \(reason)")
  }
}
