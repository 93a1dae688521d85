/// What a command may know of the place it was called in before it runs.
struct InvocationContext: Sendable {
  var standardOutputIsTerminal: Bool
}
