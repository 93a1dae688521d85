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
}

extension Declaration {
  /// How the value `text` may go on.
  func offers(for text: String) -> [Offer] { valueOffers?(text) ?? choices.map { .word($0) } }

  var isArgument: Bool {
    if case .argument = kind { true } else { false }
  }

  /// How errors name it: `--rate <hertz>`, `--force`, `<source>`.
  var label: String {
    switch kind {
    case .flag: "--\(name)"
    case .option(let valueName, _) where impliedValue != nil: "--\(name)[=<\(valueName)>]"
    case .option(let valueName, _): "--\(name) <\(valueName)>"
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
enum OptionGroup: Int, Sendable, CaseIterable {
  case main
  case edits
  case list
  case input
  case output
  case picture
  case peaks
  case metadata
  case recording
  case unattended
  case device
  case observers
  case general

  var heading: String {
    switch self {
    case .main: "OPTIONS"
    case .edits: "EDITS"
    case .list: "OPTIONS FOR MANY FILES"
    case .input: "INPUT OPTIONS"
    case .output: "OUTPUT OPTIONS"
    case .picture: "PICTURE OPTIONS"
    case .peaks: "OPTIONS FOR PEAKS"
    case .metadata: "METADATA OPTIONS"
    case .recording: "RECORDING OPTIONS"
    case .unattended: "UNATTENDED RECORDING"
    case .device: "DEVICE OPTIONS"
    case .observers: "OBSERVERS"
    case .general: "GENERAL OPTIONS"
    }
  }
}

/// Something that a command declares: a ``Flag``, an ``Option`` or an ``Argument``. These are also the typed
/// keys with which ``ParsedArguments`` are read.
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
/// If there is an implied value, `--priority` alone stands for it, and another value is attached:
/// `--priority=20`.
///
/// If the option is given several times, ``ParsedArguments/value(of:)-(Option<Value>)`` is the last value,
/// so that an alias can be overridden. ``ParsedArguments/values(of:)-(Option<Value>)`` are all values. An option that
/// names what is read, written or run, or that changes the sound, is ``givenOnce``, for nobody means the other one to be
/// dropped.
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
      choices: syntax.choices, valueOffers: syntax.offers, impliedValue: impliedValue)
  }

  private init(_ declaration: Declaration, _ syntax: ValueSyntax<Value>) {
    (self.declaration, self.syntax) = (declaration, syntax)
  }

  /// The same option, refused the second time.
  var givenOnce: Self {
    var declaration = declaration
    declaration.isGivenOnce = true
    return Self(declaration, syntax)
  }
}

/// A value without a name in front of it: `rawaudio info <file> ...`.
struct Argument<Value: Sendable>: Declared {
  let declaration: Declaration
  let syntax: ValueSyntax<Value>

  init(
    _ syntax: ValueSyntax<Value>, isRequired: Bool = true, isRepeatable: Bool = false, help: String
  ) {
    self.syntax = syntax
    declaration = Declaration(
      kind: .argument(isRequired: isRequired, isRepeatable: isRepeatable),
      name: syntax.name, help: help, group: .main, choices: syntax.choices,
      valueOffers: syntax.offers)
  }
}
