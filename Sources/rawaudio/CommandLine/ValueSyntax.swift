/// How a value is written: its name in help texts and the function that reads it.
struct ValueSyntax<Value: Sendable>: Sendable {
  /// What stands between angle brackets: `hertz`.
  var name: String
  /// Whether a word that starts with `-` and a digit can be a value.
  var isNumeric = false
  /// The values there are, where they can be listed.
  var choices: [String] = []
  var parse: @Sendable (String) throws(InvalidValue) -> Value
}

extension ValueSyntax {
  /// One of the listed words, in any case.
  static func choice(
    name: String, _ values: [Value]
  ) -> ValueSyntax where Value: RawRepresentable<String> {
    let choices = values.map(\.rawValue)
    return ValueSyntax(name: name, choices: choices) { (text: String) throws(InvalidValue) in
      let word = text.lowercased()
      guard let value = values.first(where: { $0.rawValue == word }) else {
        throw InvalidValue("it must be \(choices.joinedAsAlternatives)")
      }
      return value
    }
  }
}

extension [String] {
  /// `a`, `a or b`, `a, b or c`.
  var joinedAsAlternatives: String { joined(lastBy: "or") }

  /// `a`, `a and b`, `a, b and c`.
  var joinedAsList: String { joined(lastBy: "and") }

  private func joined(lastBy conjunction: String) -> String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}
