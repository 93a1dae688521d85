// SPDX-License-Identifier: Apache-2.0
/// The hosts that may send to an address (`a=source-filter`). Source: RFC 4570.
public struct SourceFilter: Sendable, Hashable {
  /// Whether all hosts but these may send.
  public let isExclusive: Bool
  /// The address that is sent to; `*` for all of them.
  public let destination: String
  /// Numbers of hosts, or names.
  public internal(set) var senders: [String]

  /// - Parameter value: `incl IN IP4 239.0.0.1 192.0.2.7 192.0.2.8`.
  init?(_ value: String) {
    let words = value.split { $0 == " " || $0 == "\t" }.map(String.init)
    guard words.count >= 5, ["incl", "excl"].contains(words[0]), words[1] == "IN" else {
      return nil
    }
    isExclusive = words[0] == "excl"
    destination = words[3]
    senders = Array(words[4...])
  }

  /// The filter of an address among those of a stream, or else of its session. Nil if any host may send.
  static func filter(
    of host: String?, _ media: [SourceFilter], orElse session: [SourceFilter]
  ) -> SourceFilter? {
    func matching(_ filters: [SourceFilter]) -> [SourceFilter] {
      filters.filter { $0.destination == "*" || $0.destination.lowercased() == host?.lowercased() }
    }
    let own = matching(media)
    let found = own.isEmpty ? matching(session) : own
    guard var filter = found.first else { return nil }
    for other in found.dropFirst() where other.isExclusive == filter.isExclusive {
      filter.senders += other.senders
    }
    return filter
  }
}
