// SPDX-License-Identifier: Apache-2.0
/// The syntax of a value: its name on help pages, and the function that parses it.
struct ValueSyntax<Value: Sendable>: Sendable {
  /// The name between angle brackets, such as `hertz`.
  var name: String
  /// Whether a word that begins with `-` and a digit can be a value.
  var isNumeric = false
  /// All possible values, if they can be listed.
  var choices: [String] = []
  var parse: @Sendable (String) throws(InvalidValue) -> Value
  /// The completions of the beginning of a value. Nil if only the choices are known.
  private(set) var offers: (@Sendable (String) -> [Offer])?
}

extension ValueSyntax {
  /// A syntax that refuses every wrong text for one reason.
  ///
  /// - Parameter parse: returns nil for a wrong text.
  init(
    name: String, isNumeric: Bool = false, choices: [String] = [],
    otherwise reason: @autoclosure @escaping @Sendable () -> String,
    _ parse: @escaping @Sendable (String) -> Value?
  ) {
    self.init(name: name, isNumeric: isNumeric, choices: choices) {
      (text: String) throws(InvalidValue) in
      guard let value = parse(text) else { throw InvalidValue(reason()) }
      return value
    }
  }

  /// This syntax with further completions than the choices.
  func offering(_ offers: @escaping @Sendable (String) -> [Offer]) -> ValueSyntax {
    var syntax = self
    syntax.offers = offers
    return syntax
  }

  /// This syntax with common words as completions.
  func offering(_ words: String...) -> ValueSyntax {
    offering { _ in words.map { .word($0) } }
  }

  func offers(for text: String) -> [Offer] { offers?(text) ?? choices.map { .word($0) } }

  /// One of the listed words, in upper or lower case. By default, all words of the enumeration.
  static func choice(
    name: String, _ values: [Value] = Array(Value.allCases)
  ) -> ValueSyntax where Value: RawRepresentable<String> & CaseIterable {
    let choices = values.map(\.rawValue)
    return ValueSyntax(
      name: name, choices: choices, otherwise: "it must be \(choices.joinedAsAlternatives)"
    ) { text in
      let word = text.lowercased()
      return values.first { $0.rawValue == word }
    }
  }
}

extension ValueSyntax<String> {
  /// Any text, including an empty one.
  static func text(name: String) -> Self { ValueSyntax(name: name) { $0 } }

  /// A path, even if it looks like something else.
  static func path(name: String) -> Self {
    ValueSyntax(name: name, otherwise: "the name is empty") { $0.isEmpty ? nil : $0 }
      .offering { _ in [.path(behind: "")] }
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
