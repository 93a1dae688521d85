internal import AudioCore

/// An observer of a running session, kept so that it can be asked afterwards what happened.
struct InstalledObserver {
  let request: ObserverRequest
  let registration: ObserverRegistration
  /// What the observer had to leave out, as phrases: "120 samples per channel were dropped".
  var losses: () -> [String] = { [] }
  /// Samples, in files of the observer, that were beyond full scale and saturated.
  var clippedSamples: () -> Int = { 0 }
  /// What else there is to know with `-v`.
  var details: () -> [String] = { [] }
  /// Tells something beside frames where the observer tells in JSON.
  var tell: (JSONValue) -> Void = { _ in }
  /// What the observer mixed in.
  var inputs: () -> [SessionInput] = { [] }
}

extension InstalledObserver {
  /// nil where it was not called at all.
  private var statistics: ObserverStatistics? { registration.statistics[request.position] }

  /// What the user should know though nobody asked.
  var notes: [String] {
    let troubles = losses() + (statistics.map(troubles) ?? [])
    return troubles.map { "observer '\(request.text)': \($0)" }
  }

  /// How often it was called and how long it took.
  var description: [String] {
    let calls = statistics.map { statistics in
      "\(statistics.calls) calls, \(statistics.samplesPerChannel) samples per channel; mean"
        + " \(Self.milliseconds(statistics.meanTime)) ms,"
        + " longest \(Self.milliseconds(statistics.longestTime)) ms"
    }
    return ((calls.map { [$0] } ?? []) + details()).map { "observer '\(request.text)': \($0)" }
  }

  private func troubles(_ statistics: ObserverStatistics) -> [String] {
    var troubles: [String] = []
    let calls = statistics.calls
    if statistics.lateCalls > 0 {
      troubles.append(
        "\(statistics.lateCalls) of \(calls) calls took longer than their audio lasts")
    }
    if statistics.discardedEdits > 0 {
      troubles.append(
        "the edits of \(statistics.discardedEdits) of \(calls) calls were discarded, for its mode is"
          + " \(request.effectiveMode.rawValue)")
    }
    return troubles
  }

  private static func milliseconds(_ duration: Duration) -> Double {
    (duration / .microseconds(1)).rounded() / 1_000
  }
}
