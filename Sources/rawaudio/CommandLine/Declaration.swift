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

/// Under which heading of the help page an option stands. Pages show the groups in this order.
enum OptionGroup: Int, Sendable, CaseIterable {
  case main
  case input
  case output
  case recording
  case device
  case observers
  case general

  var heading: String {
    switch self {
    case .main: "OPTIONS"
    case .input: "INPUT OPTIONS"
    case .output: "OUTPUT OPTIONS"
    case .recording: "RECORDING OPTIONS"
    case .device: "DEVICE OPTIONS"
    case .observers: "OBSERVERS"
    case .general: "GENERAL OPTIONS"
    }
  }
}

/// Something that a command declares: the typed keys ``Flag``, ``Option`` and ``Argument``, by which
/// ``ParsedArguments`` are read.
protocol Declared: Sendable {
  var declaration: Declaration { get }
}

/// An option without a value: `--force`, `-q`.
struct Flag: Declared {
  let declaration: Declaration

  init(_ name: String, short: Character? = nil, group: OptionGroup = .main, help: String) {
    declaration = Declaration(kind: .flag, name: name, short: short, help: help, group: group)
  }
}

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
