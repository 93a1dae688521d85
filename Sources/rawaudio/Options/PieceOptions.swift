// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The options that cut sources into pieces, each with its own output.
struct PieceOptions {
  @Option(
    "segments", .path(name: "table"), group: .list, givenOnce: true,
    help:
      "Convert the pieces that a table names, each to its own output (see 'rawaudio help pieces').")
  var table: String?

  /// The option that makes pieces. Nil if none was given.
  var given: Declaration? { [$table].first(where: \.isGiven) }

  /// - Throws: if another option states a part of the source, too.
  func check(besides others: [Declaration]) throws(UsageError) {
    guard let given, let other = others.first(where: \.isGiven) else { return }
    throw UsageError(
      "'\(other.label)' does not go with '\(given.label)', which says where pieces are")
  }
}
