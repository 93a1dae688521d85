// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The conversion of samples, and the conditions that make a completed run a failure.
struct ProcessingOptions {
  @Option(
    "resampler-quality", .choice(name: "quality"),
    default: "high",
    help: """
      Quality of rate conversions. Of Nyquist, half the lower rate:
      fast: 0.80 within 0.1 dB, aliases below -100 dB;
      high: 0.91 within 0.01 dB, aliases below -140 dB;
      best: 0.93 within 0.001 dB, aliases below -180 dB.
      """)
  var resamplerQuality: ResamplerQuality
  @Option(
    "dither", .choice(name: "kind"), default: "none",
    help:
      "Noise added to all samples before rounding: \(DitherKind.allCases.map(\.rawValue).joinedAsAlternatives)."
  )
  var ditherKind: DitherKind
  private var failures = FailureOptions()

  var dither: Dither { ditherKind.dither }
  var failureConditions: Set<FailureCondition> { failures.conditions }
}

/// The conditions that make a completed run a failure.
struct FailureOptions {
  @Option(
    "fail-on", .failureConditions, default: "none",
    help: """
      Exit with 2 if one of these happened: clip, xrun, truncated, short, metadata, loudness (comma list, repeatable).
      """)
  private var lists: [Set<FailureCondition>]

  var conditions: Set<FailureCondition> { lists.reduce([]) { $0.union($1) } }
}

extension Option<Double> {
  static var gain: Self {
    Self(
      "gain", .decibels, default: "0", givenOnce: true,
      help: "Change the level by this many decibels.")
  }
}

extension Option<TimePosition?> {
  /// - Parameters:
  ///   - text: the default end in words.
  ///   - what: the limited thing. Empty for all of it.
  static func duration(default text: String, of what: String = "") -> Self {
    Self(
      "duration", short: "d", .length, default: text,
      help: "How long\(what): \(TimePosition.forms).")
  }
}

extension [SourceEndpoint] {
  /// A generated signal has no end, and an offline run would never stop.
  ///
  /// - Parameter ends: the given end of each source, if any.
  /// - Throws: if one is generated and there is no duration.
  func require(_ duration: Declaration, orEnds ends: [SourcePoint?] = []) throws(UsageError) {
    guard !duration.isGiven else { return }
    for (index, source) in enumerated() {
      guard source.isGenerated, index >= ends.count || ends[index] == nil else { continue }
      throw UsageError("A generated source never ends; say how long with '\(duration.label)'")
    }
  }
}
