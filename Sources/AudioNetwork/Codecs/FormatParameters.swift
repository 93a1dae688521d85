// SPDX-License-Identifier: Apache-2.0
/// The parameters of a format in a session description (`a=fmtp`): `mode=AAC-hbr; config=1190`. RFC 8866, section 6.15.
struct FormatParameters {
  private var values: [String: String] = [:]

  /// Names are kept in small letters: RFC 6838, section 4.3.
  init(_ text: String) {
    for part in text.split(separator: ";") {
      let words = part.split(separator: "=", maxSplits: 1)
      guard let name = words.first.map(Self.trimmed), !name.isEmpty else { continue }
      values[name.lowercased()] = words.count > 1 ? Self.trimmed(words[1]) : ""
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first?.isWhitespace ?? false { text.removeFirst() }
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return String(text)
  }

  /// - Parameter name: in small letters.
  subscript(_ name: String) -> String? { values[name] }

  /// - Returns: nil if there is no such parameter.
  /// - Throws: `malformed` for one that is no number from 0 to `limit`.
  func number(_ name: String, upTo limit: Int) throws(AudioError) -> Int? {
    guard let text = values[name] else { return nil }
    guard let value = Int(text), (0...limit).contains(value) else {
      throw AudioError(
        .malformed, cannot: "read the session description", "",
        because: "its parameter \(name) is \(text.prefix(40))")
    }
    return value
  }
}
