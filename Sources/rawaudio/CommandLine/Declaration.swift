// SPDX-License-Identifier: Apache-2.0
/// A flag, an option or an argument: all that the parser, the help pages and the errors need to know.
///
/// A class, so that a command with a hundred options is copied as a hundred references.
final class Declaration: Sendable {
  enum Kind: Sendable, Equatable {
    case flag
    /// `acceptsNegativeNumbers`: the value may be a separate word that starts with `-`.
    case option(valueName: String, acceptsNegativeNumbers: Bool)
    case argument(isRequired: Bool, isRepeatable: Bool)
  }

  let kind: Kind
  /// The long name of a flag or an option without the dashes; the name of an argument.
  let name: String
  let short: Character?
  private let makeHelp: @Sendable () -> String
  /// What applies by default, for the help page; nil if the page says nothing about it.
  let defaultText: String?
  let group: OptionGroup
  /// All possible values, if they can be listed.
  let choices: [String]
  /// How a value that was begun may go on; nil where the choices are all that is known.
  let valueOffers: (@Sendable (String) -> [Offer])?
  /// The value of an option that is given without one; nil if a value is required. If it is not nil, a
  /// value can only follow after `=`.
  let impliedValue: String?
  /// Whether it is refused the second time.
  let isGivenOnce: Bool
  /// Of a field that was read: its last place among all that was given; nil if it was not given.
  let place: Int?

  init(
    kind: Kind, name: String, short: Character? = nil, makeHelp: @escaping @Sendable () -> String,
    defaultText: String? = nil,
    group: OptionGroup, choices: [String] = [], valueOffers: (@Sendable (String) -> [Offer])? = nil,
    impliedValue: String? = nil, isGivenOnce: Bool = false, place: Int? = nil
  ) {
    (self.kind, self.name, self.short, self.makeHelp) = (kind, name, short, makeHelp)
    (self.defaultText, self.group, self.choices) = (defaultText, group, choices)
    (self.valueOffers, self.impliedValue) = (valueOffers, impliedValue)
    (self.isGivenOnce, self.place) = (isGivenOnce, place)
  }

  /// A copy that tells where it was given.
  func given(at place: Int?) -> Declaration {
    guard let place else { return self }
    return Declaration(
      kind: kind, name: name, short: short, makeHelp: makeHelp, defaultText: defaultText,
      group: group,
      choices: choices, valueOffers: valueOffers, impliedValue: impliedValue,
      isGivenOnce: isGivenOnce, place: place)
  }
}

extension Declaration {
  /// Made when it is shown.
  var help: String { makeHelp() }

  var isGiven: Bool { place != nil }

  /// Whether it was given, and behind the last `other`.
  func overrides(_ other: Declaration) -> Bool { (place ?? -1) > (other.place ?? -1) }
}

extension Declaration {
  /// How the value `text` may go on.
  func offers(for text: String) -> [Offer] { valueOffers?(text) ?? choices.map { .word($0) } }

  var isArgument: Bool {
    if case .argument = kind { true } else { false }
  }

  /// A flag or an option without its value: `--rate`.
  var word: String { "--\(name)" }

  /// How errors name it: `--rate <hertz>`, `--force`, `<source>`.
  var label: String {
    switch kind {
    case .flag: word
    case .option(let valueName, _) where impliedValue != nil: "\(word)[=<\(valueName)>]"
    case .option(let valueName, _): "\(word) <\(valueName)>"
    case .argument: "<\(name)>"
    }
  }

  /// How the help page lists it: `-r, --rate <hertz>`.
  var listing: String {
    guard let short else { return label }
    return "-\(short), \(label)"
  }

  /// How the usage line shows an argument: `<source> ...`, `[<file> ...]`.
  var usage: String {
    guard case .argument(let isRequired, let isRepeatable) = kind else { return "[\(label)]" }
    let words = isRepeatable ? "\(label) ..." : label
    return isRequired ? words : "[\(words)]"
  }
}

/// The heading of the help page under which an option is listed. Pages show the groups in this order.
enum OptionGroup: String, Sendable, CaseIterable {
  case main = "OPTIONS"
  case edits = "EDITS"
  case list = "OPTIONS FOR MANY FILES"
  case input = "INPUT OPTIONS"
  case output = "OUTPUT OPTIONS"
  case picture = "PICTURE OPTIONS"
  case peaks = "OPTIONS FOR PEAKS"
  case metadata = "METADATA OPTIONS"
  case recording = "RECORDING OPTIONS"
  case unattended = "UNATTENDED RECORDING"
  case device = "DEVICE OPTIONS"
  case observers = "OBSERVERS"
  case general = "GENERAL OPTIONS"
}
