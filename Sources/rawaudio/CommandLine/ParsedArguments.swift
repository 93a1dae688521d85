/// The words of a command line, sorted by what they were given for, and read by typed keys.
struct ParsedArguments: Sendable {
  private var texts: [String: [String]] = [:]
  private var order: [String] = []

  mutating func record(_ declaration: Declaration, _ text: String) {
    texts[declaration.name, default: []].append(text)
    order.append(declaration.name)
  }

  /// Whether the flag was given.
  func has(_ flag: Flag) -> Bool {
    texts[flag.declaration.name] != nil
  }

  /// Of two flags that contradict each other, the one that was given last.
  func last(of one: Flag, _ other: Flag) -> String? {
    order.last { $0 == one.declaration.name || $0 == other.declaration.name }
  }

  /// The last value given, nil where there is none.
  func value<Value>(of option: Option<Value>) throws(UsageError) -> Value? {
    try values(of: option).last
  }

  /// Every value given, in order.
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
