// SPDX-License-Identifier: Apache-2.0
/// A JSON value (RFC 8259) whose objects keep their order.
package indirect enum JSONValue: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// JSON has no infinities and no NaN: they become null.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(Members)

  /// The members of an object, in order.
  package typealias Members = [(name: String, value: JSONValue)]
}

extension JSONValue {
  /// A string from bytes of unknown origin; bytes that are not UTF-8 become U+FFFD.
  public static func string(bytes: some Collection<UInt8>) -> JSONValue {
    .string(String(decoding: bytes, as: UTF8.self))
  }

  /// The value as text, indented by two spaces per level, with a line break at the end.
  public var serialized: String { text(indent: "") + "\n" }

  /// The value in one line, without spaces between tokens and without a line break at the end.
  public var compact: String {
    switch self {
    case .array(let values): "[" + values.map(\.compact).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.name) + ":" + $0.value.compact }.joined(separator: ",")
        + "}"
    default: text(indent: "")
    }
  }

  private func text(indent: String) -> String {
    let inner = indent + "  "
    switch self {
    case .null: return "null"
    case .boolean(let value): return value ? "true" : "false"
    case .integer(let value): return "\(value)"
    case .number(let value): return value.isFinite ? "\(value)" : "null"
    case .string(let value): return Self.quoted(value)
    case .array(let values):
      let lines = values.map { inner + $0.text(indent: inner) }
      return Self.block("[", lines, "]", indent)
    case .object(let members):
      let lines = members.map { inner + Self.quoted($0.name) + ": " + $0.value.text(indent: inner) }
      return Self.block("{", lines, "}", indent)
    }
  }

  private static func block(
    _ opening: String, _ lines: [String], _ closing: String, _ indent: String
  ) -> String {
    guard !lines.isEmpty else { return opening + closing }
    return "\(opening)\n\(lines.joined(separator: ",\n"))\n\(indent)\(closing)"
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      // DEL, C1 and format characters are legal in JSON but not harmless on a terminal.
      case _ where scalar.isUnseen: quoted += scalar.utf16.map(escaped).joined()
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  private static func escaped(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

extension Unicode.Scalar {
  /// Whether it is a control or format character, or separates lines or paragraphs. Such characters are invisible, but
  /// can move the cursor, turn the direction of writing or hide among letters.
  package var isUnseen: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
