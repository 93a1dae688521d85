// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A part of a list for one of several machines.
struct Shard: Sendable, Hashable {
  /// From 1.
  var index: Int
  var count: Int

  /// Whether it contains the item at `place`, counted from 0.
  func holds(_ place: Int) -> Bool { place % count == index - 1 }

  /// The number of its items among `total` items.
  func size(of total: Int) -> Int { (total + count - index) / count }
}

extension ValueSyntax<Shard> {
  /// `3/8`: the third of eight.
  static let shard = ValueSyntax(
    name: "i/n", isNumeric: true,
    otherwise: "a part of a list is written 3/8, the third of eight"
  ) { text in
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    guard words.count == 2, let count = Int(words[1]), count >= 1,
      let index = Int(words[0])?.within(1...count)
    else { return nil }
    return Shard(index: index, count: count)
  }
}

/// The handling of an existing output.
enum ExistingOutput: String, Sendable, CaseIterable {
  /// It is an error.
  case fail
  /// Its source is skipped.
  case skip
  /// It is replaced.
  case replace
}

extension ExistingOutput {
  /// The choice, or `replace` if it is forced.
  ///
  /// - Parameters:
  ///   - option: the option of the choice.
  ///   - force: the flag that replaces existing files.
  /// - Throws: if both are given and differ.
  func settled(_ option: Declaration, _ force: Declaration) throws(UsageError) -> Self {
    guard force.isGiven else { return self }
    if option.isGiven, self != .replace {
      throw UsageError(
        "'\(force.label)' replaces outputs; '\(option.word) \(rawValue)' does not")
    }
    return .replace
  }
}

extension ValueSyntax<Int> {
  /// The number of concurrent files.
  static let jobs = integer(name: "count", in: 1...1_024, called: "a number of jobs")

  static let failures = integer(name: "count", in: 1...(.max), called: "a number of failures")
}
