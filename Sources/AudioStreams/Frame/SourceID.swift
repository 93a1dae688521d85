// SPDX-License-Identifier: Apache-2.0
/// The name of a source or of a group of sources: the origin of an audio frame.
///
/// One or more letters and digits of any script, `_` and `-`, so that it can be part of a file name. Canonically
/// equivalent ids are equal: an `é` may be one scalar of Unicode or an `e` and an accent. A string literal is an id:
///
/// ```swift
/// let anna: SourceID = "anna"
/// ```
public struct SourceID: Sendable, Hashable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  /// The id of the local source.
  public static let local = SourceID(unchecked: "local")
  /// The id of the shared source, unless it is given another.
  public static let shared = SourceID(unchecked: "shared")

  public let description: String

  /// - Throws: `invalidParameter` if `name` is empty or has another character.
  public init(_ name: String) throws(AudioError) {
    if let error = Self.refusal(of: name) { throw error }
    description = name
  }

  /// The id of the remote source with this ordinal number, from 1, in the order of adding.
  public init(ordinal: Int) { description = "\(ordinal)" }

  /// Makes the id from a string literal. An invalid literal ends the program, in a release build too, with the error of
  /// ``init(_:)`` as its message; use that for a name from outside.
  public init(stringLiteral name: String) {
    if let error = Self.refusal(of: name) { fatalError(error.description) }
    description = name
  }

  private init(unchecked name: String) { description = name }

  /// Returns the error of a name that is no id; nil if it is one.
  private static func refusal(of name: String) -> AudioError? {
    let illegal = name.first { character in
      character != "_" && character != "-" && !isOfWords(character)
    }
    if illegal == nil, !name.isEmpty { return nil }
    return AudioError(
      .invalidParameter, cannot: "use source id", name,
      because: illegal.map { "it has the character '\($0)'" } ?? "it is empty",
      advice: "ids are letters, digits, '_' and '-'")
  }

  /// Whether a character is a letter or a digit with its marks, without invisible scalars.
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
