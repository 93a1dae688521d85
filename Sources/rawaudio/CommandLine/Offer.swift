// SPDX-License-Identifier: Apache-2.0
/// A completion of the beginning of a word.
enum Offer: Sendable, Hashable {
  /// The complete word.
  case word(String, about: String = "")
  /// A beginning, directly followed by more text.
  case beginning(String, about: String = "")
  /// The path of a file or a folder, after the given text.
  case path(behind: String)
}

extension Offer {
  /// The offer after `text`, for example a value after the name of its option.
  func behind(_ text: String) -> Offer {
    switch self {
    case .word(let word, let about): .word(text + word, about: about)
    case .beginning(let word, let about): .beginning(text + word, about: about)
    case .path(let start): .path(behind: text + start)
    }
  }

  /// Whether it continues `text`.
  func continues(_ text: String) -> Bool {
    switch self {
    case .word(let word, _), .beginning(let word, _): word.hasPrefix(text)
    case .path(let start): text.hasPrefix(start)
    }
  }

  /// The complete word. Nil for any other offer.
  var completeWord: String? {
    if case .word(let word, _) = self { word } else { nil }
  }

  /// The line for the scripts of the shells: kind, text and description, separated by tabs.
  var line: String {
    switch self {
    case .word(let word, let about): "word\t\(word)\t\(about)"
    case .beginning(let word, let about): "beginning\t\(word)\t\(about)"
    case .path(let start): "path\t\(start)\t"
    }
  }
}

extension [Offer] {
  /// Offers words of a comma-separated list. `text` may already hold some.
  static func list(_ choices: [String], in text: String) -> [Offer] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).dropLast()
    let start = parts.map { $0 + "," }.joined()
    return choices.filter { !parts.contains(Substring($0)) }.map { .word(start + $0) }
  }
}
