// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Finds a name for each part that no other has.
struct PartPaths {
  /// A day of parts that begin in the same second; a name that is not free then never is.
  private static let mostAttempts = 100_000
  private let names: PartNames
  /// Whether names on the disk are passed over.
  private let goesOn: Bool
  /// Of the next part; nil while nobody has looked which there are.
  private var number: Int?
  private var taken: Set<String> = []
  /// The last suffix that was found free, and of which name.
  private var suffix = (path: "", number: 0)

  /// - Parameter goesOn: whether names on the disk are passed over.
  init(_ names: PartNames, goesOn: Bool) {
    self.names = names
    self.goesOn = goesOn
    number = goesOn && names.haveNumbers ? nil : 0
  }

  /// A free name for the next part, so far as that can be known.
  ///
  /// Names with numbers go on after the highest on the disk. Where a name is taken that has none, the next second
  /// is tried, then `-1`, `-2` and so on before the extension.
  ///
  /// - Parameter time: when it begins, in seconds since 1970.
  /// - Throws: `alreadyExists` where nothing is free.
  mutating func next(at time: Int) throws(AudioError) -> String {
    if number == nil {
      let highest = PartMatching(names).files().map(\.number).max()
      number = highest.map { $0 + 1 } ?? 0
    }
    let first = names.path(number: number ?? 0, time: time)
    if isFree(first) { return first }
    if goesOn, names.haveNumbers {
      for _ in 0..<Self.mostAttempts {
        number = (number ?? 0) + 1
        let path = names.path(number: number ?? 0, time: time)
        if isFree(path) { return path }
      }
    } else {
      let second = names.path(number: number ?? 0, time: time + 1)
      if goesOn, second != first, isFree(second) { return second }
      if suffix.path != first { suffix = (first, 0) }
      for _ in 0..<Self.mostAttempts {
        suffix.number += 1
        let path = Self.numbered(first, suffix.number)
        if isFree(path) { return path }
      }
    }
    throw AudioError(
      .alreadyExists, cannot: "write to", first, because: "it exists, and so do all names after it")
  }

  /// The part has this name: no other gets it.
  mutating func take(_ path: String) {
    taken.insert(path)
    number = (number ?? 0) + 1
  }

  /// The part that had this name, the last one, is none.
  mutating func giveBack(_ path: String) {
    taken.remove(path)
    number = number.map { $0 - 1 }
  }

  /// Somebody else has this name.
  mutating func avoid(_ path: String) { taken.insert(path) }

  private func isFree(_ path: String) -> Bool {
    if taken.contains(path) { return false }
    guard goesOn else { return true }
    var status = stat()
    // Where that cannot be told, opening it will say why.
    return unsafe lstat(Pathname(path).cString, &status) != 0
  }

  private static func numbered(_ path: String, _ number: Int) -> String {
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    let dot = path[name...].lastIndex(of: ".") ?? path.endIndex
    return "\(path[..<dot])-\(number)\(path[dot...])"
  }
}
