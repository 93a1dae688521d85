// SPDX-License-Identifier: Apache-2.0
/// A way in which a server asks for a password. Source: RFC 9110, section 11.6.1.
struct AuthenticationChallenge: Equatable {
  /// In lower case.
  let scheme: String
  private var parameters: [String: String] = [:]

  private init(scheme: String) { self.scheme = scheme }

  subscript(name: String) -> String? { parameters[name] }

  /// The challenges of the headers `WWW-Authenticate`, of which one may hold several: `Digest nonce="a", Basic
  /// realm="b"`.
  static func all(in headers: [String]) -> [AuthenticationChallenge] {
    var all: [AuthenticationChallenge] = []
    for header in headers {
      var current: AuthenticationChallenge?
      for part in header.prefix(4_096).parts(separatedBy: ",") {
        let text = part.trimmed[...]
        let name = text.prefix { $0 != " " && $0 != "\t" && $0 != "=" }
        let rest = text.dropFirst(name.count).trimmed
        if name.isEmpty { continue }
        guard !rest.hasPrefix("=") else {
          current?.add(text)
          continue
        }
        if let current { all.append(current) }
        current = AuthenticationChallenge(scheme: name.lowercased())
        current?.add(rest[...])
      }
      if let current { all.append(current) }
    }
    return all
  }

  private mutating func add(_ pair: Substring) {
    guard let (name, value) = pair.parameter else { return }
    parameters[name] = value
  }

  /// Whether it only replaces a challenge that has become too old.
  var isStale: Bool { self["stale"]?.lowercased() == "true" }

  /// For messages: `Digest with SHA-512-256`.
  var name: String {
    let name = scheme.prefix(1).uppercased() + scheme.dropFirst().prefix(30)
    guard let algorithm = self["algorithm"] else { return name }
    return "\(name) with \(algorithm.prefix(30))"
  }
}

/// Parameters of a header: `RTP/AVP/TCP;unicast;interleaved=0-1`.
struct HeaderParameters: Equatable {
  /// The text before the first parameter.
  let kind: String
  private var values: [String: String] = [:]

  init(_ text: String) {
    let parts = text.prefix(4_096).parts(separatedBy: ";")
    kind = parts.first?.trimmed ?? ""
    for part in parts.dropFirst() {
      if let (name, value) = part[...].parameter { values[name] = value }
    }
  }

  subscript(name: String) -> String? { values[name] }
}

extension Substring {
  /// The parts between separators that do not stand within quotes. RFC 9110, section 5.6.4.
  fileprivate func parts(separatedBy separator: Character) -> [Substring] {
    var parts: [Substring] = []
    var isQuoted = false
    var isEscaped = false
    var start = startIndex
    for index in indices {
      let character = self[index]
      if isQuoted, !isEscaped, character == "\\" {
        isEscaped = true
        continue
      }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = false
      guard character == separator, !isQuoted else { continue }
      parts.append(self[start..<index])
      start = self.index(after: index)
    }
    return parts + [self[start...]]
  }

  /// The name in lower case, and the value without its quotes, in which escapes stay: Digest counts them (RFC 7616,
  /// section 3.3).
  fileprivate var parameter: (name: String, value: String)? {
    let pair = split(separator: "=", maxSplits: 1)
    guard let name = pair.first?.trimmed.lowercased(), !name.isEmpty else { return nil }
    let value = pair.count > 1 ? pair[1].trimmed : ""
    guard value.hasPrefix("\"") else { return (name, value) }
    let quoted = value.dropFirst()
    return (name, String(quoted.hasSuffix("\"") ? quoted.dropLast() : quoted))
  }

  /// Without the blanks around it.
  var trimmed: String {
    var text = self
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return String(text)
  }
}
