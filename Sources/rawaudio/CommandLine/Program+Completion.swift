// SPDX-License-Identifier: Apache-2.0
extension Program {
  /// The word before a command line to complete.
  static let completes = "--complete"

  /// Returns the completions of the last word, a line each, for the scripts of the shells.
  ///
  /// - Parameter words: the words after the program's name, up to the cursor. The last one may be empty.
  func completions(_ words: ArraySlice<String>) -> String {
    offers(words).map { $0.line + "\n" }.joined()
  }

  func offers(_ words: ArraySlice<String>) -> [Offer] {
    let text = words.last ?? ""
    return allOffers(words.dropLast(), text).filter { $0.continues(text) }
  }

  private func allOffers(_ words: ArraySlice<String>, _ text: String) -> [Offer] {
    let names = commands.map { Offer.word($0.name, about: $0.abstract) }
    guard let first = words.first else {
      if text.hasPrefix("-") {
        return OptionOffers(Self.declarations).offers([], text)
      }
      return names + [.word("help", about: Self.helpAbstract)]
    }
    if first == "help" {
      return words.count > 1 ? [] : names + topics.map { .word($0.name, about: $0.abstract) }
    }
    guard let command = commands.first(where: { $0.name == first }) else {
      return OptionOffers(Self.declarations).offers(words, text)
    }
    return OptionOffers(command.declarations).offers(words.dropFirst(), text)
  }
}

/// Completes words as ``ArgumentParser`` reads them.
private struct OptionOffers {
  private let declarations: [Declaration]
  /// The option whose value comes next.
  private var pending: Declaration?
  private var endsOptions = false
  private var argumentCount = 0

  init(_ declarations: [Declaration]) {
    self.declarations = declarations
  }

  /// - Parameters:
  ///   - words: the words before the one to complete.
  ///   - text: the beginning of that word.
  func offers(_ words: ArraySlice<String>, _ text: String) -> [Offer] {
    var place = self
    for word in words { place.pass(word) }
    return place.offers(text)
  }

  private mutating func pass(_ word: String) {
    if pending != nil {
      pending = nil
    } else if endsOptions || word == "-" || !word.hasPrefix("-") {
      argumentCount += 1
    } else if word == "--" {
      endsOptions = true
    } else if word.hasPrefix("--") {
      pending = long(word.dropFirst(2)).flatMap { $0.isFollowedByItsValue ? $0 : nil }
    } else {
      guard let (option, attached) = lastShort(of: word), attached == nil else { return }
      pending = option.isFollowedByItsValue ? option : nil
    }
  }

  private func offers(_ text: String) -> [Offer] {
    if let pending { return pending.offers(for: text) }
    if endsOptions || !text.hasPrefix("-") { return argument?.offers(for: text) ?? [] }
    if text.hasPrefix("--"), let equals = text.firstIndex(of: "=") {
      let value = text.index(after: equals)
      return long(text[..<equals].dropFirst(2)).map { attached($0, text, from: value) } ?? []
    }
    if !text.hasPrefix("--"), case (let option, let value?)? = lastShort(of: text) {
      return attached(option, text, from: value)
    }
    return declarations.filter { !$0.isArgument }.map { declaration in
      .word("--\(declaration.name)", about: declaration.summary)
    }
  }

  private func attached(
    _ option: Declaration, _ text: String, from value: String.Index
  ) -> [Offer] {
    if option.kind == .flag { return [] }
    return option.offers(for: String(text[value...])).map { $0.behind(String(text[..<value])) }
  }

  private func long(_ name: Substring) -> Declaration? {
    declarations.first { !$0.isArgument && $0.name == name }
  }

  /// The last option of `-qvf`, and the start of its value in `-qvfs16`. Nil for an unknown option.
  private func lastShort(of word: String) -> (option: Declaration, value: String.Index?)? {
    var last: Declaration?
    for index in word.indices.dropFirst() {
      if let last, last.kind != .flag {
        return (last, word[index] == "=" ? word.index(after: index) : index)
      }
      guard let option = declarations.first(where: { $0.short == word[index] }) else { return nil }
      last = option
    }
    return last.map { ($0, nil) }
  }

  /// The argument that takes the next word.
  private var argument: Declaration? {
    let arguments = declarations.filter(\.isArgument)
    if argumentCount < arguments.count { return arguments[argumentCount] }
    guard case .argument(_, isRepeatable: true)? = arguments.last?.kind else { return nil }
    return arguments.last
  }
}

extension Declaration {
  fileprivate var isFollowedByItsValue: Bool {
    guard case .option = kind else { return false }
    return impliedValue == nil
  }

  /// The first sentence of the help, in one line.
  fileprivate var summary: String {
    let words = help.split(whereSeparator: \.isWhitespace)
    let end = words.firstIndex { $0.hasSuffix(".") || $0.hasSuffix(":") }
    let sentence = words[...(end ?? words.count - 1)].joined(separator: " ")
    return sentence.hasSuffix(".") || sentence.hasSuffix(":")
      ? String(sentence.dropLast()) : sentence
  }
}

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
