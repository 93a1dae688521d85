/// A value that is told by its place: `rawaudio info <file> ...`.
struct Argument<Value: Sendable>: Declared {
  let declaration: Declaration
  let syntax: ValueSyntax<Value>

  init(
    _ syntax: ValueSyntax<Value>, isRequired: Bool = true, isRepeatable: Bool = false, help: String
  ) {
    self.syntax = syntax
    declaration = Declaration(
      kind: .argument(isRequired: isRequired, isRepeatable: isRepeatable),
      name: syntax.name, help: help, group: .main, choices: syntax.choices)
  }
}
