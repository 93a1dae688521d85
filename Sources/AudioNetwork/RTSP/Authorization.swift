// SPDX-License-Identifier: Apache-2.0
internal import CMD5

/// The answer to a server that asks for a password: Basic (RFC 7617) or Digest (RFC 7616).
struct Authorization {
  private enum Method {
    case basic
    /// - Parameter isSession: whether the hash of the password is made with the challenge (`MD5-sess`).
    case digest(DigestHash, isSession: Bool)
  }

  private let challenge: AuthenticationChallenge
  private let credentials: Credentials
  private let method: Method
  /// The requests with this challenge.
  private var count = 0

  /// Chooses Digest, which does not send the password, by the first algorithm that is known: a server lists them in the
  /// order of its preference.
  ///
  /// - Returns: nil if the server accepts neither.
  init?(_ challenges: [AuthenticationChallenge], _ credentials: Credentials) {
    self.credentials = credentials
    for challenge in challenges {
      guard let method = Self.digest(of: challenge) else { continue }
      self.challenge = challenge
      self.method = method
      return
    }
    guard let challenge = challenges.first(where: { $0.scheme == "basic" }) else { return nil }
    self.challenge = challenge
    method = .basic
  }

  private static func digest(of challenge: AuthenticationChallenge) -> Method? {
    guard challenge.scheme == "digest", challenge["nonce"] != nil else { return nil }
    var algorithm = (challenge["algorithm"] ?? "MD5").uppercased()
    let isSession = algorithm.hasSuffix("-SESS")
    if isSession { algorithm.removeLast(5) }
    return DigestHash(rawValue: algorithm).map { .digest($0, isSession: isSession) }
  }

  /// The value of the header `Authorization`.
  ///
  /// - Parameter nonce: a random word of the client.
  mutating func value(for request: String, _ url: String, nonce clientNonce: String) -> String {
    guard case .digest(let hash, let isSession) = method else {
      let pair = Array("\(credentials.user):\(credentials.password)".utf8)
      return "Basic " + String(decoding: Base64.encoded(pair), as: UTF8.self)
    }
    count += 1
    let realm = challenge["realm"] ?? ""
    let nonce = challenge["nonce"] ?? ""
    var first = hash.digits(of: "\(credentials.user):\(realm):\(credentials.password)")
    if isSession { first = hash.digits(of: "\(first):\(nonce):\(clientNonce)") }
    var text =
      "Digest username=\"\(credentials.user)\", realm=\"\(realm)\", nonce=\"\(nonce)\", uri=\"\(url)\""
    var second = "\(request):\(url)"
    if let quality {
      // Our requests have no body.
      if quality == "auth-int" { second += ":" + hash.digits(of: "") }
      let number = String(count, radix: 16)
      let counted = String(repeating: "0", count: max(0, 8 - number.utf8.count)) + number
      let response = hash.digits(
        of: "\(first):\(nonce):\(counted):\(clientNonce):\(quality):\(hash.digits(of: second))")
      text += ", response=\"\(response)\", qop=\(quality), nc=\(counted), cnonce=\"\(clientNonce)\""
    } else {
      text += ", response=\"\(hash.digits(of: "\(first):\(nonce):\(hash.digits(of: second))"))\""
      // RFC 7616, section 3.4: the server needs the word for the hash of the password.
      if isSession { text += ", cnonce=\"\(clientNonce)\"" }
    }
    if let algorithm = challenge["algorithm"] { text += ", algorithm=\(algorithm)" }
    if let opaque = challenge["opaque"] { text += ", opaque=\"\(opaque)\"" }
    return text
  }

  /// The protection that the server offers. Nil if it knows none, as before RFC 2617.
  private var quality: String? {
    let offered = challenge["qop"]?.split(separator: ",").map { $0.filter { $0 != " " } } ?? []
    return ["auth", "auth-int"].first { offered.contains($0) }
  }
}

/// A hash function of Digest, by its name there.
enum DigestHash: String {
  case md5 = "MD5"
  /// FIPS 180-4.
  case sha256 = "SHA-256"

  /// The hash of a text, in hexadecimal digits.
  func digits(of text: String) -> String {
    let bytes = Array(text.utf8)
    let digest = self == .md5 ? Self.md5(bytes) : Self.sha256(bytes)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func md5(_ bytes: [UInt8]) -> [UInt8] {
    var context = MD5_CTX()
    unsafe MD5Init(&context)
    unsafe MD5Update(&context, bytes, bytes.count)
    var digest = [UInt8](repeating: 0, count: 16)
    unsafe MD5Final(&digest, &context)
    return digest
  }

  private static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var context = SHA2_CTX()
    unsafe SHA256Init(&context)
    unsafe SHA256Update(&context, bytes, bytes.count)
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe SHA256Final(&digest, &context)
    return digest
  }
}
