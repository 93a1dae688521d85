// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// `voice[=FILE]`: a line of JSON when speech begins and when it ends.
struct VoiceKind: LineKind {
  static let form = ObserverForm(
    "voice", .file, mode: .readOnly,
    help: """
      A line of JSON when speech begins and when it ends; clients of a session get them as events.
      """)
  static let keys: [ObserverKey<Self>] = [
    ObserverKey("on", .probability, \.on, help: "The probability from which it is speech: 0.5."),
    ObserverKey("off", .probability, \.off, help: "That below which it is none: 0.1 less."),
    ObserverKey("hold", .length, \.hold, help: "The longest pause within speech: 0.2."),
  ]
  let argument: String
  var on: Double?
  var off: Double?
  var hold: TimePosition?

  init(argument: String) { self.argument = argument }

  func check(_ observer: ObserverRequest) throws(InvalidValue) {
    if Double(argument) != nil {
      throw InvalidValue(
        "'\(argument)' would be a file; a probability is on=\(argument) before the colon")
    }
    if let off, off > threshold.on {
      throw InvalidValue("off=\(off) is above on=\(threshold.on)")
    }
  }

  private var threshold: SpeechThreshold {
    let threshold = SpeechThreshold()
    return SpeechThreshold(on: on ?? threshold.on, off: off)
  }

  func observer(
    by installation: ObserverInstallation, to lines: BackgroundLines
  ) throws(AudioError) -> any AudioObserver {
    let clock = installation.clock
    let session = installation.session
    return VoiceObserver(
      installation.positions, try VoiceModel(), threshold,
      hold ?? SpeechStretches.usualHold, installation.parameters, to: lines,
      timing: { clock.text(of: $0, at: $1) }
    ) { [unowned session] in session.tell(.speech($0)) }
  }
}
