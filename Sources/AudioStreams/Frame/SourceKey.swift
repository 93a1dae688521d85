// SPDX-License-Identifier: Apache-2.0
/// The key of a source: its id and its group. The pair is unique in a session.
///
/// Two groups may each have an `anna`. An `anna` without a group is a third source. As text the pair is `GROUP/ID`, or
/// `ID` if there is no group:
///
/// ```swift
/// let anna: SourceKey = "hall/anna"
/// try session.live.setGain(0.5, of: anna)
/// ```
public struct SourceKey: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The local source, which has no group.
  public static let local = SourceKey(.local)
  /// The shared source if it was given neither id nor group.
  public static let shared = SourceKey(.shared)

  public var id: SourceID
  public var group: SourceID?

  public init(_ id: SourceID, in group: SourceID? = nil) {
    self.id = id
    self.group = group
  }

  /// The key of the remote source with this ordinal number, from 1, in the order of adding.
  public init(ordinal: Int) { self.init(SourceID(ordinal: ordinal)) }

  /// - Parameter text: `ID` or `GROUP/ID`.
  /// - Throws: `invalidParameter` if one of the two is no id, or for more than one `/`.
  public init(_ text: String) throws(AudioError) {
    let names = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    id = try SourceID(String(names[names.count - 1]))
    group = names.count == 2 ? try SourceID(String(names[0])) : nil
  }

  /// Makes the key from a string literal. An invalid literal ends the program, as with ``SourceID/init(stringLiteral:)``.
  public init(stringLiteral text: String) {
    let names = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    id = SourceID(stringLiteral: String(names[names.count - 1]))
    group = names.count == 2 ? SourceID(stringLiteral: String(names[0])) : nil
  }

  /// `GROUP/ID`, or `ID` if there is no group.
  public var description: String { joined(by: "/") }

  /// `GROUP-ID`, or `ID` if there is no group: for the name of a file.
  public var fileName: String { joined(by: "-") }

  private func joined(by separator: String) -> String {
    group.map { "\($0)\(separator)\(id)" } ?? id.description
  }
}

extension SourceKey {
  /// The members of a line of JSON that name the source: `"source":"anna"`, and `"group":"hall"` if it has one.
  package var members: [(name: String, value: JSONValue)] {
    let source = [(name: "source", value: JSONValue.string(id.description))]
    return source + (group.map { [("group", .string($0.description))] } ?? [])
  }
}
