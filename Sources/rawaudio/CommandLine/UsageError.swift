// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A mistake in the command line. It is reported with the usage of the command; the exit code is 64.
struct UsageError: Error, Equatable {
  /// One sentence, with a capital letter and without a full stop.
  var message: String

  init(_ message: String) {
    self.message = message
  }

  /// For an option that has no meaning without one of `others`.
  init(_ option: Declaration, needs others: [Declaration]) {
    self.init("'\(option.label)' needs \(others.map { "'\($0.label)'" }.joinedAsAlternatives)")
  }

  init(invalid text: String, for declaration: Declaration, because reason: String) {
    self.init("The value '\(text)' is invalid for '\(declaration.label)': \(reason)")
  }
}

extension UsageError {
  /// Adds the equivalent of a sox effect among the files.
  func hinting(at arguments: ParsedArguments, of command: any Command.Type) -> UsageError {
    let declarations = command.declarations
    let words = declarations.filter(\.isArgument).flatMap { arguments.texts(of: $0) }
    return hinting(at: words, among: declarations)
  }

  /// Adds the equivalent of the first sox effect among `words`, if the declarations have one.
  func hinting(at words: [String], among declarations: [Declaration]) -> UsageError {
    let hints = words.lazy.compactMap { ForeignOptionHint.hint(forEffect: $0, among: declarations) }
    return hints.first.map { UsageError("\(message); \($0)") } ?? self
  }
}

/// The reason for an invalid value. It completes "The value 'x' is invalid for '--rate': …".
struct InvalidValue: Error, Equatable {
  var reason: String

  init(_ reason: String) {
    self.reason = reason
  }

  /// For a word that is none of a list.
  ///
  /// - Parameters:
  ///   - candidate: the word of the list that was probably meant. Nil if none is near.
  ///   - list: all that there is, for a word that is near none.
  init(_ reason: String, meaning candidate: String?, else list: @autoclosure () -> String) {
    self.reason = reason + (candidate.map { ". Did you mean '\($0)'?" } ?? "; \(list())")
  }
}

/// A usage error, and the command being read. Nil before the command is known.
struct RejectedInvocation: Error {
  var error: UsageError
  var command: (any Command.Type)?

  /// Prints the error, the usage, and a pointer to the help page.
  func report(on console: Console) {
    console.usageError(
      error.message, usage: command.map { $0.usage } ?? Program.usage,
      helpCommand: command.map { "rawaudio \($0.name) --help" } ?? "rawaudio --help")
  }
}

extension AudioError {
  var reasonAndAdvice: String { [reason, advice].compactMap { $0 }.joined(separator: "; ") }
}

/// The candidate nearest to `word`. Nil if none is near enough.
///
/// A candidate is near if one letter is mistyped, of eight or more two, of twelve or more three; a short word has to keep
/// its first letter. It is also near if it is the only one that starts with `word`.
func nearest(to word: String, among candidates: [String]) -> String? {
  let ranked = candidates.filter {
    word.count > 4 || $0.first == word.first || word.isSwapped(from: $0)
  }
  .map { (candidate: $0, distance: editDistance(word, $0)) }
  if let best = ranked.min(by: { $0.distance < $1.distance }),
    best.distance <= max(1, min(3, word.count / 4)), best.distance < best.candidate.count
  {
    return best.candidate
  }
  let completions = candidates.filter { word.count > 1 && $0.hasPrefix(word) }
  return completions.count == 1 ? completions.first : nil
}

extension String {
  /// Whether it begins with the first two letters of `other` in the wrong order.
  fileprivate func isSwapped(from other: String) -> Bool {
    count > 1 && Array(prefix(2)) == other.prefix(2).reversed()
  }
}

/// The optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
///
/// Source: https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance
func editDistance(_ left: String, _ right: String) -> Int {
  let left = Array(left)
  let right = Array(right)
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for i in left.indices {
    var row = [i + 1]
    for j in right.indices {
      let substitution = last[j] + (left[i] == right[j] ? 0 : 1)
      var distance = min(substitution, last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        distance = min(distance, beforeLast[j - 1] + 1)
      }
      row.append(distance)
    }
    beforeLast = last
    last = row
  }
  return last[right.count]
}
