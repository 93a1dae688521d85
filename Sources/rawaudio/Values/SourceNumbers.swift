// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The sources that an option applies to.
enum SourceNumbers: Sendable, Hashable {
  case all
  /// From 1.
  case some(Set<Int>)

  func contains(_ number: Int) -> Bool {
    switch self {
    case .all: true
    case .some(let numbers): numbers.contains(number)
    }
  }
}

extension ValueSyntax<SourceNumbers> {
  /// `all`, `2`, `1,3`.
  static let sourceNumbers = ValueSyntax(name: "numbers") { (text: String) throws(InvalidValue) in
    if text == "all" { return .all }
    var numbers: Set<Int> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = Int(part), number > 0 else {
        throw InvalidValue("sources are told by their numbers from 1, for example 2 or 1,3")
      }
      numbers.insert(number)
    }
    return .some(numbers)
  }
}
