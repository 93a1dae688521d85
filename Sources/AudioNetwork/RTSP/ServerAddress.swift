// SPDX-License-Identifier: Apache-2.0
/// A stream of a server: `rtsp://USER:PASSWORD@HOST:PORT/PATH`.
public struct ServerAddress: Sendable, Hashable {
  /// RFC 2326, section 3.2.
  static let usualPort: UInt16 = 554

  let place: HostAndPort
  /// With its slash, and with the query. Empty if there is none.
  let path: String
  var credentials: Credentials?

  var port: UInt16 { place.port ?? Self.usualPort }

  /// - Parameter text: with or without its `rtsp:`.
  /// - Throws: `invalidParameter` for another scheme, and for a text that is no such address.
  public init(_ text: String) throws(AudioError) {
    let advice = "write rtsp://HOST/PATH or rtsp://USER:PASSWORD@HOST/PATH"
    let detail = try text.behind(scheme: "rtsp", advice: advice)
    guard let address = Self(detail: detail) else {
      throw .noAddress("rtsp:" + detail, because: "it is no address of a server", advice: advice)
    }
    self = address
  }

  private init?(detail text: Substring) {
    guard text.hasPrefix("//") else { return nil }
    let rest = text.dropFirst(2)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    path = String(rest.dropFirst(authority.count))
    guard path.unicodeScalars.allSatisfy({ $0.value > 32 && $0.value != 127 }) else { return nil }
    let parts = Self.split(authority)
    guard let place = HostAndPort(String(parts.place)) else { return nil }
    self.place = place
    credentials = parts.credentials.map { Credentials(typed: String($0)) }
  }

  /// Whether it has no user name.
  public var isAnonymous: Bool { credentials == nil }

  /// A password may contain `@`: the last one separates.
  private static func split(_ authority: Substring) -> (credentials: Substring?, place: Substring) {
    guard let at = authority.lastIndex(of: "@") else { return (nil, authority) }
    return (authority[..<at], authority[authority.index(after: at)...])
  }

  /// The address without user and password, as requests and messages have it.
  public var shown: String {
    let host = place.host.contains(":") ? "[\(place.host)]" : place.host
    return "rtsp://\(host)\(place.port.map { ":\($0)" } ?? "")\(path)"
  }
}

/// A user's name and password.
public struct Credentials: Sendable, Hashable {
  let user: String
  let password: String

  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  /// - Parameter text: `USER:PASSWORD` with percent signs for bytes. RFC 3986, section 2.1.
  init(typed text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    user = Self.decoded(parts[0])
    password = parts.count > 1 ? Self.decoded(parts[1]) : ""
  }

  /// Reads the first line of a file: `USER:PASSWORD`, as they are.
  ///
  /// - Throws: the error of the file; `malformed` without a colon.
  public init(file path: String) throws(AudioError) {
    let (bytes, _) = try FileDescriptor(reading: path).preview(4_096) { _ in false }
    let line = String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    guard let colon = line.firstIndex(of: ":") else {
      throw AudioError(
        .malformed, cannot: "read", path, because: "its first line is not of the form USER:PASSWORD"
      )
    }
    user = String(line[..<colon])
    password = String(line[line.index(after: colon)...])
  }

  private static func decoded(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
