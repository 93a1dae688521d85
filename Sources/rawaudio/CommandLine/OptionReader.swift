// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// Reads the ``Declared`` fields of a struct while the struct is made.
///
/// Swift makes the initial values of fields in the order of the fields, and each field asks for its value here. Initial
/// values take no arguments and throw nothing; so the line that is read, and the first mistake in it, are kept by
/// thread. Fields that are made elsewhere, as in `DeviceOptions()`, have the values of an empty line.
struct OptionReader: Sendable {
  private static let active = Mutex<[pthread_t: OptionReader]>([:])

  private static let known = Mutex<[ObjectIdentifier: [Declaration]]>([:])

  private let arguments: ParsedArguments
  private var declarations: [Declaration] = []
  private var error: UsageError?

  private init(_ arguments: ParsedArguments) { self.arguments = arguments }

  /// - Returns: what `make` makes, with the values that `arguments` give.
  /// - Throws: for the first field whose value is invalid.
  static func read<Fields>(
    _ arguments: ParsedArguments, _ make: () -> Fields
  ) throws(UsageError) -> Fields {
    let (fields, reader) = run(arguments, make)
    if let error = reader.error { throw error }
    return fields
  }

  /// The declarations of the fields of what `make` makes, in order.
  static func declarations<Fields>(of make: () -> Fields) -> [Declaration] {
    run(ParsedArguments(), make).1.declarations
  }

  /// The declarations of a command, which are found once.
  static func declarations(once command: any Command.Type, _ find: () -> [Declaration])
    -> [Declaration]
  {
    if let declarations = known.withLock({ $0[ObjectIdentifier(command)] }) { return declarations }
    let declarations = find()
    known.withLock { $0[ObjectIdentifier(command)] = declarations }
    return declarations
  }

  private static func run<Fields>(
    _ arguments: ParsedArguments, _ make: () -> Fields
  ) -> (Fields, OptionReader) {
    let thread = pthread_self()
    let reader = OptionReader(arguments)
    let outer = active.withLock { $0.updateValue(reader, forKey: thread) }
    let fields = make()
    let done = active.withLock { readers in
      defer { readers[thread] = outer }
      return readers[thread]
    }
    return (fields, done ?? reader)
  }

  /// The values of one field, in order, and its last place. Values from an invalid one on are left out.
  static func read<Value>(
    _ declaration: Declaration, _ syntax: ValueSyntax<Value>
  ) -> ([Value], place: Int?) {
    let thread = pthread_self()
    guard let arguments = active.withLock({ $0[thread]?.arguments }) else {
      return ([], nil)
    }
    var values: [Value] = []
    var mistake: UsageError?
    for text in arguments.texts(of: declaration) where mistake == nil {
      do throws(InvalidValue) {
        values.append(try syntax.parse(text))
      } catch {
        mistake = UsageError(invalid: text, for: declaration, because: error.reason)
      }
    }
    active.withLock { [mistake] readers in
      readers[thread]?.declarations.append(declaration)
      if readers[thread]?.error == nil { readers[thread]?.error = mistake }
    }
    return (values, arguments.place(of: declaration))
  }
}
