// SPDX-License-Identifier: Apache-2.0
/// The words of a command line by declaration, to be read with typed keys.
struct ParsedArguments: Sendable {
  private var texts: [String: [String]] = [:]
  private var order: [String] = []

  mutating func record(_ declaration: Declaration, _ text: String) {
    texts[declaration.name, default: []].append(text)
    order.append(declaration.name)
  }

  /// What was given first; nil if it was not given.
  func text(of declaration: Declaration) -> String? { texts[declaration.name]?.first }

  /// The words that stand by themselves, as they were written.
  func positional(_ declarations: [Declaration]) -> [String] {
    declarations.filter(\.isArgument).flatMap { texts[$0.name] ?? [] }
  }

  /// Whether it was given at all.
  func has(_ declared: any Declared) -> Bool {
    texts[declared.declaration.name] != nil
  }

  /// Of two flags that contradict each other, the one that was given last.
  func last(of one: Flag, _ other: Flag) -> String? {
    order.last { $0 == one.declaration.name || $0 == other.declaration.name }
  }

  /// The last value that was given; nil if there is none.
  func value<Value>(of option: Option<Value>) throws(UsageError) -> Value? {
    try values(of: option).last
  }

  /// All values that were given, in order.
  func values<Value>(of option: Option<Value>) throws(UsageError) -> [Value] {
    try values(option.declaration, option.syntax)
  }

  func value<Value>(of argument: Argument<Value>) throws(UsageError) -> Value? {
    try values(of: argument).first
  }

  func values<Value>(of argument: Argument<Value>) throws(UsageError) -> [Value] {
    try values(argument.declaration, argument.syntax)
  }

  private func values<Value>(
    _ declaration: Declaration, _ syntax: ValueSyntax<Value>
  ) throws(UsageError) -> [Value] {
    var values: [Value] = []
    for text in texts[declaration.name] ?? [] {
      do throws(InvalidValue) {
        values.append(try syntax.parse(text))
      } catch {
        throw UsageError(invalid: text, for: declaration, because: error.reason)
      }
    }
    return values
  }
}

extension ParsedArguments {
  /// The values of a repeatable option for each input. Given once, the option applies to all inputs; given
  /// once for each input, it applies in order.
  ///
  /// - Returns: `inputCount` values, which are nil if the option was not given.
  /// - Throws: if the option is given any other number of times.
  func values<Value>(
    of option: Option<Value>, perInput inputCount: Int
  ) throws(UsageError) -> [Value?] {
    let values = try values(of: option)
    switch values.count {
    case 0: return Array(repeating: nil, count: inputCount)
    case 1: return Array(repeating: values[0], count: inputCount)
    case inputCount: return values
    default:
      let inputs = "\(inputCount) input\(inputCount == 1 ? "" : "s")"
      throw UsageError(
        "'\(option.declaration.label)' is given \(values.count) times for \(inputs);"
          + " give it once for all or once for each")
    }
  }
}
