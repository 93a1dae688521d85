// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// Which parts of a stream are written, into how many files, and when they are forced onto the disk. The
/// default is the whole stream in one file.
struct RecordingRequest: Sendable, Hashable {
  /// The names of the parts; nil if there is one file.
  var names: PartNames?
  var limits: [SplittingSink.Limit] = []
  /// Which parts stay; nil if all do.
  var retention: PartRetention?
  /// How times of day are read.
  var civilTime = CivilTime.local
  /// How much of the beginning of the source is left out.
  var leadIn = TimePosition.samples(0)
  /// Nil if everything is recorded.
  var trigger: TriggeredSink.Trigger?
  /// Nil if it depends on whether the source is live.
  var synchronization: FileSynchronization?
}

/// The options of commands that record one stream.
enum RecordingOptions {
  static let split = Option(
    "split", .splitPoint, default: "one file", group: .recording,
    help: """
      Begin a new file after so much time (60, 1:00:00), where the clock on the wall begins a stretch (hour, \
      day, 15min, 6hours), before a size is exceeded (2GiB, 700MB), with each event of --threshold (event), or \
      only on SIGUSR1 (signal), which also works with the others (repeatable). The output's name is then a \
      pattern: %03d is the file's number from 0, %% a percent sign, any other conversion that of strftime, such \
      as %F_%H%M%S; folders behind the first are made, as in %Y/%m/%d/%H.wav. From a device, a name that is a \
      pattern means signal.
      """)
  static let utc = Flag(
    "utc", group: .recording,
    help:
      "Take times in names, and those at which --split cuts, in UTC instead of local time (or that of TZ)."
  )
  static let keep = Option(
    "keep", .keptParts, default: "everything", group: .recording,
    help: """
      Remove the oldest parts of a recording: those that ended so long ago (30d, 12h), or what is more than \
      so much (500GiB), those of earlier runs included (repeatable). Only files whose names come from the \
      pattern are, never the last.
      """)
  static let threshold = Option(
    "threshold", .level, default: "record everything", group: .recording,
    help: "Record only where a sample reaches this level in dBFS.")
  static let preRoll = Option(
    "pre-roll", .time, default: "0.5", group: .recording,
    help: "How much to record before the first sample that reaches --threshold.")
  static let hold = Option(
    "hold", .time, default: "2", group: .recording,
    help: "How much to record after the last one.")
  static let sync = Option(
    "sync", .choice(name: "when", SynchronizationKind.allCases),
    default: "always for a live recording, else never", group: .recording,
    help: """
      When to force the file onto the disk, where a power cut cannot take it: never, at its end, or \
      always: also twice a second while it grows.
      """)

  static let parameters: [any Declared] = [split, utc, keep, threshold, preRoll, hold, sync]

  /// Sets what is asked of each output that is a file.
  ///
  /// - Parameters:
  ///   - outputs: by their places.
  ///   - options: what names the outputs.
  ///   - liveness: of the sources.
  static func apply(
    _ arguments: ParsedArguments, to outputs: inout [SinkPlace: OutputRequest],
    named options: [(SinkPlace, Option<SinkEndpoint>)], liveness: Liveness
  ) throws(UsageError) {
    var patterns: Set<String> = []
    for (place, option) in options {
      guard let output = outputs[place], case .file(let path) = output.sink, output.sink.isExclusive
      else { continue }
      outputs[place]?.recording = try request(
        arguments, to: output.sink, namedBy: option, liveness: liveness)
      if output.sink.partNames(in: .utc) != nil, !patterns.insert(path).inserted {
        throw UsageError(
          invalid: path, for: option.declaration, because: "another output has the same names")
      }
    }
    let wanted: [any Declared] = [split, keep, threshold]
    guard let asked = wanted.first(where: arguments.has),
      !outputs.values.contains(where: { $0.recording.names != nil || $0.recording.trigger != nil })
    else { return }
    let labels = options.map { "'\($0.1.declaration.label)'" }.joinedAsAlternatives
    throw UsageError(
      "'\(asked.declaration.label)' needs files: name them with \(labels), for example take-%03d.wav"
    )
  }

  /// - Parameters:
  ///   - sink: where the stream goes.
  ///   - option: what names it.
  ///   - liveness: of the sources.
  static func request(
    _ arguments: ParsedArguments, to sink: SinkEndpoint,
    namedBy option: Option<SinkEndpoint> = OutputOptions.output, liveness: Liveness
  ) throws(UsageError) -> RecordingRequest {
    var request = RecordingRequest()
    request.synchronization = try arguments.value(of: sync)?.synchronization
    request.trigger = try trigger(arguments)
    if request.trigger != nil, sink.isLive {
      throw UsageError(
        "'\(threshold.declaration.label)' needs a file: a device plays all it is given")
    }
    request.civilTime = arguments.has(utc) ? .utc : .local
    let points = try arguments.values(of: split)
    for case .limit(let limit) in points { request.limits.append(limit) }
    if request.limits.contains(.event), request.trigger == nil {
      throw UsageError("'--split event' needs '\(threshold.declaration.label)'")
    }
    request.retention = try retention(arguments, liveness: liveness)
    if points.isEmpty, request.retention == nil {
      // A recording whose name is a pattern has parts without being asked.
      if liveness == .device, case .file(let path) = sink, sink.isExclusive,
        PartNames.takesDayForNumber(path)
      {
        _ = try names(path, in: request.civilTime, for: option)
      }
      return request
    }
    guard case .file(let path) = sink, sink.isExclusive else {
      throw UsageError(
        "'\((points.isEmpty ? keep.declaration : split.declaration).label)' needs files: name them with"
          + " '\(option.declaration.label)', for example take-%03d.wav")
    }
    request.names = try names(path, in: request.civilTime, for: option)
    return request
  }

  private static func retention(
    _ arguments: ParsedArguments, liveness: Liveness
  ) throws(UsageError) -> PartRetention? {
    let values = try arguments.values(of: keep)
    if values.isEmpty { return nil }
    guard liveness != .none else {
      throw UsageError(
        "'\(keep.declaration.label)' is for recordings: it needs a device or a pipe as a source")
    }
    // Whichever is reached first.
    var retention = PartRetention()
    for value in values {
      switch value {
      case .age(let age): retention.age = min(age, retention.age ?? age)
      case .size(let size): retention.size = min(size, retention.size ?? size)
      }
    }
    return retention
  }

  private static func names(
    _ path: String, in civilTime: CivilTime, for option: Option<SinkEndpoint>
  ) throws(UsageError) -> PartNames {
    do throws(AudioError) {
      return try PartNames(path, in: civilTime)
    } catch {
      throw UsageError(invalid: path, for: option.declaration, because: error.reasonAndAdvice)
    }
  }

  private static func trigger(
    _ arguments: ParsedArguments
  ) throws(UsageError) -> TriggeredSink.Trigger? {
    let times = (try arguments.value(of: preRoll), try arguments.value(of: hold))
    guard let level = try arguments.value(of: threshold) else {
      let stray = times.0 != nil ? preRoll : times.1 != nil ? hold : nil
      guard let stray else { return nil }
      throw UsageError("'\(stray.declaration.label)' needs '\(threshold.declaration.label)'")
    }
    var trigger = TriggeredSink.Trigger(threshold: level)
    if let time = times.0 { trigger.preRoll = time }
    if let time = times.1 { trigger.hold = time }
    return trigger
  }
}
