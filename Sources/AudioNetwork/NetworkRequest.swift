// SPDX-License-Identifier: Apache-2.0
/// A stream that a user names.
@nonexhaustive
public enum NetworkRequest: Sendable, Hashable {
  /// The stream of a session description in a file: `rtp:studio.sdp`.
  case description(path: String)
  /// Packets that come to an address of this machine, or to a multicast group: `rtp://239.69.0.1:5004?l24/48000/2`. The
  /// format may stand in ``NetworkOptions/payload`` instead. `239.69.0.1%eth1` joins the group at an interface. With a
  /// source, only packets with this identifier (SSRC) are taken: `?l24/48000/2&ssrc=0x1234`.
  case address(host: String, port: UInt16, PayloadFormat?, source: UInt32? = nil)
  /// A stream that a server sends when it is asked: `rtsp://cam.local/audio`.
  case server(ServerAddress)

  /// Reads `rtp:studio.sdp`, or `rtp://239.69.0.1:5004?l24/48000/2`, with or without its `rtp:`.
  ///
  /// - Throws: `invalidParameter` for another scheme, such as `rtsp://`, which ``server(_:)`` asks, and for an address that
  ///   has no port, has a user name, or states a format or a source that is none.
  public init(rtp text: String) throws(AudioError) {
    let detail = try text.behind(
      scheme: "rtp", advice: "write rtp:studio.sdp or rtp://239.69.0.1:5004?l24/48000/2")
    guard let request = Self(detail: detail) else {
      throw .noAddress(
        "rtp:" + detail, because: "it is no session description and no address with a port",
        advice: "write rtp:studio.sdp or rtp://239.69.0.1:5004?l24/48000/2")
    }
    self = request
  }

  private init?(detail text: Substring) {
    guard text.hasPrefix("//") else {
      if text.isEmpty { return nil }
      self = .description(path: String(text))
      return
    }
    let parts = text.dropFirst(2).split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let place = HostAndPort(String(parts[0])), let port = place.port else { return nil }
    var payload: PayloadFormat?
    var source: UInt32?
    let details =
      parts.count > 1 ? parts[1].split(separator: "&", omittingEmptySubsequences: false) : []
    for detail in details {
      if detail.lowercased().hasPrefix("ssrc=") {
        guard source == nil, let number = Self.number(detail.dropFirst(5)) else { return nil }
        source = number
      } else {
        guard payload == nil, let format = PayloadFormat(name: String(detail)) else { return nil }
        payload = format
      }
    }
    self = .address(host: place.host, port: port, payload, source: source)
  }

  /// `4660`, `0x1234`.
  private static func number(_ text: Substring) -> UInt32? {
    let isHexadecimal = text.lowercased().hasPrefix("0x")
    return UInt32(isHexadecimal ? text.dropFirst(2) : text, radix: isHexadecimal ? 16 : 10)
  }
}

extension String {
  /// Returns the text of an address behind its scheme, which may be missing.
  ///
  /// - Throws: `invalidParameter` for another scheme. Its case does not count (RFC 3986, section 3.1).
  func behind(scheme: String, advice: String) throws(AudioError) -> Substring {
    if lowercased().hasPrefix(scheme + ":") { return dropFirst(scheme.count + 1) }
    let other = prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    if !other.isEmpty, dropFirst(other.count).hasPrefix("://") {
      throw .noAddress(self, because: "its scheme is not \(scheme)", advice: advice)
    }
    return self[...]
  }
}

extension AudioError {
  /// The error of a text that is no address, without its secrets.
  static func noAddress(_ text: String, because reason: String, advice: String) -> AudioError {
    AudioError(
      .invalidParameter, cannot: "use the address", text.withoutSecrets, because: reason,
      advice: advice)
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
