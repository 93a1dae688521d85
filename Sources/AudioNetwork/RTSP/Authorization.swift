// SPDX-License-Identifier: Apache-2.0
internal import CMD5

/// The answer to a server that asks for a password: Basic (RFC 7617) or Digest with MD5 (RFC 7616).
struct Authorization {
  private let challenge: HeaderParameters
  private let credentials: Credentials
  private var isDigest: Bool
  /// The requests with this challenge.
  private var count = 0

  /// Chooses Digest, which does not send the password.
  ///
  /// - Parameter headers: of `WWW-Authenticate`.
  /// - Returns: nil if the server accepts neither.
  init?(_ headers: [String], _ credentials: Credentials) {
    let challenges = headers.map { HeaderParameters($0, separator: ",") }
    let digest = challenges.first {
      let algorithm = ($0["algorithm"] ?? "MD5").uppercased()
      return $0.kind.lowercased() == "digest" && $0["nonce"] != nil
        && (algorithm == "MD5" || algorithm == "MD5-SESS")
    }
    guard let challenge = digest ?? challenges.first(where: { $0.kind.lowercased() == "basic" })
    else { return nil }
    self.challenge = challenge
    self.credentials = credentials
    isDigest = digest != nil
  }

  /// Whether a refusal means only that the challenge is too old.
  static func isStale(_ headers: [String]) -> Bool {
    headers.contains {
      HeaderParameters($0, separator: ",")["stale"]?.lowercased() == "true"
    }
  }

  /// The value of the header `Authorization`.
  ///
  /// - Parameter nonce: a random word of the client.
  mutating func value(for method: String, _ url: String, nonce clientNonce: String) -> String {
    guard isDigest else {
      let pair = Array("\(credentials.user):\(credentials.password)".utf8)
      return "Basic " + String(decoding: Base64.encoded(pair), as: UTF8.self)
    }
    count += 1
    let realm = challenge["realm"] ?? ""
    let nonce = challenge["nonce"] ?? ""
    var first = md5("\(credentials.user):\(realm):\(credentials.password)")
    if challenge["algorithm"]?.uppercased() == "MD5-SESS" {
      first = md5("\(first):\(nonce):\(clientNonce)")
    }
    let second = md5("\(method):\(url)")
    var text =
      "Digest username=\"\(credentials.user)\", realm=\"\(realm)\", nonce=\"\(nonce)\", uri=\"\(url)\""
    let qualities = challenge["qop"]?.split(separator: ",").map { $0.filter { $0 != " " } } ?? []
    if qualities.contains("auth") {
      let number = String(count, radix: 16)
      let counted = String(repeating: "0", count: max(0, 8 - number.utf8.count)) + number
      let response = md5("\(first):\(nonce):\(counted):\(clientNonce):auth:\(second)")
      text += ", response=\"\(response)\", qop=auth, nc=\(counted), cnonce=\"\(clientNonce)\""
    } else {
      text += ", response=\"\(md5("\(first):\(nonce):\(second)"))\""
    }
    if let algorithm = challenge["algorithm"] { text += ", algorithm=\(algorithm)" }
    if let opaque = challenge["opaque"] { text += ", opaque=\"\(opaque)\"" }
    return text
  }
}

/// The MD5 of a text, in hexadecimal digits. RFC 1321.
func md5(_ text: String) -> String {
  var context = MD5_CTX()
  unsafe MD5Init(&context)
  var text = text
  text.withUTF8 { bytes in
    if let start = bytes.baseAddress { unsafe MD5Update(&context, start, bytes.count) }
  }
  var digest = [UInt8](repeating: 0, count: 16)
  unsafe digest.withUnsafeMutableBufferPointer {
    if let start = $0.baseAddress { unsafe MD5Final(start, &context) }
  }
  return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
