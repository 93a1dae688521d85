internal import AudioCore

/// What is told of streams that follow another device's clock.
extension SessionRunner {
  /// The latency that is kept, and what it is made of.
  func describe(_ following: SessionSummary.Following) {
    let latency = following.latency
    var parts = ["playback buffer \(milliseconds(latency.playbackBuffer))"]
    parts.append("reserve \(milliseconds(latency.reserve))")
    parts.append("capture period \(milliseconds(latency.capturePeriod))")
    if latency.observers > 0 { parts.append("observers \(milliseconds(latency.observers))") }
    parts.append("resampler \(milliseconds(latency.resampler))")
    console.detail(
      "\(following.place.rawValue): its clock is followed, \(milliseconds(latency.total)) behind"
        + " '\(following.source)' (\(parts.joined(separator: ", ")))")
  }

  /// Where the latency was, and how far apart the clocks are.
  func describe(_ following: SessionReport.Following) {
    guard let delay = following.delay, let range = following.delayRange else { return }
    let millionths = tenths(following.correction * 1e6)
    console.detail(
      "\(following.place.rawValue): \(milliseconds(delay)) behind '\(following.source)', between"
        + " \(milliseconds(range.lowerBound)) and \(milliseconds(range.upperBound)); ratio"
        + " \(millionths) ppm off")
  }

  /// Tells where the delay had to be set right at once, which is heard.
  func noteFollowing(_ report: SessionReport) -> Set<FailureCondition> {
    var conditions: Set<FailureCondition> = []
    for following in report.followings where following.recentrings > 0 {
      let times = following.recentrings == 1 ? "once" : "\(following.recentrings) times"
      conditions.insert(.xrun)
      console.note(
        "\(following.place.rawValue): latency behind '\(following.source)' set right \(times):"
          + " \(following.insertedSamples) samples per channel of silence put in,"
          + " \(following.droppedSamples) left out")
    }
    return conditions
  }

  private func milliseconds(_ seconds: Double) -> String {
    tenths(seconds * 1_000) + " ms"
  }

  private func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10 + 0)" }
}
