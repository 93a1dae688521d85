// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A limiter as given on a command line: `-1`, `-1dBTP,release=50ms`.
struct LimitRequest: Sendable, Hashable {
  /// In dBTP.
  var limit: Double
  var lookahead = Duration.milliseconds(5)
  var release = Duration.milliseconds(100)

  var setting: LimiterSetting {
    LimiterSetting(
      limit: limit, lookahead: lookahead / .seconds(1), release: release / .seconds(1))
  }

  func observer(
    at positions: ObservationPositions, _ parameters: FrameParameters = .readWrite
  ) throws(AudioError) -> LimiterObserver {
    try LimiterObserver(
      positions, limit: limit, lookahead: lookahead, release: release,
      parameters: parameters)
  }
}

extension ValueSyntax<LimitRequest> {
  static let limit = ValueSyntax(name: "dbtp", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    var request = LimitRequest(limit: try ValueSyntax<Double>.truePeak.parse(words[0]))
    var keys: Set<String> = []
    for word in words.dropFirst() {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, ["release", "lookahead"].contains(parts[0]) else {
        throw InvalidValue("'\(word)' is no setting of a limiter; there are release and lookahead")
      }
      guard keys.insert(parts[0]).inserted else {
        throw InvalidValue("'\(parts[0])' is given twice")
      }
      let time = try ValueSyntax<Duration>.duration.parse(parts[1])
      let isRelease = parts[0] == "release"
      let allowed = isRelease ? LimiterObserver.releases : LimiterObserver.lookaheads
      guard allowed.contains(time) else {
        throw InvalidValue(
          isRelease ? "a release is 1 ms to 10 s long" : "a limiter looks 0.1 to 100 ms ahead")
      }
      if isRelease { request.release = time } else { request.lookahead = time }
    }
    return request
  }
}
