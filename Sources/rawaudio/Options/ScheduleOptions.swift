// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// What happens to the device between two windows.
enum BetweenWindows: String, Sendable, CaseIterable {
  case close
  case keep
}

/// The options of a recording at certain hours.
struct ScheduleOptions {
  @Option(
    "record", .recordingWindows, default: "at all times", group: .unattended,
    help: """
      Record only at these times of day: 04:00-09:00,sunset-30m..sunrise+30m (repeatable). Dawn and dusk are those of \
      civil twilight; the sun needs --location.
      """)
  var windows: [RecordingWindows]
  @Option(
    "between", .choice(name: "what"), default: "close, or keep if it is no ALSA device",
    group: .unattended,
    help: "Between the times of --record close the device, or keep it running.")
  var between: BetweenWindows?

  /// Sets the schedule of a recording.
  ///
  /// - Parameters:
  ///   - sink: the output.
  ///   - option: the option that names it.
  ///   - source: the device.
  ///   - origin: states the place.
  func apply(
    to recording: inout RecordingRequest, of sink: SinkEndpoint, namedBy option: Declaration,
    from source: SourceEndpoint, _ origin: OriginOptions
  ) throws(UsageError) {
    guard !windows.isEmpty else {
      if $between.isGiven { throw UsageError($between, needs: [$windows]) }
      return
    }
    let all = windows.flatMap(\.windows)
    let sun = origin.location.map {
      SunTimes(latitude: $0.latitude, longitude: $0.longitude)
    }
    if sun == nil, all.contains(where: \.needsSun) {
      throw UsageError($windows, needs: [origin.$location])
    }
    if recording.last != nil {
      throw UsageError("'\($windows.label)' does not go with '--last'")
    }
    if between == .close, !source.canRest {
      throw UsageError("'\($between.word) close' is for ALSA devices; others keep running")
    }
    recording.names = recording.names ?? sink.partNames(in: recording.civilTime)
    if recording.names == nil { throw UsageError($windows, needsFilesNamedBy: [option]) }
    recording.schedule = RecordingSchedule(all, sun: sun, in: recording.civilTime)
  }

  /// Tells whether the device is needed at present; nil = always.
  func hours(of schedule: RecordingSchedule?, _ source: SourceEndpoint) -> (() -> Bool)? {
    guard let schedule, source.canRest, between != .keep else { return nil }
    let hours = DeviceHours(schedule)
    return { hours.areNow() }
  }
}

extension SourceEndpoint {
  /// Whether it may be closed for a while and opened again.
  var canRest: Bool { if case .end(let end) = self { type(of: end).canRest } else { false } }
}
