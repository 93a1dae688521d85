// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Finds a unique name for each part.
struct PartPaths {
  /// The most names tried for one part. A day has fewer seconds.
  private static let mostAttempts = 100_000
  private let names: PartNames
  /// Whether names on the disk are skipped.
  private let goesOn: Bool
  /// The number of the next part; nil until the disk was searched for the highest.
  private var number: Int?
  private var taken: Set<String> = []
  /// The last suffix found free, and the name before it got the suffix.
  private var suffix = (path: "", number: 1)

  /// - Parameter goesOn: whether names on the disk are skipped.
  init(_ names: PartNames, goesOn: Bool) {
    self.names = names
    self.goesOn = goesOn
    number = goesOn && names.haveNumbers ? nil : 0
  }

  /// Finds a name for the next part that is free at this moment.
  ///
  /// Names with numbers continue after the highest on the disk. If a name without a number is taken, the next second is
  /// tried, then `_x2`, `_x3` and so on before the extension.
  ///
  /// - Parameter time: the part's beginning, in seconds since 1970.
  /// - Throws: `alreadyExists` if no name is free.
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
      if suffix.path != first { suffix = (first, 1) }
      for _ in 0..<Self.mostAttempts {
        suffix.number += 1
        let path = first.repeated(suffix.number)
        if isFree(path) { return path }
      }
    }
    throw AudioError(
      .alreadyExists, cannot: "write to", first, because: "it exists, and so do all names after it",
      advice: "choose another name")
  }

  mutating func take(_ path: String) {
    taken.insert(path)
    number = (number ?? 0) + 1
  }

  /// Releases the last reserved name: its part was not written.
  mutating func giveBack(_ path: String) {
    taken.remove(path)
    number = number.map { $0 - 1 }
  }

  /// Marks a name as taken by another program.
  mutating func avoid(_ path: String) { taken.insert(path) }

  private func isFree(_ path: String) -> Bool {
    if taken.contains(path) { return false }
    guard goesOn else { return true }
    var status = stat()
    // On another error the name counts as free: opening it will report the error.
    return unsafe lstat(Pathname(path).cString, &status) != 0
  }
}

extension String {
  /// Turns the path `folder/name.wav` into `folder/name-2.wav`.
  func numbered(_ number: Int) -> String { named(behind: "-\(number)") }

  /// Turns the path `folder/name.wav` into `folder/name_x2.wav`, which stands behind it in lists. Locales that pass over
  /// punctuation compare the letter with the extension's.
  func repeated(_ number: Int) -> String { named(behind: "_x\(number)") }

  private func named(behind suffix: String) -> String {
    let name = utf8.lastIndex(of: UInt8(ascii: "/")) ?? startIndex
    let dot = self[name...].lastIndex(of: ".") ?? endIndex
    return "\(self[..<dot])\(suffix)\(self[dot...])"
  }
}
