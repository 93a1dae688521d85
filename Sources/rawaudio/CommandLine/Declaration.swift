// SPDX-License-Identifier: Apache-2.0
/// A flag, an option or an argument: all that the parser, the help pages and the errors need to know.
struct Declaration: Sendable {
  enum Kind: Sendable, Equatable {
    case flag
    /// `acceptsNegativeNumbers`: the value may be a separate word that starts with `-`.
    case option(valueName: String, acceptsNegativeNumbers: Bool)
    case argument(isRequired: Bool, isRepeatable: Bool)
  }

  var kind: Kind
  /// The long name of a flag or an option without the dashes; the name of an argument.
  var name: String
  var short: Character?
  var help: String
  /// What applies by default, for the help page; nil if the page says nothing about it.
  var defaultText: String?
  var group: OptionGroup
  /// All possible values, if they can be listed.
  var choices: [String] = []
  /// How a value that was begun may go on; nil where the choices are all that is known.
  var valueOffers: (@Sendable (String) -> [Offer])?
  /// The value of an option that is given without one; nil if a value is required. If it is not nil, a
  /// value can only follow after `=`.
  var impliedValue: String?
  /// Whether it is refused the second time.
  var isGivenOnce = false
  /// Of a field that was read: its last place among all that was given; nil if it was not given.
  var place: Int?
}

extension Declaration {
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
