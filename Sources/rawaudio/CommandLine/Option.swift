/// An option with a value: `--rate 44100`, `--rate=44100`, `-r 44100`, `-r44100`.
///
/// With an implied value, `--priority` alone means that, and another is attached: `--priority=20`.
///
/// Where it is given several times, ``ParsedArguments/value(of:)-(Option<Value>)`` is the last one, so
/// that an alias can be overridden, and ``ParsedArguments/values(of:)-(Option<Value>)`` are all.
struct Option<Value: Sendable>: Declared {
  let declaration: Declaration
  let syntax: ValueSyntax<Value>

  init(
    _ name: String, short: Character? = nil, _ syntax: ValueSyntax<Value>,
    default defaultText: String? = nil, impliedValue: String? = nil, group: OptionGroup = .main,
    help: String
  ) {
    self.syntax = syntax
    declaration = Declaration(
      kind: .option(valueName: syntax.name, acceptsNegativeNumbers: syntax.isNumeric),
      name: name, short: short, help: help, defaultText: defaultText, group: group,
      choices: syntax.choices, impliedValue: impliedValue)
  }
}
