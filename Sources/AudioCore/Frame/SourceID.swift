/// The name of a source or of a group of sources: who an audio frame comes from.
///
/// One or more of `A-Z a-z 0-9 _ -`, so that it can be part of a file name.
public struct SourceID: Sendable, Hashable, CustomStringConvertible {
  /// The id of the local source.
  public static let local = SourceID(unchecked: "local")
  /// The id of the shared source where it is given no other.
  public static let shared = SourceID(unchecked: "shared")

  public let description: String

  /// - Returns: nil where `name` is empty or has another character.
  public init?(_ name: String) {
    let isLegal = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isLegal, !name.isEmpty else { return nil }
    description = name
  }

  /// The id of the remote source with this place in the order of adding, from 1.
  public init(ordinal: Int) { description = "\(ordinal)" }

  private init(unchecked name: String) { description = name }
}
