// SPDX-License-Identifier: Apache-2.0
/// A stream that a user names.
public enum NetworkRequest: Sendable, Hashable {
  /// The stream of a session description in a file: `rtp:studio.sdp`.
  case description(path: String)
  /// Packets that come to an address of this machine, or to a multicast group: `rtp://239.69.0.1:5004?l24/48000/2`. The
  /// format may stand in ``NetworkOptions/payload`` instead.
  case address(host: String, port: UInt16, PayloadFormat?)
  /// A stream that a server sends when it is asked: `rtsp://cam.local/audio`.
  case server(ServerAddress)

  /// Reads the text behind `rtp:`.
  ///
  /// - Returns: nil if an address has no port, or states a format that is none.
  public init?(rtp text: String) {
    guard text.hasPrefix("//") else {
      if text.isEmpty { return nil }
      self = .description(path: text)
      return
    }
    let parts = text.dropFirst(2).split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let payload = parts.count > 1 ? PayloadFormat(name: String(parts[1])) : nil
    guard parts.count == 1 || payload != nil, let place = HostAndPort(String(parts[0])),
      let port = place.port
    else { return nil }
    self = .address(host: place.host, port: port, payload)
  }
}

/// `cam.local:554`, `[2001:db8::7]:554`, `cam.local`.
struct HostAndPort: Hashable, Sendable {
  var host: String
  var port: UInt16?

  /// - Returns: nil if the host is missing, or if the port is none.
  init?(_ text: String) {
    var text = Substring(text)
    if text.hasSuffix("/") { text.removeLast() }
    let rest: Substring
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = String(text[text.index(after: text.startIndex)..<end])
      rest = text[text.index(after: end)...]
    } else {
      host = String(text.prefix { $0 != ":" })
      rest = text.dropFirst(host.count)
    }
    let isPlain = host.unicodeScalars.allSatisfy {
      $0.value > 32 && $0.value < 127 && !"/?#@\\\"<>".unicodeScalars.contains($0)
    }
    guard !host.isEmpty, host.utf8.count <= 255, isPlain else { return nil }
    if rest.isEmpty { return }
    guard rest.hasPrefix(":"), let number = UInt16(rest.dropFirst()), number > 0 else { return nil }
    port = number
  }
}
