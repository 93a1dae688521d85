internal import AudioCore

extension AudioError {
  /// Adds what to do next in terms of the command line, which the library does not know.
  ///
  /// - Parameter declarations: of the command that was run. Only options that it has are suggested.
  func advised(forOptions declarations: [Declaration]) -> AudioError {
    guard advice == nil else { return self }
    func takes(_ declared: any Declared) -> Bool {
      declarations.contains { $0.name == declared.declaration.name }
    }
    var error = self
    switch kind {
    case .alreadyExists where takes(OutputOptions.force):
      error.advice = "use \(OutputOptions.force.declaration.label) to overwrite"
    case .unrecognised where takes(InputOptions.type):
      error.advice = "for headerless data say --\(InputOptions.type.declaration.name) raw"
    case .unsupported where takes(InputOptions.spoolLimit): return advisingSpoolLimit
    default: break
    }
    return error
  }
}
