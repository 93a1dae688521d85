// SPDX-License-Identifier: Apache-2.0
/// The name of a source or of a group of sources: who an audio frame comes from.
///
/// One or more letters and digits of any script, `_` and `-`, so that it can be part of a file name. Ids that look the
/// same are the same, whether an `é` is one character of Unicode or an `e` and an accent. A name that stands in the
/// program is an id as it is:
///
/// ```swift
/// let anna: SourceID = "anna"
/// ```
public struct SourceID: Sendable, Hashable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  /// The id of the local source.
  public static let local = SourceID(unchecked: "local")
  /// The id of the shared source where it is given no other.
  public static let shared = SourceID(unchecked: "shared")

  public let description: String

  /// - Throws: `invalidParameter` where `name` is empty or has another character.
  public init(_ name: String) throws(AudioError) {
    if let reason = Self.objection(to: name) {
      throw AudioError(
        .invalidParameter, cannot: "use source id", name, because: reason,
        advice: "ids are letters, digits, '_' and '-'")
    }
    description = name
  }

  /// The id of the remote source with this number in the order of adding, from 1.
  public init(ordinal: Int) { description = "\(ordinal)" }

  /// The id of a name that stands in the program. One that is no id is a mistake of the program, and ends it; a name
  /// that comes from outside belongs in ``init(_:)``.
  public init(stringLiteral name: String) {
    precondition(Self.objection(to: name) == nil, "'\(name)' is no source id")
    description = name
  }

  private init(unchecked name: String) { description = name }

  /// Why `name` is no id; nil where it is one.
  private static func objection(to name: String) -> String? {
    if name.isEmpty { return "it is empty" }
    let illegal = name.first { character in
      character != "_" && character != "-" && !isOfWords(character)
    }
    return illegal.map { "it has the character '\($0)'" }
  }

  /// A letter or a digit, and the marks that belong to it; nothing that cannot be seen.
  private static func isOfWords(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    guard let first = scalars.first,
      !scalars.contains(where: \.properties.isDefaultIgnorableCodePoint)
    else { return false }
    return (first.properties.isAlphabetic || first.properties.generalCategory == .decimalNumber)
      && !isMark(first)
      && scalars.dropFirst().allSatisfy { scalar in
        isMark(scalar) || scalar.properties.isAlphabetic
      }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    [.nonspacingMark, .spacingMark].contains(scalar.properties.generalCategory)
  }
}
