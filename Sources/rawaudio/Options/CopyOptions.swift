// SPDX-License-Identifier: Apache-2.0
/// Whether the packets of a source go into the output as they are.
struct CopyOptions {
  @Flag(
    "copy", group: .output,
    help: "Copy the packets of the sound without decoding them, or fail.")
  var isAsked: Bool

  /// Whether no option of the line needs samples.
  private(set) var isPossible = false

  /// The options beside those of metadata and of lists that need no samples.
  private static let harmless: Set = [
    "start", "end", "duration", "output", "force", "existing", "type", "encoder", "copy", "track",
    "decoder", "fail-on", "album",
  ]

  /// - Parameters:
  ///   - given: the options on the line.
  ///   - cutsAtMarks: whether the option that splits cuts at marks, which other pieces are.
  /// - Throws: if copying is asked for, and something needs samples.
  mutating func settle(
    _ given: [Declaration], _ sources: [SourceEndpoint], cutsAtMarks: Bool
  ) throws(UsageError) {
    let obstacle = given.first { option in
      !option.isArgument && ![.metadata, .list, .general].contains(option.group)
        && !Self.harmless.contains(option.name) && !(cutsAtMarks && option.name == "split")
    }
    isPossible = obstacle == nil
    guard isAsked else { return }
    if let obstacle {
      throw UsageError(
        "'\($isAsked.label)' does not go with '\(obstacle.label)', which needs samples")
    }
    if let source = sources.first(where: { $0.filePath == nil }) {
      throw UsageError("'\($isAsked.label)' is for files; \(source.noun) has no packets")
    }
  }
}
