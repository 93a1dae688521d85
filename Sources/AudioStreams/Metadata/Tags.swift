// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// A text with a name.
  public struct Tag: Sendable, Hashable {
    /// Upper case, spelled as in Vorbis comments: `TITLE`.
    public var key: String
    public var value: String
  }

  /// Texts by name, in order. A name may have several values.
  ///
  /// Names are those of Vorbis comments, for every kind of file: `TITLE`, `ARTIST`, `ALBUM`, `ALBUMARTIST`, `DATE`,
  /// `TRACKNUMBER`, `TRACKTOTAL`, `DISCNUMBER`, `GENRE`, `COMMENT`, `DESCRIPTION`, `COPYRIGHT`, `ISRC` and any other.
  /// Source: the Vorbis I specification, section 5.2.
  public struct Tags: Sendable, Equatable, Sequence {
    /// All values with their names.
    public private(set) var entries: [Tag] = []
    private var places = TagPlaces()

    public init() {}

    public static func == (first: Tags, second: Tags) -> Bool { first.entries == second.entries }

    public var isEmpty: Bool { entries.isEmpty }

    /// Iterates over ``entries``.
    public func makeIterator() -> IndexingIterator<[Tag]> { entries.makeIterator() }

    /// Each name once, in the order of the first value.
    public var keys: [String] {
      entries.indices.compactMap { index in
        let key = entries[index].key
        return places.first(of: key) == index ? key : nil
      }
    }

    /// The values of a name, in upper or lower case. Setting puts them at the place of the first old value, otherwise
    /// at the end. Setting an invalid name does nothing.
    ///
    /// Reading is linear in the values of this name, replacing in the values of all names: use ``removeAll(where:)``
    /// for many names.
    public subscript(key: String) -> [String] {
      get {
        guard let key = Self.key(key) else { return [] }
        return places.all(of: key).map { entries[$0].value }
      }
      set {
        guard let key = Self.key(key) else { return }
        let new = newValue.filter { !$0.isEmpty }.map { Tag(key: key, value: $0) }
        guard let place = places.first(of: key) else {
          for tag in new { add(tag) }
          return
        }
        var replaced = Array(entries[..<place]) + new
        replaced += entries[place...].lazy.filter { $0.key != key }
        self = Tags(of: replaced)
      }
    }

    /// Adds a value. Does nothing if the value is empty or the name is invalid.
    public mutating func append(_ key: String, _ value: String) {
      guard let key = Self.key(key), !value.isEmpty else { return }
      add(Tag(key: key, value: value))
    }

    /// Removes all values of the names for which `isGone` returns true.
    public mutating func removeAll(where isGone: (_ key: String) -> Bool) {
      let rest = entries.filter { !isGone($0.key) }
      if rest.count < entries.count { self = Tags(of: rest) }
    }

    /// Returns the name in upper case, as it is stored.
    ///
    /// - Returns: nil for an invalid name: it is empty, holds `=`, or has characters that are not printable ASCII.
    public static func key(_ text: String) -> String? {
      let isLegal = text.utf8.allSatisfy { (0x20...0x7D).contains($0) && $0 != 0x3D }
      return isLegal && !text.isEmpty ? text.uppercased() : nil
    }
  }
}

extension Metadata.Tags {
  private init(of entries: [Metadata.Tag]) {
    for tag in entries { add(tag) }
  }

  private mutating func add(_ tag: Metadata.Tag) {
    places.append(tag.key)
    entries.append(tag)
  }

  /// Returns the index in ``entries`` of the first value of a name, in upper case; nil if there is none.
  package func firstPlace(of key: String) -> Int? { places.first(of: key) }

  /// Adds the tags of `other` whose names are missing here.
  package mutating func fill(from other: Metadata.Tags) {
    let known = entries.count
    for tag in other.entries where (firstPlace(of: tag.key) ?? known) >= known { add(tag) }
  }

  /// Returns the names whose values differ from those of `other`, or that only one of the two has.
  package func keys(differingFrom other: Metadata.Tags) -> Set<String> {
    let mine = keys.filter { self[$0] != other[$0] }
    return Set(mine).union(other.keys.lazy.filter { firstPlace(of: $0) == nil })
  }
}

/// The places of each name's entries in a list, to avoid a search through all of them.
private struct TagPlaces: Sendable {
  private var ends: [String: (first: Int, last: Int)] = [:]
  /// For each entry, the next one with its name; -1 = none.
  private var next: [Int] = []

  mutating func append(_ key: String) {
    let place = next.count
    next.append(-1)
    if let last = ends[key]?.last { next[last] = place }
    ends[key, default: (place, place)].last = place
  }

  func first(of key: String) -> Int? { ends[key]?.first }

  func all(of key: String) -> [Int] {
    var found: [Int] = []
    var place = ends[key]?.first ?? -1
    while place >= 0 {
      found.append(place)
      place = next[place]
    }
    return found
  }
}
