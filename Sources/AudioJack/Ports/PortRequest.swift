// SPDX-License-Identifier: Apache-2.0
/// The ports that an end is to be connected to.
@nonexhaustive
public enum PortRequest: Sendable, Hashable {
  /// The first physical ports, in the server's order.
  case physical
  /// None: the ports are connected by hand.
  case unconnected
  /// Names and regular expressions. An item that is the name of a port means that port alone, and one that begins with
  /// the name of a client and a colon the ports of that client whose short names match the rest. A single expression
  /// gives its ports to the channels in order, beginning with the first channel for each client. Of several items the
  /// first belongs to the first channel, the second to the second.
  case named([String])

  /// Reads `system:capture_1,system:capture_2`, `Firefox:.*`, `none` or an empty text. A backslash keeps a comma within
  /// a name.
  ///
  /// - Returns: nil if an item is empty.
  public init?(_ text: String) {
    if text.isEmpty {
      self = .physical
    } else if text == "none" {
      self = .unconnected
    } else {
      let items = Self.items(of: text)
      if items.contains("") { return nil }
      self = .named(items)
    }
  }

  private static func items(of text: String) -> [String] {
    var items = [""]
    var isEscaped = false
    for character in text {
      if character == ",", !isEscaped {
        items.append("")
      } else {
        if isEscaped, character != "," { items[items.count - 1].append("\\") }
        if character != "\\" || isEscaped { items[items.count - 1].append(character) }
      }
      isEscaped = character == "\\" && !isEscaped
    }
    if isEscaped { items[items.count - 1].append("\\") }
    return items
  }
}

/// A port of the graph and the channel of an end that it belongs to.
struct PortConnection: Sendable, Hashable {
  let port: String
  /// From 0.
  let channel: Int
}

extension PortRequest {
  /// The number of channels if the user leaves it open.
  ///
  /// - Parameters:
  ///   - ports: the other ports that can be connected to.
  ///   - wished: the channels of the stream; nil if the stream follows the end.
  func channelCount(among ports: [JackPort], wished: Int?) -> Int {
    switch self {
    case .physical: min(max(wished ?? 2, 2), max(ports.count { $0.isPhysical }, 1))
    case .unconnected: wished ?? 2
    case .named(let items):
      items.count > 1 || isName(items[0], of: ports)
        ? items.count : wished ?? mostPorts(of: items[0], ports)
    }
  }

  /// The ports of the client that has most of those that match; two without any.
  private func mostPorts(of item: String, _ ports: [JackPort]) -> Int {
    let clients = Dictionary(grouping: matches(item, ports), by: \.client)
    let most = clients.values.map(\.count).max() ?? 2
    return min(most, StreamFormat.channelCounts.upperBound)
  }

  /// The connections to make while the graph has these ports.
  ///
  /// - Parameter ports: the other ports that can be connected to, in the server's order.
  func connections(among ports: [JackPort], channelCount: Int) -> [PortConnection] {
    switch self {
    case .unconnected: return []
    case .physical:
      return ports.filter(\.isPhysical).prefix(channelCount).enumerated().map {
        PortConnection(port: $1.name, channel: $0)
      }
    case .named(let items) where items.count == 1 && !isName(items[0], of: ports):
      var counts: [Substring: Int] = [:]
      return matches(items[0], ports).map { port in
        let index = counts[port.client, default: 0]
        counts[port.client] = index + 1
        return PortConnection(port: port.name, channel: index % channelCount)
      }
    case .named(let items):
      return items.enumerated().flatMap { index, item in
        matches(item, ports).map {
          PortConnection(port: $0.name, channel: index % channelCount)
        }
      }
    }
  }

  /// The first name without a port, which is no expression. nil if there is none.
  func missingName(among ports: [JackPort]) -> String? {
    guard case .named(let items) = self else { return nil }
    return items.first { item in
      let isExpression = PortPattern.isExpression(item) && PortPattern(item) != nil
      return !isExpression && matches(item, ports).isEmpty
    }
  }

  /// Whether nothing is connected although the user named ports.
  func matchesNothing(among ports: [JackPort]) -> Bool {
    guard case .named = self else { return false }
    return connections(among: ports, channelCount: 1).isEmpty
  }

  private func isName(_ item: String, of ports: [JackPort]) -> Bool {
    ports.contains { $0.name == item }
  }

  private func matches(_ item: String, _ ports: [JackPort]) -> [JackPort] {
    if let port = ports.first(where: { $0.name == item }) { return [port] }
    guard PortPattern.isExpression(item) else { return [] }
    let own = portsOfClient(item, ports)
    if !own.isEmpty { return own }
    guard let pattern = PortPattern(item) else { return [] }
    return ports.filter { pattern.matches($0.name) }
  }

  /// The ports of the client that stands in front of the expression.
  private func portsOfClient(_ item: String, _ ports: [JackPort]) -> [JackPort] {
    guard let colon = item.lastIndex(of: ":") else { return [] }
    let own = ports.filter { $0.client == item[..<colon] }
    if own.isEmpty { return [] }
    guard let pattern = PortPattern(String(item[item.index(after: colon)...])) else { return [] }
    return own.filter { pattern.matches(String($0.name.dropFirst($0.client.count + 1))) }
  }
}

extension [JackPort] {
  /// The names most like `name`: those that share most pairs of neighbouring bytes with it (Dice's coefficient).
  func nearest(to name: String) -> [String] {
    func pairs(_ text: String) -> Set<[UInt8]> {
      let bytes = [UInt8](text.lowercased().utf8)
      return Set(zip(bytes, bytes.dropFirst()).map { (one, next) in [one, next] })
    }
    let wanted = pairs(name)
    let scores = map { port in
      let own = pairs(port.name)
      let shared = Double(own.intersection(wanted).count)
      return (name: port.name, score: 2 * shared / Double(Swift.max(own.count + wanted.count, 1)))
    }
    return scores.filter { $0.score > 0.3 }.sorted { $0.score > $1.score }.prefix(3).map(\.name)
  }
}
