// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// Reads the ``Declared`` fields of a struct while the struct is made.
///
/// Swift makes the initial values of fields in order, and each field asks for its value here. Initial values take no
/// arguments and cannot throw, so the line being read and its first mistake are kept per thread. Fields made elsewhere,
/// as in `BufferingOptions()`, have the values of an empty line.
struct OptionReader: Sendable {
  private static let active = Mutex<[(thread: pthread_t, reader: OptionReader)]>([])

  private let arguments: ParsedArguments
  private var declarations: [Declaration] = []
  private var error: UsageError?

  private init(_ arguments: ParsedArguments) { self.arguments = arguments }

  /// - Returns: the result of `make`, with the values from `arguments`.
  /// - Throws: the error of the first field with an invalid value.
  static func read<Fields>(
    _ arguments: ParsedArguments, _ make: () -> Fields
  ) throws(UsageError) -> Fields {
    let (fields, reader) = run(arguments, make)
    if let error = reader.error { throw error }
    return fields
  }

  /// The declarations of the fields in the result of `make`, in order.
  static func declarations<Fields>(of make: () -> Fields) -> [Declaration] {
    run(ParsedArguments(), make).1.declarations
  }

  private static func run<Fields>(
    _ arguments: ParsedArguments, _ make: () -> Fields
  ) -> (Fields, OptionReader) {
    let thread = pthread_self()
    let reader = OptionReader(arguments)
    active.withLock { $0.append((thread, reader)) }
    let fields = make()
    let done = active.withLock { active in
      active.lastIndex { $0.thread == thread }.map { active.remove(at: $0).reader }
    }
    return (fields, done ?? reader)
  }

  /// The arguments being read on this thread. Nil if none are.
  private static var arguments: ParsedArguments? {
    let thread = pthread_self()
    return active.withLock { $0.last { $0.thread == thread }?.reader.arguments }
  }

  /// The last place of the declaration `name` among all given values. Nil if it was not given.
  static func place(of name: String) -> Int? { arguments?.place(of: name) }

  /// The values of one field in order. Stops before the first invalid value.
  static func read<Value>(_ declaration: Declaration, _ syntax: ValueSyntax<Value>) -> [Value] {
    guard let arguments else { return [] }
    var values: [Value] = []
    var mistake: UsageError?
    for text in arguments.texts(of: declaration) where mistake == nil {
      do throws(InvalidValue) {
        values.append(try syntax.parse(text))
      } catch {
        mistake = UsageError(invalid: text, for: declaration, because: error.reason)
      }
    }
    let thread = pthread_self()
    active.withLock { [mistake] active in
      guard let index = active.lastIndex(where: { $0.thread == thread }) else { return }
      active[index].reader.declarations.append(declaration)
      if active[index].reader.error == nil { active[index].reader.error = mistake }
    }
    return values
  }
}
