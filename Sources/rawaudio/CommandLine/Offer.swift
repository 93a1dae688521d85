// SPDX-License-Identifier: Apache-2.0
/// How a word of the command line that was begun may go on.
enum Offer: Sendable, Hashable {
  /// The word is complete with it.
  case word(String, about: String = "")
  /// Something follows it directly.
  case beginning(String, about: String = "")
  /// The path of a file or a folder, behind a text that stands there already.
  case path(behind: String)
}

extension Offer {
  /// The same behind `text`, as a value behind the name of its option.
  func behind(_ text: String) -> Offer {
    switch self {
    case .word(let word, let about): .word(text + word, about: about)
    case .beginning(let word, let about): .beginning(text + word, about: about)
    case .path(let start): .path(behind: text + start)
    }
  }

  /// Whether it can follow from `text`.
  func continues(_ text: String) -> Bool {
    switch self {
    case .word(let word, _), .beginning(let word, _): word.hasPrefix(text)
    case .path(let start): text.hasPrefix(start)
    }
  }

  /// A word that is complete; nil for anything else.
  var completeWord: String? {
    if case .word(let word, _) = self { word } else { nil }
  }

  /// As the scripts of the shells read it: what it is, the text and a description, between tabs.
  var line: String {
    switch self {
    case .word(let word, let about): "word\t\(word)\t\(about)"
    case .beginning(let word, let about): "beginning\t\(word)\t\(about)"
    case .path(let start): "path\t\(start)\t"
    }
  }
}

extension [Offer] {
  /// Words of a list between commas, of which `text` may hold some already.
  static func list(_ choices: [String], in text: String) -> [Offer] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).dropLast()
    let start = parts.map { $0 + "," }.joined()
    return choices.filter { !parts.contains(Substring($0)) }.map { .word(start + $0) }
  }
}
