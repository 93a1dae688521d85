// SPDX-License-Identifier: Apache-2.0
/// Assigns the words of a command line to the declarations of a command.
///
/// It reads `--name value`, `--name=value`, `-n value`, `-nvalue` and combined short flags. `--` ends the
/// options. A lone `-` is a value.
struct ArgumentParser {
  private let declarations: [Declaration]
  private var words: ArraySlice<String>
  private var parsed = ParsedArguments()

  static func parse(
    _ words: some Sequence<String>, by declarations: [Declaration]
  ) throws(UsageError) -> ParsedArguments {
    var parser = ArgumentParser(declarations: declarations, words: Array(words)[...])
    try parser.run()
    return parser.parsed
  }

  private init(declarations: [Declaration], words: ArraySlice<String>) {
    self.declarations = declarations
    self.words = words
  }

  private mutating func run() throws(UsageError) {
    var positional: [String] = []
    do throws(UsageError) {
      while let word = words.popFirst() {
        if word == "--" {
          positional += words
          break
        } else if word.hasPrefix("--") {
          try takeLong(word)
        } else if word.hasPrefix("-"), word != "-" {
          try takeShort(word)
        } else {
          positional.append(word)
        }
      }
    } catch {
      // The value of an effect may look like an option: `gain -3`.
      throw error.hinting(at: positional, among: declarations)
    }
    try assign(positional)
  }

  private mutating func takeLong(_ word: String) throws(UsageError) {
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let declaration = declarations.first(where: { !$0.isArgument && $0.name == name }) else {
      throw foreignValue("--", name) ?? unknown("--\(name)", like: name)
    }
    let attached = parts.count == 2 ? String(parts[1]) : nil
    if declaration.kind == .flag {
      if let attached {
        throw UsageError("The flag '--\(name)' takes no value, but '\(attached)' was given")
      }
      parsed.record(declaration, "")
    } else if let attached {
      try record(declaration, attached)
    } else {
      try record(declaration, try takeValue(of: declaration))
    }
  }

  private mutating func takeShort(_ word: String) throws(UsageError) {
    var letters = word.dropFirst()
    let name = String(letters.prefix { $0 != "=" })
    // ffmpeg's long options have one dash.
    if let foreign = foreignValue("-", name) { throw foreign }
    if name.count > 1, let hint = ForeignOptionHint.hint(forOption: name, among: declarations) {
      throw UsageError("Unknown option '-\(name)'; \(hint)")
    }
    if letters.count > 1, declarations.contains(where: { !$0.isArgument && $0.name == name }) {
      throw UsageError("Unknown option '-\(name)'. Did you mean '--\(name)'?")
    }
    while let letter = letters.popFirst() {
      guard let declaration = declarations.first(where: { $0.short == letter }) else {
        throw unknown("-\(letter)", like: letters.isEmpty ? "" : name)
      }
      if declaration.kind == .flag {
        parsed.record(declaration, "")
      } else if letters.isEmpty {
        try record(declaration, try takeValue(of: declaration))
      } else {
        try record(declaration, String(letters.first == "=" ? letters.dropFirst() : letters))
        return
      }
    }
  }

  private mutating func record(_ declaration: Declaration, _ text: String) throws(UsageError) {
    if declaration.isGivenOnce, let first = parsed.texts(of: declaration).first {
      throw UsageError(
        "'\(declaration.label)' is given twice, with '\(first)' and '\(text)'; it takes one value")
    }
    parsed.record(declaration, text)
  }

  private mutating func takeValue(of declaration: Declaration) throws(UsageError) -> String {
    if let implied = declaration.impliedValue { return implied }
    guard let word = words.first, canBeValue(word, of: declaration) else {
      throw UsageError("Missing value for '\(declaration.label)'")
    }
    words.removeFirst()
    return word
  }

  private func canBeValue(_ word: String, of declaration: Declaration) -> Bool {
    guard word.hasPrefix("-"), word != "-" else { return true }
    guard case .option(_, acceptsNegativeNumbers: true) = declaration.kind else { return false }
    return word.dropFirst().first.map { $0.isASCII && $0.isNumber || $0 == "." } ?? false
  }

  private mutating func assign(_ positional: [String]) throws(UsageError) {
    var values = positional[...]
    for declaration in declarations {
      guard case .argument(let isRequired, let isRepeatable) = declaration.kind else { continue }
      if isRequired, values.isEmpty {
        throw UsageError("Missing expected argument '\(declaration.usage)'")
      }
      let count = isRepeatable ? values.count : min(1, values.count)
      for value in values.prefix(count) { parsed.record(declaration, value) }
      values.removeFirst(count)
    }
    guard let first = values.first else { return }
    let others = values.count == 1 ? "" : " and \(values.count - 1) more"
    let effect = values.compactMap { ForeignOptionHint.hint(forEffect: $0, among: declarations) }
      .first
    let hasOutput = declarations.contains { !$0.isArgument && $0.name == "output" }
    let hint = effect ?? (hasOutput ? "an output is named with -o" : nil)
    throw UsageError("Unexpected argument '\(first)'\(others)\(hint.map { "; \($0)" } ?? "")")
  }

  /// The error for an option of another program whose value means something else than its other values. Nil for others.
  private func foreignValue(_ dashes: String, _ name: String) -> UsageError? {
    guard let value = words.first else { return nil }
    return ForeignOptionHint.hint(forOption: "\(name)=\(value)", among: declarations).map {
      UsageError("Unknown option '\(dashes)\(name) \(value)'; \($0)")
    }
  }

  private func unknown(_ option: String, like name: String) -> UsageError {
    let hint = ForeignOptionHint.suggestion(
      forOption: String(option.drop { $0 == "-" }), near: name, among: declarations)
    return UsageError("Unknown option '\(option)'\(hint)")
  }
}

/// The words of a command line by declaration.
struct ParsedArguments: Sendable {
  private var given: [String: (texts: [String], place: Int)] = [:]
  private var count = 0

  mutating func record(_ declaration: Declaration, _ text: String) {
    given[declaration.name, default: ([], 0)].texts.append(text)
    given[declaration.name]?.place = count
    count += 1
  }

  /// These values, and those of a file where there are none of an option. The file's come first.
  func laid(over file: ParsedArguments) -> ParsedArguments {
    var all = self
    for name in given.keys { all.given[name]?.place += file.count }
    all.given.merge(file.given) { own, _ in own }
    all.count += file.count
    return all
  }

  /// All values in order, as given.
  func texts(of declaration: Declaration) -> [String] { given[declaration.name]?.texts ?? [] }

  /// The last place of the declaration `name` among all given values. Nil if it was not given.
  func place(of name: String) -> Int? { given[name]?.place }

  func has(_ declaration: Declaration) -> Bool { given[declaration.name] != nil }
}
