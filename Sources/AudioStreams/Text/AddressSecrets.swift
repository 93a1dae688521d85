// SPDX-License-Identifier: Apache-2.0
/// Finds user names, passwords and keys in the addresses of a text, such as `rtsp://USER:PASSWORD@HOST/PATH?token=KEY`.
///
/// A text is an address, or a message that quotes some. An address may be wrong in any way; whatever may be a secret counts
/// as one. A path without a scheme has no secrets: `folder//a@b.wav`.
package struct AddressSecrets {
  /// The names whose values in a query are secrets, without `-` and `_` and in lower case.
  private static let names: Set<String> = [
    "accesskey", "accesstoken", "apikey", "auth", "authorization", "credential", "credentials",
    "key", "login", "pass", "passphrase", "passwd", "password", "pin", "psw", "pw", "pwd", "secret",
    "session", "sessionid", "sid", "sig", "signature", "token", "user", "userid", "username", "usr",
  ]

  private let bytes: [UInt8]
  /// The places of the secrets in the bytes, in order; of a user name and a password with the `@`.
  package private(set) var ranges: [Range<Int>] = []

  package init(in text: String) { self.init(in: Array(text.utf8)) }

  package init(in bytes: [UInt8]) {
    self.bytes = bytes
    var place = 0
    while let begin = nextAuthority(from: place) {
      let end = endOfAddress(from: begin)
      findSecrets(in: begin..<end)
      place = max(end, begin)
    }
  }

  /// The text without them.
  package var rest: String {
    var kept: [UInt8] = []
    var place = 0
    for range in ranges {
      kept += bytes[place..<range.lowerBound]
      place = range.upperBound
    }
    return String(decoding: kept + bytes[place...], as: UTF8.self)
  }

  // MARK: Addresses

  /// The place behind the next `scheme://`.
  private func nextAuthority(from place: Int) -> Int? {
    var index = place
    while index + 2 < bytes.count {
      if bytes[index] == UInt8(ascii: ":"), bytes[index + 1] == UInt8(ascii: "/"),
        bytes[index + 2] == UInt8(ascii: "/"), index > 0, Self.isOfScheme(bytes[index - 1])
      {
        return index + 3
      }
      index += 1
    }
    return nil
  }

  /// RFC 3986, section 3.1.
  private static func isOfScheme(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "+-.".utf8.contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// The end of the address whose authority begins at a place: the quote that ends it, else the end of the text.
  private func endOfAddress(from place: Int) -> Int {
    guard let quote = quote(before: place) else { return bytes.count }
    let quotes = bytes.indices.dropFirst(place).filter { bytes[$0] == quote }
    // A password may have quotes; behind the last one of a quoted text the sentence goes on.
    return quotes.first { isEndOfQuote($0) } ?? quotes.last ?? bytes.count
  }

  private func isEndOfQuote(_ index: Int) -> Bool {
    guard index + 1 < bytes.count else { return true }
    return " :;,.)\n".utf8.contains(bytes[index + 1])
  }

  /// The quote in front of the scheme, blanks and a name with `=`; nil if the address is not quoted.
  private func quote(before place: Int) -> UInt8? {
    var index = place - 4
    while index >= 0 {
      let byte = bytes[index]
      if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { return byte }
      guard Self.isOfScheme(byte) || " \t=_/@".utf8.contains(byte) || byte >= 0x80 else {
        return nil
      }
      index -= 1
    }
    return nil
  }

  // MARK: Secrets

  private mutating func findSecrets(in address: Range<Int>) {
    var rest = address
    if let at = endOfUser(in: address) {
      ranges.append(address.lowerBound..<at + 1)
      rest = at + 1..<address.upperBound
    }
    guard let query = rest.first(where: { bytes[$0] == UInt8(ascii: "?") }) else { return }
    var begin = query + 1
    for index in begin...rest.upperBound
    where index == rest.upperBound || "&;?#".utf8.contains(bytes[index]) {
      findSecret(in: begin..<index)
      begin = index + 1
    }
  }

  /// The last `@` that may end a user name and a password. A password may hold `/`, `?`, `#` and `@` that should have been
  /// written with a percent sign; in front of the first of them there is a colon then.
  private func endOfUser(in address: Range<Int>) -> Int? {
    guard address.lowerBound < address.upperBound,
      bytes[address.lowerBound] != UInt8(ascii: "[")
    else { return nil }
    let path = address.first { "/?#".utf8.contains(bytes[$0]) } ?? address.upperBound
    let hasColon = bytes[address.lowerBound..<path].contains(UInt8(ascii: ":"))
    let end = hasColon ? address.upperBound : path
    return (address.lowerBound..<end).last { bytes[$0] == UInt8(ascii: "@") }
  }

  /// Takes the value of `name=value`.
  private mutating func findSecret(in part: Range<Int>) {
    guard let sign = part.first(where: { bytes[$0] == UInt8(ascii: "=") }) else { return }
    let letters = bytes[part.lowerBound..<sign].filter { !"-_ ".utf8.contains($0) }
    let name = String(decoding: letters.map { Self.isLetter($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    if Self.names.contains(name), sign + 1 < part.upperBound {
      ranges.append(sign + 1..<part.upperBound)
    }
  }
}

extension String {
  /// The text without the secrets of its addresses: ``AddressSecrets``.
  package var withoutSecrets: String {
    utf8.contains(UInt8(ascii: "/")) ? AddressSecrets(in: self).rest : self
  }
}
