// SPDX-License-Identifier: Apache-2.0
/// The name of a source or of a group of sources: who an audio frame comes from.
///
/// One or more of `A-Z a-z 0-9 _ -`, so that it can be part of a file name.
public struct SourceID: Sendable, Hashable, CustomStringConvertible {
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
        advice: "ids are letters from A to Z, digits, '_' and '-'")
    }
    description = name
  }

  /// The id of the remote source with this number in the order of adding, from 1.
  public init(ordinal: Int) { description = "\(ordinal)" }

  private init(unchecked name: String) { description = name }

  /// Why `name` is no id; nil where it is one.
  private static func objection(to name: String) -> String? {
    if name.isEmpty { return "it is empty" }
    let illegal = name.first { character in
      switch character {
      case "A"..."Z", "a"..."z", "0"..."9", "_", "-": !character.isASCII
      default: true
      }
    }
    return illegal.map { "it has the character '\($0)'" }
  }
}
