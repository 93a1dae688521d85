// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// How samples are converted, and what makes a completed run a failure.
struct ProcessingRequest: Sendable, Hashable {
  var resamplerQuality: ResamplerQuality
  var dither: Dither
  var failureConditions: Set<FailureCondition>
}

/// The options of commands that process samples.
enum ProcessingOptions {
  static let start = Option(
    "start", .time, default: "0", help: "Where in the source to begin: \(TimePosition.forms).")
  static let duration = Option(
    "duration", short: "d", .length, default: "to the end",
    help: "How long: \(TimePosition.forms).")
  static let gain = Option(
    "gain", .decibels, default: "0", help: "Change the level by this many decibels."
  ).givenOnce
  static let resamplerQuality = Option(
    "resampler-quality", .choice(name: "quality", ResamplerQuality.allCases),
    default: ResamplerQuality.high.rawValue,
    help:
      "Quality of rate conversions: \(ResamplerQuality.allCases.map(\.rawValue).joinedAsAlternatives)."
  )
  static let dither = Option(
    "dither", .choice(name: "kind", DitherKind.allCases), default: DitherKind.none.rawValue,
    help:
      "Noise added to all samples before rounding: \(DitherKind.allCases.map(\.rawValue).joinedAsAlternatives)."
  )
  static let failOn = Option(
    "fail-on", .failureConditions, default: "none",
    help: """
      Exit with 2 where one of these happened: clip, xrun, truncated, short, metadata, loudness (comma list, repeatable).
      """
  )

  static let conversionParameters: [any Declared] = [resamplerQuality, dither, failOn]

  static func request(_ arguments: ParsedArguments) throws(UsageError) -> ProcessingRequest {
    var conditions: Set<FailureCondition> = []
    for some in try arguments.values(of: failOn) { conditions.formUnion(some) }
    return ProcessingRequest(
      resamplerQuality: try arguments.value(of: resamplerQuality) ?? .high,
      dither: try arguments.value(of: dither)?.dither ?? .none, failureConditions: conditions)
  }

  /// A generated signal has no end, and offline nobody would stop it.
  ///
  /// - Parameter ends: where each of them ends, where that is said.
  /// - Throws: if one of `sources` is generated and there is no duration.
  static func requireDuration(
    _ length: TimePosition?, orEnds ends: [SourcePoint?] = [], for sources: [SourceEndpoint]
  ) throws(UsageError) {
    guard length == nil else { return }
    for (index, source) in sources.enumerated() {
      guard source.isEndless, !source.isLive, index >= ends.count || ends[index] == nil else {
        continue
      }
      throw UsageError(
        "A generated source never ends; say how long with '\(duration.declaration.label)'")
    }
  }
}
