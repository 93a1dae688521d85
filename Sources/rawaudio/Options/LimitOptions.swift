// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The loudness of the sum, and the limiter before the output.
struct LevelOptions {
  /// In LUFS. Nil = unchanged.
  @Option(
    "loudness", .loudness, group: .edits, givenOnce: true,
    help: """
      Bring the integrated loudness of all to so many LUFS. The output waits in a temporary file until \
      all is measured.
      """)
  var target: Double?
  /// In dBTP.
  @Option(
    "true-peak", .truePeak, default: "-1", group: .edits,
    help: """
      The highest true peak that --loudness may cause, in dBTP: it stops short, which --fail-on loudness makes an \
      error. With --limit it does not stop.
      """)
  var truePeak: Double
  var limiting = LimitOptions()

  /// Nil if no level was requested.
  ///
  /// - Parameters:
  ///   - peak: the largest sample of the sum, in dBFS, and its option. Nil if it stays.
  func target(
    isLive: Bool, _ sink: SinkEndpoint, peak: Double? = nil, _ normalization: Declaration? = nil
  ) throws(UsageError) -> LevelTarget? {
    if $truePeak.isGiven {
      if target == nil { throw UsageError($truePeak, needs: [$target]) }
      try limiting.requireNoCeiling($truePeak)
    }
    let normalization = peak == nil ? nil : normalization
    if let normalization, target != nil {
      throw UsageError(
        "'\($target.label)' and '\(normalization.label)' both set the level; one is enough")
    }
    guard target != nil || peak != nil else { return nil }
    let option = normalization ?? $target
    if isLive {
      throw UsageError("'\(option.label)' needs sources that end, and none that is live")
    }
    if sink.isLive {
      throw UsageError("'\(option.label)' needs an output that waits; \(sink.name) plays at once")
    }
    guard let target else {
      return LevelTarget(peak: peak.map { .at($0) }, limiter: limiting.limit?.setting)
    }
    return LevelTarget(
      loudness: target, ceiling: limiting.limit == nil ? truePeak : nil,
      limiter: limiting.limit?.setting)
  }
}

/// The limiter before the output.
struct LimitOptions {
  @Option(
    "limit", .limit, group: .edits, givenOnce: true,
    help: """
      Keep the true peak at or below so many dBTP (last of all, by a limiter that looks ahead; behind commas \
      release=TIME, 100ms, and lookahead=TIME, 5ms).
      """)
  var limit: LimitRequest?

  /// - Throws: if both a limiter and a ceiling are given.
  func requireNoCeiling(_ ceiling: Declaration) throws(UsageError) {
    guard limit != nil else { return }
    throw UsageError(
      "'\($limit.label)' and '\(ceiling.label)' both say how far the true peak goes; one is enough")
  }
}
