// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// `limit=-1`, `limit=-1,release=50ms,lookahead=2ms`
struct LimitKind: ObserverKind {
  static let form = ObserverForm(
    "limit", .required("DBTP[,release=TIME][,lookahead=TIME]", "a true peak"),
    help: """
      Keeps the true peak at or below a limit, by one smooth gain for all channels, which begins to fall 5 ms ahead \
      (lookahead) and goes back in 100 ms (release). Nothing moves in time.
      """)
  static let syntax = ValueSyntax<LimitRequest>.limit
  let argument: LimitRequest

  func install(by installation: ObserverInstallation) throws(AudioError) -> InstalledObserver {
    let limiter = try argument.observer(at: installation.positions, installation.parameters)
    var installed = try installation.register(limiter)
    installed.details = {
      guard limiter.limitedSamples > 0 else { return ["nothing was above the limit"] }
      return [
        "up to \(limiter.largestReduction.rounded(toDigits: 2)) dB softer, \(limiter.limitedSamples) samples per"
          + " channel in all"
      ]
    }
    return installed
  }
}
