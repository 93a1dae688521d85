// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The options of an unattended recording.
struct UnattendedRequest {
  var hooks = HookRequest()
  @Flag(
    "reopen", group: .unattended,
    help: """
      Wait for a device that is lost, and go on when it is back: in a new part if the output's name is a \
      pattern, else behind as much silence.
      """)
  var reopens: Bool
  @Option(
    "on-full", .choice(name: "what", OnFull.allCases), default: "wait with --reopen, else fail",
    group: .unattended,
    help: """
      For a recording in parts on a full disk: wait, and go on in a new part when there is room, or fail.
      """)
  var onFull: OnFull?
  @Option(
    "log", .logPath, group: .unattended,
    help: """
      Append the events of the run, such as gaps and parts, to this file as lines of JSON. Its name may have the date, \
      as in log-%F.jsonl.
      """)
  var logPath: String?
  @Option(
    "metrics", .path(name: "file"), group: .unattended,
    help: "Write figures for Prometheus into this file, whole, twice a minute.")
  var metricsPath: String?
  var alarms = AlarmRequest()

  /// - Parameters:
  ///   - sinks: the sinks of the session.
  ///   - timeline: the way it records from devices.
  func check(_ sinks: [SinkEndpoint], _ timeline: TimelineRequest) throws(UsageError) {
    try alarms.check(sinks)
    if reopens, timeline.onXrun == .fail {
      throw UsageError(
        "'\($reopens.label)' goes on, and '\(timeline.$onXrun.word) fail' ends the recording")
    }
    if reopens, sinks.contains(where: \.isLive) {
      throw UsageError(
        "'\($reopens.label)' is for outputs that are files or pipes, not for a device that"
          + " plays another one live; a service manager can start the command again")
    }
    if onFull == .wait, !sinks.contains(where: { $0.partNames(in: .utc) != nil }) {
      throw UsageError(
        "'\($onFull.word) wait' goes on in a new file: name the files by a pattern, for example"
          + " %F_%H%M%S.flac")
    }
    try hooks.check(sinks)
  }
}

extension UnattendedRequest {
  /// The action for a full disk.
  enum OnFull: String, Sendable, CaseIterable {
    case wait
    case fail
  }
}

extension RecordingRequest {
  /// Lets a recording in parts wait for room, if that is asked for.
  ///
  /// - Throws: if each channel has parts of its own: they would no longer begin together.
  mutating func wait(for unattended: UnattendedRequest) throws(UsageError) {
    if unattended.onFull == .wait, splitsChannels {
      throw UsageError("'\(unattended.$onFull.word) wait' does not go with '--split channels'")
    }
    let choice = unattended.onFull ?? (unattended.reopens ? .wait : .fail)
    waitsForRoom = choice == .wait && !splitsChannels
  }
}

/// The alarms requested for a recording.
struct AlarmRequest: Equatable {
  /// The shortest silence to report, in seconds.
  @Option(
    "alarm-silence", .seconds, group: .unattended,
    help: "Tell when a channel has not reached --silence-level for so long, and when it is over.")
  var silence: Double?
  /// The lowest level of sound that is no silence, in dBFS.
  @Option(
    "silence-level", .level, default: "-60", group: .unattended,
    help: "For --alarm-silence: the lowest level that is no silence, in dBFS.")
  var silenceLevel: Double
  @Option(
    "alarm-level", .levelLimits, group: .unattended,
    help: """
      Tell when the RMS of ten seconds of a channel is not between two levels in dBFS: -50..-6, -50.. or ..-6.
      """)
  var level: LevelLimits?
  @Flag(
    "alarm-clipping", group: .unattended,
    help:
      "Tell when three samples in a row are at full scale, and when that was not so for ten seconds."
  )
  var clipping: Bool
  @Option(
    "alarm-xruns", .xrunRate, group: .unattended,
    help: "Tell when a device overran or underran more often than this: 5/min, 20/h.")
  var xruns: XrunRate?
  @Option(
    "alarm-space", .spaceLimit, group: .unattended,
    help: "Tell when the disk has less room than this: 10GiB, or 12h of the recording.")
  var space: SpaceLimit?

  /// The kinds that are asked for.
  var kinds: [AlarmKind] {
    [
      silence == nil ? nil : .silence, level == nil ? nil : .level, clipping ? .clipping : nil,
      xruns == nil ? nil : .xruns, space == nil ? nil : .space,
    ].compactMap(\.self)
  }

  /// Whether samples have to be analysed.
  var isAboutSamples: Bool { silence != nil || level != nil || clipping }

  fileprivate func check(_ sinks: [SinkEndpoint]) throws(UsageError) {
    if $silenceLevel.isGiven, silence == nil {
      throw UsageError($silenceLevel, needs: [$silence])
    }
    if isAboutSamples, sinks.allSatisfy(\.isLive) {
      throw UsageError("An alarm about samples needs an output that is no device")
    }
    if space != nil { try sinks.requireFile(for: $space) }
  }
}

extension ValueSyntax<Double> {
  /// A duration in seconds.
  fileprivate static let seconds = ValueSyntax(
    name: ValueSyntax<TimePosition>.length.name, isNumeric: true
  ) { (text: String) throws(InvalidValue) in
    guard case .time(let time) = try ValueSyntax<TimePosition>.length.parse(text) else {
      throw InvalidValue("it is a time, not a count of samples")
    }
    return time / .seconds(1)
  }
}
