// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// The metadata of a sound that is made of several: the texts and the pictures that all share. Others become
  /// omissions. Without a shared title, that of a shared album is the title.
  ///
  /// The encoders' texts, measurements of loudness, the origins of recordings and everything that has a place in one of
  /// the sounds are left out. A sum of B-format is B-format.
  ///
  /// - Parameter sources: of the sources in order; nil for one that has no metadata, such as a generator, which does not
  ///   count.
  /// - Parameter keepsTitles: whether the titles stay as those of marks.
  /// - Returns: nil if no source has texts, pictures or B-format.
  package static func shared(by sources: [Metadata?], keepsTitles: Bool = false) -> Metadata? {
    let all = sources.compactMap { $0 }
    let ambisonic = all.count { $0.channelLayout == .ambisonic }
    guard let first = all.first,
      ambisonic > 0 || all.contains(where: { !$0.tags.isEmpty || !$0.pictures.isEmpty })
    else { return nil }
    var shared = Metadata()
    if ambisonic == sources.count {
      (shared.channelLayout, shared.channelCount) = (.ambisonic, first.channelCount)
    } else if ambisonic > 0 {
      shared.omissions.append(.init("channel layout", because: "only some sources are B-format"))
    }
    var differing: [String] = []
    for key in keys(of: all) {
      let values = first.tags[key]
      if all.allSatisfy({ $0.tags[key] == values }) {
        for value in values { shared.tags.append(key, value) }
      } else if key != title || !keepsTitles {
        differing.append(key)
      }
    }
    if shared.tags[title].isEmpty { shared.tags[title] = shared.tags["ALBUM"] }
    shared.omit(differing)
    if all.allSatisfy({ $0.pictures == first.pictures }) {
      shared.pictures = first.pictures
    } else {
      shared.omissions.append(.init("pictures", because: difference))
    }
    return shared
  }

  /// The tags of files without a `bext` or `guan` chunk that state when a sound was recorded.
  private static let ofOrigin: Set = [
    "GUANO", "ORIGINATION_DATE", "ORIGINATION_TIME", "TIME_REFERENCE",
  ]

  /// Takes over when and by which recorder another sound was recorded, which begins with the same sample.
  ///
  /// - Parameter other: with positions at ``sampleRate``.
  package mutating func takeOrigin(of other: Metadata) {
    broadcast = other.broadcast
    broadcast?.loudness = nil
    chunks.removeAll { $0.identifier == "guan" }
    chunks += other.chunks.filter { $0.identifier == "guan" }
    editor = editor ?? other.editor
    let isDated = !other.tags["ORIGINATION_TIME"].isEmpty
    func isOfOrigin(_ key: String) -> Bool {
      Self.ofOrigin.contains(key) || isDated && key == "DATE"
    }
    tags.removeAll(where: isOfOrigin)
    for tag in other.tags where isOfOrigin(tag.key) { tags.append(tag.key, tag.value) }
  }

  private static let title = "TITLE"
  private static let difference = "the sources differ"

  /// The names of all texts of the content, each once.
  private static func keys(of all: [Metadata]) -> [String] {
    var known: Set<String> = []
    let areDated = all.contains { !$0.tags["ORIGINATION_TIME"].isEmpty }
    return all.flatMap(\.tags.keys).filter { key in
      !ofEncoder.contains(key) && !measuresLoudness(key) && !ofOrigin.contains(key)
        && !(areDated && key == "DATE") && known.insert(key).inserted
    }
  }

  private mutating func omit(_ keys: [String]) {
    guard !keys.isEmpty else { return }
    omissions.append(.init(tags: keys, because: Self.difference))
  }

  /// Sets texts again: a tag that the sources do not share is not lost then.
  ///
  /// - Parameter edits: an empty value removes the tag.
  package mutating func setTags(_ edits: [(key: String, value: String)]) {
    let edited = Set(edits.map(\.key))
    tags.removeAll(where: edited.contains)
    for edit in edits { tags.append(edit.key, edit.value) }
    omissions = omissions.compactMap { omission in
      let left = omission.keys.filter { !edited.contains($0) }
      guard left.count < omission.keys.count else { return omission }
      return left.isEmpty ? nil : .init(tags: left, because: omission.reason)
    }
  }
}

extension [String] {
  /// The first six, with the number of further ones.
  package var namedShortly: String {
    let most = 6
    let rest = count > most ? " and \(count - most) more" : ""
    return prefix(most).joined(separator: ", ") + rest
  }
}
