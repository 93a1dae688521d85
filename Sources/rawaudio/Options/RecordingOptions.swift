// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The recorded parts of a stream, their files, and the forced writes to the disk. The default is the whole stream in
/// one file.
struct RecordingRequest: Sendable, Hashable {
  /// The names of the parts. Nil if there is one file.
  var names: PartNames?
  var limits: [SplittingSink.Limit] = []
  /// Whether each channel has a file of its own.
  var splitsChannels = false
  /// Whether existing names are passed over although the source is not live.
  var goesOn = false
  /// The table of the parts or events. Nil if none was asked for.
  var labels: LabelPath?
  /// Nil if no part ends at a quiet place or overlaps another.
  var cuts: CuttingSink.Cuts?
  /// The parts to keep. Nil if all are kept.
  var retention: PartRetention?
  /// Whether a full disk ends only the part, and the next one begins when there is room.
  var waitsForRoom = false
  var civilTime = CivilTime.local
  var origin = OriginRequest()
  /// How much is kept in memory until SIGUSR1 asks for it. Nil if everything is recorded.
  var last: TimePosition?
  /// The skipped length at the beginning of the source.
  var leadIn = TimePosition.samples(0)
  /// Nil if everything is recorded.
  var trigger: TriggeredSink.Trigger?
  /// Nil if the source's liveness decides.
  var synchronization: FileSynchronization?
  /// Nil if it records at all times.
  var schedule: RecordingSchedule?
}

extension RecordingRequest {
  /// Whether pieces are found without files for them.
  var hasFoundPieces: Bool {
    (cuts != nil || limits.contains(.event)) && limits.allSatisfy { $0 == .event }
  }
}

/// The options of commands that record one stream.
struct RecordingOptions {
  @Option(
    "split", .splitPoint, default: "one file", group: .recording,
    help: """
      Begin a new file after so much time (60, 1:00:00), at a quiet place (30,quiet=5), overlapping (30,overlap=2), by \
      the clock (hour, day, 15min), before a size (2GiB), with each event of --threshold (event), on SIGUSR1 (signal), \
      at marks or chapters (marks), or for each channel (channels); repeatable. The name is a pattern: part-%03d.wav, \
      %F/%H.wav (see 'rawaudio help pieces').
      """)
  var splits: [SplitPoint]
  @Flag(
    "utc", group: .recording,
    help:
      "Take the times of names, --start @ and --split in UTC, not in local time (or that of TZ).")
  var isUTC: Bool
  @Option(
    "keep", .keptParts, default: "everything", group: .recording,
    help: """
      Remove the oldest parts, also of earlier runs: those that ended so long ago (30d, 12h), those beyond so much \
      (500GiB), or while the disk has less room (free=10GB); repeatable. Only files named by the pattern, never the last.
      """)
  var kept: [KeptParts]
  @Option(
    "threshold", .triggerSound, default: "record everything", group: .recording,
    help: """
      Record only around samples that reach this level in dBFS, or around speech: voice, voice=0.4.
      """)
  var threshold: TriggeredSink.Trigger.Sound?
  @Option(
    "trigger-band", .frequencyBand, default: "all", group: .recording,
    help:
      "Frequencies that count for --threshold, in hertz: 15000-, 300-3000 or -500.")
  var triggerBand: FrequencyBand?
  @Option(
    "pre-roll", .time, default: "0.5", group: .recording,
    help: "How much to record before the first sample that reaches --threshold.")
  var preRoll: TimePosition?
  @Option(
    "hold", .time, default: "2", group: .recording,
    help: "How much to record after the last one.")
  var hold: TimePosition?
  @Option(
    "min-length", .time, default: "0", group: .recording,
    help: "Leave out shorter sounds.")
  var leastLength: TimePosition?
  @Option(
    "join", .time, default: "--hold", group: .recording,
    help: "Take sounds as one if the pause between them is no longer than this.")
  var longestPause: TimePosition?
  @Option(
    "last", .length, group: .recording,
    help: "Keep only so much, in memory, and write it on SIGUSR1, each time into a new file.")
  var last: TimePosition?
  @Option(
    "labels", .labelPath, group: .recording, givenOnce: true,
    help: "Write a table of the parts or events: .csv, .tsv, .jsonl, or .txt for Audacity.")
  var labels: LabelPath?
  @Option(
    "sync", .choice(name: "when"),
    default: "always for a live recording, else never", group: .recording,
    help: """
      When to force the file onto the disk, safe from a power cut: never, at its end, or always: also twice a second.
      """)
  var synchronization: SynchronizationKind?

  /// Sets the recording of each output that is a file. A pattern names parts, and each run goes on behind the last one.
  ///
  /// - Parameters:
  ///   - outputs: the outputs by place.
  ///   - options: the options that name the outputs.
  ///   - liveness: the liveness of the sources.
  func apply(
    to outputs: inout [SinkPlace: OutputPlan], namedBy options: [(SinkPlace, Declaration)],
    liveness: Liveness
  ) throws(UsageError) {
    var patterns: Set<String> = []
    for (place, option) in options {
      guard let output = outputs[place], let path = output.sink.ownPath else { continue }
      var recording = try request(
        to: output.sink, namedBy: option, liveness: liveness, goesOn: true)
      recording.goesOn = recording.names != nil
      outputs[place]?.recording = recording
      if output.sink.partNames(in: .utc) != nil, !patterns.insert(path).inserted {
        throw UsageError(
          invalid: path, for: option, because: "another output has the same names")
      }
    }
    guard let asked = [$splits, $kept, $threshold].first(where: \.isGiven),
      !outputs.values.contains(where: {
        $0.recording.names != nil || $0.recording.trigger != nil || $0.recording.splitsChannels
      })
    else { return }
    throw UsageError(asked, needsFilesNamedBy: options.map(\.1))
  }

  /// The zone of all times of day.
  var civilTime: CivilTime { isUTC ? .utc : .local }

  /// The points at which parts end.
  private var partEnds: [SplitPoint] { splits.filter { $0 != .channels } }

  /// Whether files are cut at their marks or chapters.
  var cutsAtMarks: Bool { splits.contains(.marks) }

  /// The naming of outputs, of which parts are the files.
  ///
  /// - Parameters:
  ///   - liveness: the liveness of the sources.
  ///   - goesOn: whether a pattern names parts of a source that is not live, too.
  func naming(liveness: Liveness, goesOn: Bool = false) -> OutputNaming {
    var naming = OutputNaming(liveness: liveness)
    if goesOn { naming.parts = .ofPattern }
    if partEnds.contains(where: { $0 != .marks }) || !kept.isEmpty || last != nil {
      naming.parts = .always
    }
    if splits.contains(.channels) { naming.later = ChannelNames.fields }
    naming.civilTime = civilTime
    return naming
  }

  /// - Parameters:
  ///   - sink: the output of the stream.
  ///   - option: the option that names it.
  ///   - liveness: the liveness of the sources.
  ///   - goesOn: whether a pattern names parts of a source that is not live, too.
  ///   - readsTimes: whether times of day say which part of a source is wanted.
  func request(
    to sink: SinkEndpoint, namedBy option: Declaration, liveness: Liveness, goesOn: Bool = false,
    readsTimes: Bool = false
  ) throws(UsageError) -> RecordingRequest {
    guard !cutsAtMarks else {
      throw UsageError("'\($splits.word) marks' is for 'convert' of files, whose marks are known")
    }
    var request = RecordingRequest()
    request.synchronization = synchronization?.synchronization
    request.trigger = try trigger()
    if request.trigger != nil, sink.isLive {
      throw UsageError("'\($threshold.label)' needs a file: a device plays all it is given")
    }
    request.civilTime = civilTime
    try takeSplits(into: &request)
    if request.limits.contains(.event), request.trigger == nil {
      throw UsageError("'\($splits.word) event' needs '\($threshold.label)'")
    }
    request.labels = labels
    if labels != nil, partEnds.isEmpty, request.trigger == nil {
      throw UsageError($labels, needs: [$splits, $threshold])
    }
    request.retention = try retention(liveness: liveness)
    if splits.contains(.channels) {
      request.splitsChannels = true
      try checkChannels(of: sink, namedBy: option)
    }
    if let last {
      try checkLast(of: sink, liveness)
      request.last = last
      request.limits = [.event]
      request.names = try names(sink.ownPath ?? "", for: option)
      return request
    }
    if partEnds.isEmpty, request.retention == nil {
      // A recording states its time. A file keeps the times of its source.
      let isPattern = sink.partNames(in: .utc) != nil
      if isUTC, !readsTimes, liveness == .none, !goesOn || !isPattern, splits.isEmpty {
        throw UsageError($isUTC, needs: [$splits])
      }
      // A pattern splits a device's recording even without `--split`. This refuses `%d` meant as a number.
      if let path = sink.ownPath, goesOn || liveness == .live, PartNames.takesDayForNumber(path) {
        _ = try names(path, for: option)
      }
      if goesOn { request.names = sink.partNames(in: request.civilTime) }
      return request
    }
    guard let path = sink.ownPath else {
      if sink.discards, request.retention == nil, request.hasFoundPieces { return request }
      throw UsageError(splits.isEmpty ? $kept : $splits, needsFilesNamedBy: [option])
    }
    request.names = try names(path, for: option)
    return request
  }

  private func takeSplits(into request: inout RecordingRequest) throws(UsageError) {
    for split in splits {
      switch split {
      case .limit(let limit):
        // Parts of two lengths would be slivers. As of any option, the later value counts.
        request.limits.removeAll { $0.kind == limit.kind }
        request.limits.append(limit)
      case .cuts(let cuts):
        if request.cuts != nil {
          throw UsageError(
            "'\($splits.word)' has a length with quiet or overlap twice; one is enough")
        }
        request.cuts = cuts
      case .signal, .marks, .channels: break
      }
    }
  }

  /// - Throws: if the last samples cannot be kept, or something else says which samples to record.
  private func checkLast(of sink: SinkEndpoint, _ liveness: Liveness) throws(UsageError) {
    if liveness == .none {
      throw UsageError(
        "'\($last.label)' is for recordings: it needs a device or a pipe as a source")
    }
    if sink.ownPath == nil { throw UsageError("'\($last.label)' needs an output that is a file") }
    if threshold != nil || !partEnds.isEmpty {
      throw UsageError(
        "'\($last.label)' does not go with '\((threshold == nil ? $splits : $threshold).label)'")
    }
  }

  /// - Throws: if the files of all channels would have one name, or parts are to be removed.
  private func checkChannels(
    of sink: SinkEndpoint, namedBy option: Declaration
  ) throws(UsageError) {
    guard let path = sink.ownPath, ChannelNames.areIn(path) else {
      throw UsageError(
        "'\($splits.word) channels' gives each channel a file; '\(option.label)' names them with {channel} or {track},"
          + " as in take-{channel}.wav")
    }
    if $kept.isGiven {
      throw UsageError("'\($kept.label)' does not go with '\($splits.word) channels'")
    }
  }

  private func retention(liveness: Liveness) throws(UsageError) -> PartRetention? {
    if kept.isEmpty { return nil }
    guard liveness != .none else {
      throw UsageError(
        "'\($kept.label)' is for recordings: it needs a device or a pipe as a source")
    }
    // The stricter limit wins.
    var retention = PartRetention()
    for value in kept {
      switch value {
      case .age(let age): retention.age = min(age, retention.age ?? age)
      case .size(let size): retention.size = min(size, retention.size ?? size)
      case .free(let size): retention.free = max(size, retention.free ?? size)
      }
    }
    return retention
  }

  private func names(_ path: String, for option: Declaration) throws(UsageError) -> PartNames {
    do throws(AudioError) {
      return try PartNames(path, in: civilTime, keepsFields: true)
    } catch {
      throw UsageError(invalid: path, for: option, because: error.reasonAndAdvice)
    }
  }

  private func trigger() throws(UsageError) -> TriggeredSink.Trigger? {
    guard let threshold else {
      guard
        let stray = [$preRoll, $hold, $leastLength, $longestPause, $triggerBand].first(
          where: \.isGiven)
      else { return nil }
      throw UsageError(stray, needs: [$threshold])
    }
    var trigger = TriggeredSink.Trigger(threshold)
    if let triggerBand {
      guard case .level(let level, in: _) = threshold else {
        throw UsageError("'\($triggerBand.label)' needs a level as '\($threshold.word)'")
      }
      trigger.sound = .level(level, in: triggerBand)
    }
    if let preRoll { trigger.preRoll = preRoll }
    if let hold { trigger.hold = hold }
    if let leastLength { trigger.leastLength = leastLength }
    if let longestPause { trigger.longestPause = longestPause }
    return trigger
  }
}

extension SplittingSink.Limit {
  fileprivate enum Kind {
    case time
    case size
    case event
    case positions
  }

  /// Of two values of one kind the later counts.
  fileprivate var kind: Kind {
    switch self {
    case .duration, .clock: .time
    case .fileSize: .size
    case .event: .event
    case .positions: .positions
    }
  }
}

extension UsageError {
  init(_ option: Declaration, needsFilesNamedBy outputs: [Declaration]) {
    let labels = outputs.map { "'\($0.label)'" }.joinedAsAlternatives
    self.init(
      "'\(option.label)' needs files: name them with \(labels), for example take-%03d.wav")
  }
}
