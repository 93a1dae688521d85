// SPDX-License-Identifier: Apache-2.0
/// Texts as stored in files.
enum StoredText {
  /// Decodes bytes without a stated encoding: as UTF-8 if valid, otherwise as Windows-1252, which most programs call
  /// Latin-1.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    let bytes = Array(bytes)
    return String(validUTF8: bytes) ?? latin1(bytes)
  }

  /// Decodes a field up to its first zero byte, without trailing spaces.
  static func decoded(fixed bytes: ArraySlice<UInt8>) -> String { decoded(field(bytes)) }

  /// The bytes of a field up to its first zero byte, without trailing spaces.
  static func field(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = bytes.prefix { $0 != 0 }
    while text.last == 0x20 { text = text.dropLast() }
    return text
  }

  /// Whether a byte other than zero follows the first zero byte of a field.
  static func hasMore(fixed bytes: ArraySlice<UInt8>) -> Bool {
    bytes.drop { $0 != 0 }.contains { $0 != 0 }
  }

  /// Decodes ISO 8859-1 with the characters of Windows-1252 in place of control characters.
  static func latin1(_ bytes: some Sequence<UInt8>) -> String {
    var scalars = String.UnicodeScalarView()
    for byte in bytes {
      let isWindows = (0x80...0x9F).contains(byte)
      scalars.append(isWindows ? windows[Int(byte) - 0x80] : Unicode.Scalar(byte))
    }
    return String(scalars)
  }

  /// Encodes a text in that way; as UTF-8 if it has other characters.
  static func latin1(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if scalar.value < 0x80 || (0xA0...0xFF).contains(scalar.value) {
        bytes.append(UInt8(scalar.value))
      } else if let index = windows.firstIndex(of: scalar) {
        bytes.append(UInt8(0x80 + index))
      } else {
        return Array(text.utf8)
      }
    }
    // Bytes that would be read as UTF-8 must be UTF-8.
    return decoded(bytes[...]) == text ? bytes : Array(text.utf8)
  }

  /// Decodes UTF-16.
  ///
  /// - Parameter order: the byte order without a byte order mark.
  static func utf16(_ bytes: ArraySlice<UInt8>, _ order: ByteOrder) -> String {
    let mark = byteOrderMark(bytes)
    let units = stride(from: mark == nil ? 0 : 2, to: bytes.count - 1, by: 2).map { place in
      UInt16(bytes.integer(at: place, 2, mark ?? order))
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// The byte order by the byte order mark; nil if there is none.
  static func byteOrderMark(_ bytes: ArraySlice<UInt8>) -> ByteOrder? {
    if bytes.starts(with: [0xFE, 0xFF]) { return .big }
    return bytes.starts(with: [0xFF, 0xFE]) ? .little : nil
  }

  /// From 0x80 to 0x9F; unassigned bytes stand for themselves. Source: WHATWG Encoding Standard, windows-1252.
  private static let windows: [Unicode.Scalar] = [
    "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
    "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
    "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
    "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
  ]
}
