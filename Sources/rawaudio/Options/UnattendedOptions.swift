// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// What a recording does that nobody looks at.
struct UnattendedRequest: Sendable, Hashable {
  /// Run by the shell for every part that is complete.
  var partCommand: String?
  /// Whether a device that is lost is waited for.
  var reopens = false
  var alarms = AlarmRequest()
}

/// The options of recordings that nobody looks at.
enum UnattendedOptions {
  static let onPart = Option(
    "on-part", .shellCommand, group: .unattended,
    help: """
      Have the shell run this for every part that is complete, or for the only file: one after another, beside \
      the recording. RAWAUDIO_PART is its path, RAWAUDIO_PART_JSON what there is to know of it.
      """
  ).givenOnce

  static let reopen = Flag(
    "reopen", group: .unattended,
    help: """
      Wait for a device that is lost, and go on when it is back: in a new part where the output's name is a \
      pattern, else behind as much silence.
      """)

  static let alarmSilence = Option(
    "alarm-silence", .length, group: .unattended,
    help: "Tell where nothing has reached --silence-level for so long, and where it is over.")
  static let silenceLevel = Option(
    "silence-level", .level, default: "-60", group: .unattended,
    help: "For --alarm-silence: what is no silence, in dBFS.")
  static let alarmLevel = Option(
    "alarm-level", .levelLimits, group: .unattended,
    help: """
      Tell where the RMS of ten seconds, of the loudest channel, is not between two levels in dBFS: -50..-6, -50.. \
      or ..-6.
      """)
  static let alarmClipping = Flag(
    "alarm-clipping", group: .unattended,
    help:
      "Tell where three samples in a row are at full scale, and where that was not so for ten seconds."
  )
  static let alarmXruns = Option(
    "alarm-xruns", .xrunRate, group: .unattended,
    help: "Tell where a device overran or underran more often than this: 5/min, 20/h.")
  static let alarmSpace = Option(
    "alarm-space", .spaceLimit, group: .unattended,
    help: "Tell where the disk has less room than this: 10GiB, or 12h of the recording.")

  static let parameters: [any Declared] = [
    onPart, reopen, alarmSilence, silenceLevel, alarmLevel, alarmClipping, alarmXruns, alarmSpace,
  ]

  /// - Parameters:
  ///   - sinks: those of the session.
  ///   - timeline: how it records from devices.
  static func request(
    _ arguments: ParsedArguments, sinks: [SinkEndpoint], _ timeline: TimelineRequest
  ) throws(UsageError) -> UnattendedRequest {
    let request = UnattendedRequest(
      partCommand: try arguments.value(of: onPart), reopens: arguments.has(reopen),
      alarms: try alarms(arguments, sinks))
    if request.reopens, timeline.onXrun == .fail {
      throw UsageError(
        "'\(reopen.declaration.label)' goes on, and '--on-xrun fail' ends the recording")
    }
    if request.reopens, sinks.contains(where: \.isLive) {
      throw UsageError(
        "'\(reopen.declaration.label)' is for outputs that are files or pipes, not for a device that"
          + " plays what another one hears")
    }
    if request.partCommand != nil, sinks.allSatisfy({ $0.partFolder == nil }) {
      throw UsageError("'\(onPart.declaration.label)' needs an output that is a file")
    }
    return request
  }

  private static func alarms(
    _ arguments: ParsedArguments, _ sinks: [SinkEndpoint]
  ) throws(UsageError) -> AlarmRequest {
    var request = AlarmRequest()
    switch try arguments.value(of: alarmSilence) {
    case .time(let time)?: request.silence = time / .seconds(1)
    case .samples?:
      throw UsageError("'\(alarmSilence.declaration.label)' takes a time, not a count of samples")
    case nil: break
    }
    if let level = try arguments.value(of: silenceLevel) {
      guard request.silence != nil else {
        throw UsageError(
          "'\(silenceLevel.declaration.label)' needs '\(alarmSilence.declaration.label)'")
      }
      request.silenceLevel = level
    }
    request.level = try arguments.value(of: alarmLevel)
    request.clipping = arguments.has(alarmClipping)
    request.xruns = try arguments.value(of: alarmXruns)
    request.space = try arguments.value(of: alarmSpace)
    if request.isAboutSamples, sinks.allSatisfy(\.isLive) {
      throw UsageError("An alarm about samples needs an output that is no device")
    }
    if request.space != nil, sinks.allSatisfy({ $0.partFolder == nil }) {
      throw UsageError("'\(alarmSpace.declaration.label)' needs an output that is a file")
    }
    return request
  }
}

extension ValueSyntax<String> {
  /// A line for `/bin/sh -c`.
  static let shellCommand = ValueSyntax(name: "command") { (text: String) throws(InvalidValue) in
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw InvalidValue("the command is empty")
    }
    return text
  }
}
