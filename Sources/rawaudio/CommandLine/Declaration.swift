// SPDX-License-Identifier: Apache-2.0
/// A flag, an option or an argument, with all facts for the parser, the help pages and the errors.
///
/// A class, so that copying a command with a hundred options copies a hundred references.
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
  /// The default on the help page. Nil if the page states none.
  let defaultText: String?
  let group: OptionGroup
  /// All possible values, if they can be listed.
  let choices: [String]
  /// The completions of the beginning of a value. Nil if only the choices are known.
  let valueOffers: (@Sendable (String) -> [Offer])?
  /// The value of an option given without one. Nil if a value is required. If set, other values follow only after `=`.
  let impliedValue: String?
  /// Whether a second use is an error.
  let isGivenOnce: Bool
  /// The last place of a read field among all given values. Nil if it was not given.
  let place: Int?

  init(
    kind: Kind, name: String, short: Character? = nil, makeHelp: @escaping @Sendable () -> String,
    defaultText: String? = nil,
    group: OptionGroup, choices: [String] = [], valueOffers: (@Sendable (String) -> [Offer])? = nil,
    impliedValue: String? = nil, isGivenOnce: Bool = false
  ) {
    self.kind = kind
    self.name = name
    self.short = short
    self.makeHelp = makeHelp
    self.defaultText = defaultText
    self.group = group
    self.choices = choices
    self.valueOffers = valueOffers
    self.impliedValue = impliedValue
    self.isGivenOnce = isGivenOnce
    place = OptionReader.place(of: name)
  }
}

extension Declaration {
  /// Made on demand.
  var help: String { makeHelp() }

  var isGiven: Bool { place != nil }

  /// Whether it was given after the last `other`.
  func overrides(_ other: Declaration) -> Bool { (place ?? -1) > (other.place ?? -1) }
}

extension Declaration {
  func offers(for text: String) -> [Offer] { valueOffers?(text) ?? choices.map { .word($0) } }

  var isArgument: Bool {
    if case .argument = kind { true } else { false }
  }

  /// A flag or an option without its value: `--rate`.
  var word: String { "--\(name)" }

  /// Its name in errors: `--rate <hertz>`, `--force`, `<source>`.
  var label: String {
    switch kind {
    case .flag: word
    case .option(let valueName, _) where impliedValue != nil: "\(word)[=<\(valueName)>]"
    case .option(let valueName, _): "\(word) <\(valueName)>"
    case .argument: "<\(name)>"
    }
  }

  /// Its entry on the help page: `-r, --rate <hertz>`.
  var listing: String {
    guard let short else { return label }
    return "-\(short), \(label)"
  }

  /// Its form on the usage line: `<source> ...`, `[<file> ...]`.
  var usage: String {
    guard case .argument(let isRequired, let isRepeatable) = kind else { return "[\(label)]" }
    let words = isRepeatable ? "\(label) ..." : label
    return isRequired ? words : "[\(words)]"
  }
}

extension [Declaration] {
  /// The options of these names, separated by spaces, in that order.
  func options(named names: String) -> [Declaration] {
    names.split(separator: " ").compactMap { name in
      first { !$0.isArgument && $0.name == name }
    }
  }
}

/// The heading of an option on the help page. Pages show the groups in this order.
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
  case network = "NETWORK OPTIONS"
  case observers = "OBSERVERS"
  case general = "GENERAL OPTIONS"
}
