// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A source of a session, with the id by which observers know it: `[GROUP/][ID=]SOURCE`.
struct NamedSource: Sendable, Equatable {
  /// Set only together with an id.
  var group: SourceID?
  /// Nil if the session chooses it.
  var id: SourceID?
  var endpoint: SourceEndpoint
}

extension NamedSource {
  /// The keys of a session's sources. An unnamed remote source gets its position as id, counted from 1, or the next
  /// free number.
  static func keys(of remotes: [NamedSource], shared: [NamedSource]) -> [SourceKey] {
    var taken = Set((remotes + shared).compactMap(\.key))
    var keys: [SourceKey] = []
    for (index, remote) in remotes.enumerated() {
      var number = index + 1
      while remote.key == nil, taken.contains(SourceKey(ordinal: number)) { number += 1 }
      let key = remote.key ?? SourceKey(ordinal: number)
      taken.insert(key)
      keys.append(key)
    }
    return keys + shared.map { $0.key ?? .shared }
  }

  private var key: SourceKey? { id.map { SourceKey($0, in: group) } }
}

extension ValueSyntax<NamedSource> {
  /// `a.wav`, `alice=a.wav`, `room/alice=a.wav`.
  static let namedSource = ValueSyntax(name: "[group/][id=]source") {
    (text: String) throws(InvalidValue) in
    let source = ValueSyntax<SourceEndpoint>.source(name: "source")
    guard let equals = text.firstIndex(of: "="), !isEndpoint(text[..<equals]) else {
      return NamedSource(endpoint: try source.parse(text))
    }
    let key = try SourceKey(named: text[..<equals])
    return NamedSource(
      group: key.group, id: key.id,
      endpoint: try source.parse(String(text[text.index(after: equals)...])))
  }.offering { text in
    guard let equals = text.firstIndex(of: "="), !isEndpoint(text[..<equals]) else {
      return SourceEndpoint.offers(text)
    }
    let value = text.index(after: equals)
    return SourceEndpoint.offers(String(text[value...]))
      .map { $0.behind(String(text[..<value])) }
  }

  /// Whether the text before the `=` is a path, or an endpoint with a scheme such as `alsa:hw:CARD=PCH`.
  private static func isEndpoint(_ text: Substring) -> Bool {
    text.contains(":") || ["/", "./", "../"].contains { text.hasPrefix($0) }
  }
}

extension SourceKey {
  /// `anna` or `room/anna`, in front of the `=` of a source or a sink.
  init(named text: Substring) throws(InvalidValue) {
    let names = text.split(separator: "/", omittingEmptySubsequences: false)
    guard names.count <= 2 else {
      throw InvalidValue(
        "'\(text)' names no source; a path with '=' is written with ./ in front")
    }
    let ids = try names.map { (name) throws(InvalidValue) in
      do throws(AudioError) {
        return try SourceID(String(name))
      } catch {
        throw InvalidValue(
          "'\(name)' is no source id; ids are letters, digits, '_' and '-', and a path with '=' is"
            + " written with ./ in front")
      }
    }
    self.init(ids[ids.count - 1], in: ids.count == 2 ? ids[0] : nil)
  }
}
