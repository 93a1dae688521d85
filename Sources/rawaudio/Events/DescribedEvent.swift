// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// An event that programs get as a line of JSON.
///
/// `docs/events.md` describes each of its members in a row. A test compares the two.
protocol DescribedEvent {
  /// The value of its member `event`.
  static var name: String { get }
  /// All other members except `schema`, in order.
  static var members: [Member<Self>] { get }
  /// The sentences for people. May be empty.
  var sentences: [Sentence] { get }
  /// Whether people get the sentences also with `--json`.
  var isSpokenBesideJSON: Bool { get }
}

extension DescribedEvent {
  var sentences: [Sentence] { [] }
  var isSpokenBesideJSON: Bool { false }

  var line: JSONValue {
    .object(
      [("schema", .integer(EventObserver.schemaVersion)), ("event", .string(Self.name))]
        + Self.members.values(of: self))
  }
}

/// A sentence about an event, for people.
enum Sentence: Sendable, Hashable {
  case note(String)
  /// The reason of the exit code.
  case reason(String)
  /// Shown only with `-v`.
  case detail(String)
}

/// A member of a JSON object: its name and the function that finds its value.
struct Member<Subject>: Sendable {
  let name: String
  /// Whether some objects lack it.
  let isOptional: Bool
  private let find: @Sendable (Subject) -> JSONValue?

  init(_ name: String, _ find: @escaping @Sendable (Subject) -> JSONValue) {
    self.name = name
    isOptional = false
    self.find = find
  }

  /// - Parameter find: returns nil if the object lacks the member.
  init(optional name: String, _ find: @escaping @Sendable (Subject) -> JSONValue?) {
    self.name = name
    isOptional = true
    self.find = find
  }

  /// The name and the value. Nil if `subject` lacks the member.
  func value(of subject: Subject) -> (name: String, value: JSONValue)? {
    find(subject).map { (name, $0) }
  }
}

extension Array {
  /// The members that `subject` has, with their values.
  func values<Subject>(of subject: Subject) -> [(name: String, value: JSONValue)]
  where Element == Member<Subject> {
    compactMap { $0.value(of: subject) }
  }

  func object<Subject>(_ subject: Subject) -> JSONValue where Element == Member<Subject> {
    .object(values(of: subject))
  }

  /// The members of a whole with an optional `part`.
  func lifted<Part, Whole>(
    _ part: @escaping @Sendable (Whole) -> Part?
  ) -> [Member<Whole>] where Element == Member<Part> {
    map { member in
      Member<Whole>(optional: member.name) { part($0).flatMap { member.value(of: $0)?.value } }
    }
  }
}

extension JSONValue {
  static func count(_ count: Int) -> JSONValue { .integer(Int64(count)) }

  /// `number`, rounded to thousandths.
  static func figure(_ number: Double) -> JSONValue { .number(number.roundedToThousandths) }
}

extension Optional<JSONValue> {
  var orNull: JSONValue { self ?? .null }
}

extension Double {
  /// The rounding of figures in notes and in JSON.
  var roundedToThousandths: Double { (self * 1_000).rounded() / 1_000 }
}
