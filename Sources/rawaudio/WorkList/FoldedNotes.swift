// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The notes of many files: the first ones of each kind are printed, the others are counted.
///
/// Notes are of one kind if they differ only in numbers and in the names of their files.
struct FoldedNotes {
  /// The number of printed notes of a kind.
  private static let most = 3
  /// The number of kinds that are known, for a list of any length.
  private static let mostKinds = 1_000
  /// The beginning of a collected line.
  private static let sign = "rawaudio: "

  private var counts: [String: Int] = [:]
  /// The kinds in the order of their first notes.
  private var kinds: [String] = []

  /// Takes the notes of one file, unless all are printed.
  ///
  /// - Parameter names: the paths of the file and its outputs.
  /// - Returns: the notes to print now.
  mutating func take(
    _ notes: [String], of names: [String], for verbosity: Verbosity
  ) -> [String] {
    verbosity == .verbose ? notes : take(notes, of: names)
  }

  /// Prints the failure of one file, unless it is folded.
  mutating func tell(_ error: AudioError, of names: [String], on console: Console) {
    if !take([error.description.told], of: names, for: console.verbosity).isEmpty {
      console.error(error)
    }
  }

  /// Takes the notes of one file.
  ///
  /// - Parameter names: the paths of the file and its outputs.
  /// - Returns: the notes to print now.
  mutating func take(_ notes: [String], of names: [String]) -> [String] {
    let names = Set(names.map(\.told))
    let ofFile = notes.map { Self.kind(of: $0, names) }
    var (seen, shown): (Set<String>, Set<String>) = ([], [])
    for kind in ofFile where seen.insert(kind).inserted {
      guard counts[kind] != nil || kinds.count < Self.mostKinds else {
        shown.insert(kind)
        continue
      }
      let count = counts[kind, default: 0] + 1
      counts[kind] = count
      if count == 1 { kinds.append(kind) }
      if count <= Self.most { shown.insert(kind) }
    }
    return zip(notes, ofFile).filter { shown.contains($0.1) }.map(\.0)
  }

  /// The counts of the notes that were not printed.
  var counted: [String] {
    kinds.compactMap { kind in
      let rest = (counts[kind] ?? 0) - Self.most
      return rest > 0 ? "\(rest.counted("more file")): \(kind)" : nil
    }
  }

  /// A note with dots for names and N for numbers. Words with digits, such as `s16`, stay.
  private static func kind(of note: String, _ names: Set<String>) -> String {
    var text = note[...]
    if text.hasPrefix(sign) { text.removeFirst(sign.count) }
    if text.last == "\n" { text.removeLast() }
    let parts = text.split(separator: "'", omittingEmptySubsequences: false)
      .map { names.contains(String($0)) ? "..." : $0 }
    var (kind, isInWord, isInNumber) = ("", false, false)
    let characters = Array(parts.joined(separator: "'"))
    func isDigit(_ index: Int) -> Bool {
      index < characters.count && characters[index].isASCII && characters[index].isNumber
    }
    for (index, character) in characters.enumerated() {
      let isPoint = isInNumber && ".,:".contains(character) && isDigit(index + 1)
      let isNumber = !isInWord && (isDigit(index) || isPoint)
      if !isNumber { kind.append(character) } else if !isInNumber { kind += "N" }
      isInNumber = isNumber
      isInWord = !isNumber && (character.isLetter || isInWord && isDigit(index))
    }
    return kind
  }
}
