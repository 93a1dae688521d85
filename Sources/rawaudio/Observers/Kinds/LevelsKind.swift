// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// `levels[=FILE]`: sound levels and third octaves once a minute.
struct LevelsKind: RegularLineKind {
  static let form = ObserverForm(
    "levels", .file, mode: .readOnly,
    help: """
      Sound levels by IEC 61672-1 and third octaves once a minute, in lines of JSON or in a table (.csv).
      """)
  static let keys: [ObserverKey<Self>] = [
    everyKey,
    ObserverKey("weighting", .weighting, \.weighting, help: "A, C or Z."),
    ObserverKey(
      "calibration", .calibration, \.calibration,
      help: "The level of a sound, and its RMS in dBFS: 94@-26."),
  ]
  let argument: String
  var every: TimePosition?
  var weighting: FrequencyWeighting?
  var calibration: Double?

  init(argument: String) { self.argument = argument }

  var head: String? { text.head(settings) }

  private var settings: SoundLevelSettings {
    SoundLevelSettings(weighting: weighting ?? .a, calibration: calibration)
  }

  private var text: SoundLevelText { argument.lowercased().hasSuffix(".csv") ? .csv : .json }

  func observer(by installation: ObserverInstallation, to lines: BackgroundLines)
    -> any AudioObserver
  {
    let clock = installation.clock
    return SoundLevelObserver(
      installation.positions, settings, parameters: installation.parameters,
      interval: every ?? .time(.seconds(60)), to: lines, as: text,
      timing: { clock.text(of: $0, at: $1) })
  }
}
