internal import AudioCore

extension DeviceGaps {
  /// How many gaps a note for people lists.
  private static let usualListLength = 20

  /// `1234 samples per channel lost (estimated ±48)`; nil where nothing is known to be lost.
  var loss: String? {
    guard lostSamples > 0 else { return nil }
    let accuracy =
      estimatedSamples == 0
      ? ""
      : countedSamples == 0 ? " (estimated ±\(uncertainty))" : " (partly estimated ±\(uncertainty))"
    return "\(lostSamples) \(lostSamples == 1 ? "sample" : "samples") per channel lost\(accuracy)"
  }

  /// A line each for the first gaps, then one that counts the rest.
  ///
  /// - Parameters:
  ///   - listsAll: every gap that is remembered, however many.
  ///   - input: what they are gaps of.
  func lines(of input: SessionInput, at sampleRate: Int, listsAll: Bool) -> [String] {
    let shown = listsAll ? list[...] : list.prefix(Self.usualListLength)
    let lines = shown.map { input.placed($0, at: sampleRate).line(at: sampleRate) }
    let rest = count - shown.count
    if rest == 0 { return lines }
    let hint = listsAll ? "" : "; --json or -v lists them"
    return lines + ["and \(rest) more \(rest == 1 ? "gap" : "gaps")\(hint)"]
  }

  /// What `docs/events.md` describes.
  func json(of input: SessionInput, at sampleRate: Int) -> JSONValue {
    .object([
      ("count", .integer(Int64(count))), ("lostSamples", .integer(lostSamples)),
      ("countedSamples", .integer(countedSamples)),
      ("estimatedSamples", .integer(estimatedSamples)), ("uncertainty", .integer(uncertainty)),
      ("unknown", .integer(Int64(unknownCount))), ("unlisted", .integer(Int64(unlistedCount))),
      (
        "list",
        .array(
          list.map { .object(input.placed($0, at: sampleRate).members(at: sampleRate)) })
      ),
    ])
  }
}
