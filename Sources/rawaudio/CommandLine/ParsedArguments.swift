// SPDX-License-Identifier: Apache-2.0
/// The words of a command line by declaration.
struct ParsedArguments: Sendable {
  private var given: [String: (texts: [String], place: Int)] = [:]
  private var count = 0

  mutating func record(_ declaration: Declaration, _ text: String) {
    given[declaration.name, default: ([], 0)].texts.append(text)
    given[declaration.name]?.place = count
    count += 1
  }

  /// All that was given, in order, as it was written.
  func texts(of declaration: Declaration) -> [String] { given[declaration.name]?.texts ?? [] }

  /// The last place among all that was given; nil if it was not given.
  func place(of declaration: Declaration) -> Int? { given[declaration.name]?.place }

  func has(_ declaration: Declaration) -> Bool { given[declaration.name] != nil }
}
