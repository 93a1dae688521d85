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
  func target(isLive: Bool, _ sink: SinkEndpoint) throws(UsageError) -> LevelTarget? {
    if $truePeak.isGiven {
      if target == nil { throw UsageError($truePeak, needs: [$target]) }
      try limiting.requireNoCeiling($truePeak)
    }
    guard let target else { return nil }
    if isLive {
      throw UsageError("'\($target.label)' needs sources that end, and none that is live")
    }
    if sink.isLive {
      throw UsageError("'\($target.label)' needs an output that waits; \(sink.name) plays at once")
    }
    return LevelTarget(
      loudness: target, ceiling: limiting.limit == nil ? truePeak : nil,
      limiter: limiting.limit?.setting)
  }

  /// The limiter, if no loudness was requested.
  var alone: LimitRequest? { target == nil ? limiting.limit : nil }
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
