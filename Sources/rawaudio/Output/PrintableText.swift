// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

extension JSONValue {
  /// A file name, or an address without its secrets. JSON is UTF-8, so other bytes are escaped reversibly.
  static func path(_ path: String) -> JSONValue { .string(Pathname(path.withoutSecrets).escaped) }
}

extension String {
  /// A text about names that the user gave, without the secrets of addresses among them.
  var told: String { withoutSecrets.printable }

  /// The text with escapes such as `\u{202E}` for characters that could control the terminal, or change the order or
  /// the look of the text around them, and for bytes that are not UTF-8. File names and metadata may hold any of them.
  var printable: String {
    var text = ""
    for scalar in Pathname.shown(in: self).unicodeScalars {
      if scalar.isUnseen {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
