// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The options that cut sources into pieces, each with its own output.
struct PieceOptions {
  @Option(
    "segments", .path(name: "table"), group: .list, givenOnce: true,
    help:
      "Convert the pieces that a table names, each to its own output (see 'rawaudio help pieces').")
  var table: String?
  @Option(
    "at", .text(name: "mark"), group: .list, givenOnce: true,
    help: "Convert the piece from a mark or chapter, by its label or number, to the next one.")
  var mark: String?

  /// - Parameter split: the option that cuts at all marks, if it does.
  func origin(marks split: Declaration?) throws(UsageError) -> PieceOrigin? {
    let given = given(marks: split)
    if given.count > 1 {
      throw UsageError(
        "'\(given[0].label)' and '\(given[1].label)' both say where pieces are; one is enough")
    }
    if let table { return .table(table) }
    if let mark { return .mark(mark) }
    return split == nil ? nil : .marks
  }

  private func given(marks split: Declaration?) -> [Declaration] {
    [$table, $mark].filter(\.isGiven) + (split.map { [$0] } ?? [])
  }

  /// - Parameter others: options that state a part of the source or cut it, too.
  func check(marks split: Declaration?, besides others: [Declaration]) throws(UsageError) {
    guard let given = given(marks: split).first, let other = others.first(where: \.isGiven) else {
      return
    }
    throw UsageError(
      "'\(other.label)' does not go with '\(given.label)', which says where pieces are")
  }
}
