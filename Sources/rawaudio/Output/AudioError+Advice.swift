internal import AudioCore

extension AudioError {
  /// The error with what to do next in the words of the command line, which the library does not know.
  ///
  /// - Parameter command: what was run; it advises nothing that the command does not take.
  func advised(for command: (any Command.Type)?) -> AudioError {
    guard advice == nil, let command else { return self }
    func takes(_ declared: any Declared) -> Bool {
      command.declarations.contains { $0.name == declared.declaration.name }
    }
    var error = self
    switch kind {
    case .alreadyExists where takes(OutputOptions.force):
      error.advice = "use \(OutputOptions.force.declaration.label) to overwrite"
    case .unrecognised where takes(InputOptions.type):
      error.advice = "for headerless data say --\(InputOptions.type.declaration.name) raw"
    default: break
    }
    return error
  }
}
