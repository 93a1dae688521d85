/// What a flag, an option or an argument says of itself: everything that parsing, help, errors,
/// completion scripts and manual pages need to know.
struct Declaration: Sendable {
  enum Kind: Sendable, Equatable {
    case flag
    /// `acceptsNegativeNumbers`: the value may follow as a word of its own that starts with `-`.
    case option(valueName: String, acceptsNegativeNumbers: Bool)
    case argument(isRequired: Bool, isRepeatable: Bool)
  }

  var kind: Kind
  /// The long name of a flag or an option without its dashes; the name of an argument.
  var name: String
  var short: Character?
  var help: String
  /// What holds where it is not given; nil where there is nothing to say.
  var defaultText: String?
  var group: OptionGroup
  /// The values there are, where they can be listed.
  var choices: [String] = []
  /// What an option means without a value, which then can only follow after `=`; nil where it needs one.
  var impliedValue: String?
}

extension Declaration {
  var isArgument: Bool {
    if case .argument = kind { true } else { false }
  }

  /// As errors name it: `--rate <hertz>`, `--force`, `<source>`.
  var label: String {
    switch kind {
    case .flag: "--\(name)"
    case .option(let valueName, _) where impliedValue != nil: "--\(name)[=<\(valueName)>]"
    case .option(let valueName, _): "--\(name) <\(valueName)>"
    case .argument: "<\(name)>"
    }
  }

  /// As the help page lists it: `-r, --rate <hertz>`.
  var listing: String {
    guard let short else { return label }
    return "-\(short), \(label)"
  }

  /// As the usage line shows an argument: `<source> ...`, `[<file> ...]`.
  var usage: String {
    guard case .argument(let isRequired, let isRepeatable) = kind else { return "[\(label)]" }
    let words = isRepeatable ? "\(label) ..." : label
    return isRequired ? words : "[\(words)]"
  }
}

/// Something a command declares; the typed keys ``Flag``, ``Option`` and ``Argument``.
protocol Declared: Sendable {
  var declaration: Declaration { get }
}
