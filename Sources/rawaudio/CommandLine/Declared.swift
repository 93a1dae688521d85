// SPDX-License-Identifier: Apache-2.0
/// A field read from the command line: its declaration and its value.
///
/// Commands, and groups of options shared by several commands, are structs with such fields. A command has a group as a
/// field. Making the struct reads the fields (``OptionReader``), so no list of options is needed, and a command lacks
/// the fields of options it does not declare. Under each heading, the help page follows the order of the fields.
///
///     @Option("ring-size", .bufferLength, default: "4000ms", help: "How much is held.")
///     var ringSize: DeviceLength?
///
/// The type of the field decides which values count: `[Value]` holds all values in order, any other type the last one,
/// so that an alias can be overridden. An option for a path, for a program or for the sound is `givenOnce`. `$ringSize`
/// is the declaration: it holds the label for errors, and whether the option was given.
@propertyWrapper
struct Declared<Value: Sendable>: Sendable {
  var wrappedValue: Value
  let projectedValue: Declaration

  private init<Each>(
    _ declaration: Declaration, _ syntax: ValueSyntax<Each>, _ value: ([Each]) -> Value
  ) {
    wrappedValue = value(OptionReader.read(declaration, syntax))
    projectedValue = declaration
  }

  /// A field shared by several commands: `@Option(.gain)`.
  init(_ shared: Self) { self = shared }
}

extension Declared: Equatable where Value: Equatable {
  static func == (first: Self, second: Self) -> Bool { first.wrappedValue == second.wrappedValue }
}

/// An option with a value: `--rate 44100`, `--rate=44100`, `-r 44100`, `-r44100`.
typealias Option = Declared
/// An option without a value: `--force`, `-q`.
typealias Flag = Declared<Bool>
/// A value without a name: `rawaudio info <file> ...`.
typealias Argument = Declared

extension Declared {
  /// An option that always has a value.
  ///
  /// - Parameter text: the default value, as typed.
  init(
    _ name: String, short: Character? = nil, _ syntax: ValueSyntax<Value>, default text: String,
    group: OptionGroup = .main, givenOnce: Bool = false,
    help: @autoclosure @escaping @Sendable () -> String
  ) {
    let declaration = Declaration(
      name, short, syntax, text, nil, group, isGivenOnce: givenOnce, help)
    self.init(declaration, syntax) { values in
      guard let value = values.last ?? (try? syntax.parse(text)) else {
        preconditionFailure("'\(text)' is no value of \(declaration.label)")
      }
      return value
    }
  }

  /// An option whose value is nil if it is not given.
  ///
  /// - Parameters:
  ///   - text: the default in the words of the help page.
  ///   - impliedValue: the value of the option alone. Other values follow after `=`: `--priority=20`.
  init<Each>(
    _ name: String, short: Character? = nil, _ syntax: ValueSyntax<Each>,
    default text: String? = nil, impliedValue: String? = nil, group: OptionGroup = .main,
    givenOnce: Bool = false, help: @autoclosure @escaping @Sendable () -> String
  ) where Value == Each? {
    let declaration = Declaration(
      name, short, syntax, text, impliedValue, group, isGivenOnce: givenOnce, help)
    self.init(declaration, syntax, \.last)
  }

  /// An option whose values all count.
  init<Each>(
    _ name: String, short: Character? = nil, _ syntax: ValueSyntax<Each>,
    default text: String? = nil, impliedValue: String? = nil, group: OptionGroup = .main,
    help: @autoclosure @escaping @Sendable () -> String
  ) where Value == [Each] {
    self.init(Declaration(name, short, syntax, text, impliedValue, group, help), syntax, \.self)
  }

  /// An argument that takes one word.
  ///
  /// - Parameter wrappedValue: the value without a command line.
  init(
    wrappedValue: Value, _ syntax: ValueSyntax<Value>,
    help: @autoclosure @escaping @Sendable () -> String
  ) {
    self.init(
      Declaration(argument: syntax, isRequired: true, isRepeatable: false, help), syntax
    ) { $0.first ?? wrappedValue }
  }

  /// An argument that takes all remaining words.
  init<Each>(
    _ syntax: ValueSyntax<Each>, isRequired: Bool = true,
    help: @autoclosure @escaping @Sendable () -> String
  ) where Value == [Each] {
    self.init(
      Declaration(argument: syntax, isRequired: isRequired, isRepeatable: true, help), syntax,
      \.self)
  }
}

extension Declared<Bool> {
  init(
    _ name: String, short: Character? = nil, group: OptionGroup = .main,
    help: @autoclosure @escaping @Sendable () -> String
  ) {
    let declaration = Declaration(
      kind: .flag, name: name, short: short, makeHelp: help, group: group)
    self.init(declaration, .flag) { !$0.isEmpty }
  }
}

extension Declared {
  /// The values for each input. Given once, the option applies to all inputs; given once for each input, it applies in
  /// order.
  ///
  /// - Returns: `inputCount` values. They are nil if the option was not given.
  /// - Throws: if the option is given any other number of times.
  func each<Each>(of inputCount: Int) throws(UsageError) -> [Each?] where Value == [Each] {
    let values = wrappedValue
    switch values.count {
    case 0: return Array(repeating: nil, count: inputCount)
    case 1: return Array(repeating: values[0], count: inputCount)
    case inputCount: return values
    default:
      let inputs = "\(inputCount) input\(inputCount == 1 ? "" : "s")"
      throw UsageError(
        "'\(projectedValue.label)' is given \(values.count) times for \(inputs);"
          + " give it once for all or once for each")
    }
  }

  /// The value for all inputs together; nil if the option was not given.
  ///
  /// - Throws: if it is given more than once.
  func single<Each>() throws(UsageError) -> Each? where Value == [Each] {
    let values = wrappedValue
    if values.count <= 1 { return values.first }
    throw UsageError("'\(projectedValue.label)' is given \(values.count) times; give it once")
  }

  /// Sets the value for each of `inputs`, as in ``each(of:)``. Leaves them alone if the option was not given.
  func apply<Each, Input>(
    to inputs: inout [Input], _ set: (inout Input, Each) -> Void
  ) throws(UsageError) where Value == [Each] {
    for (index, value) in try each(of: inputs.count).enumerated() {
      if let value { set(&inputs[index], value) }
    }
  }
}

extension Declaration {
  fileprivate convenience init<Each>(
    _ name: String, _ short: Character?, _ syntax: ValueSyntax<Each>, _ defaultText: String?,
    _ impliedValue: String?, _ group: OptionGroup, isGivenOnce: Bool = false,
    _ help: @escaping @Sendable () -> String
  ) {
    self.init(
      kind: .option(valueName: syntax.name, acceptsNegativeNumbers: syntax.isNumeric),
      name: name, short: short, makeHelp: help, defaultText: defaultText, group: group,
      choices: syntax.choices, valueOffers: syntax.offers, impliedValue: impliedValue,
      isGivenOnce: isGivenOnce)
  }

  fileprivate convenience init<Each>(
    argument syntax: ValueSyntax<Each>, isRequired: Bool, isRepeatable: Bool,
    _ help: @escaping @Sendable () -> String
  ) {
    self.init(
      kind: .argument(isRequired: isRequired, isRepeatable: isRepeatable), name: syntax.name,
      makeHelp: help, group: .main, choices: syntax.choices, valueOffers: syntax.offers)
  }
}

extension ValueSyntax<Bool> {
  /// The value recorded for a flag.
  fileprivate static let flag = ValueSyntax(name: "") { _ in true }
}
