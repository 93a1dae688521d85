// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// A text with the name of what it says.
  public struct Tag: Sendable, Hashable {
    /// Upper case, spelled as in Vorbis comments: `TITLE`.
    public var key: String
    public var value: String
  }

  /// Texts by name, in order. A name may have several values.
  ///
  /// Names are those of Vorbis comments, whatever the file calls them: `TITLE`, `ARTIST`, `ALBUM`, `ALBUMARTIST`,
  /// `DATE`, `TRACKNUMBER`, `TRACKTOTAL`, `DISCNUMBER`, `GENRE`, `COMMENT`, `DESCRIPTION`, `COPYRIGHT`, `ISRC` and any
  /// other. Source: the Vorbis I specification, section 5.2.
  public struct Tags: Sendable, Equatable {
    public private(set) var entries: [Tag] = []

    public init() {}

    public var isEmpty: Bool { entries.isEmpty }

    /// Each name once, in the order of the first value.
    public var keys: [String] {
      var seen: Set<String> = []
      return entries.compactMap { seen.insert($0.key).inserted ? $0.key : nil }
    }

    /// The values of a name in any case; to set them puts them where the first one was, else at the end. Nothing
    /// happens where no tag can have the name.
    public subscript(key: String) -> [String] {
      get {
        let key = Self.key(key)
        return entries.compactMap { $0.key == key ? $0.value : nil }
      }
      set {
        guard let key = Self.key(key) else { return }
        let place = entries.firstIndex { $0.key == key } ?? entries.count
        entries.removeAll { $0.key == key }
        let new = newValue.filter { !$0.isEmpty }.map { Tag(key: key, value: $0) }
        entries.insert(contentsOf: new, at: place)
      }
    }

    /// Adds a value. Nothing happens where it is empty or no tag can have the name.
    public mutating func append(_ key: String, _ value: String) {
      guard let key = Self.key(key), !value.isEmpty else { return }
      entries.append(Tag(key: key, value: value))
    }

    /// The name as it is kept: upper case.
    ///
    /// - Returns: nil where no tag can have it: it is empty, holds `=`, or what is not printable ASCII.
    public static func key(_ text: String) -> String? {
      let isLegal = text.utf8.allSatisfy { (0x20...0x7D).contains($0) && $0 != 0x3D }
      return isLegal && !text.isEmpty ? text.uppercased() : nil
    }

    /// Takes over the names of `other` that are not there yet.
    mutating func fill(from other: Tags) {
      let own = Set(entries.map(\.key))
      entries += other.entries.filter { !own.contains($0.key) }
    }
  }
}
