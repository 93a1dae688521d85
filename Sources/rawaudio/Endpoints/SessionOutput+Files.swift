// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// Makes the files of an output: one, one for each part, one for each channel, or both.
extension SessionOutput {
  /// Makes the file of a path; of a file of one channel also from the channel's number, from 0.
  typealias FileMaker = (_ path: String, _ channel: Int) -> SoundFileSink

  /// One file, or the parts of one stream.
  private struct Written {
    var sink: any AudioSink
    var account: any SinkAccount
    /// Nil for one file.
    var parts: SplittingSink?
  }

  /// The parts of all channels, which end together.
  private final class PartsOfChannels {
    var all: [SplittingSink] = []

    func end() throws(AudioError) { for parts in all { try parts.endPart() } }

    func end(repeating overlap: Int64) throws(AudioError) {
      for parts in all { try parts.endPart(repeating: overlap) }
    }
  }

  /// The sink for a file or standard output: in parts and with a trigger if the line asks for them, and written in the
  /// background if it is a recording.
  ///
  /// - Parameter beginning: when the source was recorded, if that is known; in nanoseconds since 1970.
  func recorder(
    _ path: String, _ format: FileFormat, _ carried: CarriedMetadata, beganAt beginning: Int64?,
    _ makeFile: @escaping FileMaker
  ) throws(AudioError) -> Made {
    let parts = PartsOfChannels()
    var endPart = { () throws(AudioError) in try parts.end() }
    let clock = try request.recording.names == nil ? nil : partClock(beganAt: beginning)
    var sink: any AudioSink
    let account: any SinkAccount
    if request.recording.splitsChannels {
      let channels = ChannelAccounts()
      sink = channelFiles(path, format, carried, clock, parts, channels, makeFile)
      account = channels
    } else {
      let written = written(
        path, request.recording.names, carried, clock,
        request.recording.last == nil ? splitControl : SplittingSink.Control()
      ) { makeFile($0, 0) }
      (sink, account) = (written.sink, written.account)
      parts.all = written.parts.map { [$0] } ?? []
    }
    if let last = request.recording.last {
      sink = LastSamplesSink(sink, last, control: splitControl)
      return (try inBackground(watched(triggered(sink))), account)
    }
    if request.recording.names == nil {
      sink = awaiting(sink)
    } else {
      if let cuts = request.recording.cuts {
        let cutting = CuttingSink(
          sink, cuts, onCut: { (overlap) throws(AudioError) in try parts.end(repeating: overlap) })
        sink = cutting
        endPart = { () throws(AudioError) in
          try cutting.endPart()
          try parts.end()
        }
      }
      if setting.liveness == .live, request.recording.trigger == nil {
        sink = SkippingSink(awaiting(sink), gaps, onBreak: endPart)
      }
    }
    sink = scheduled(watched(triggered(sink)), clock, onBreak: endPart)
    return (try inBackground(sink), account)
  }

  /// The sink behind the windows in which to record, if there are any.
  private func scheduled(
    _ sink: any AudioSink, _ clock: RecordingClock?,
    onBreak: @escaping () throws(AudioError) -> Void
  ) -> any AudioSink {
    guard let schedule = request.recording.schedule, let clock else { return sink }
    return ScheduledSink(
      sink, schedule, by: clock, leadIn: request.recording.leadIn, onBreak: onBreak
    ) { [journal] change in journal.record(change) }
  }

  /// The sink behind the wait for a first sample, where a live source may be away, or none is there yet. A pipe gets the
  /// silence meanwhile.
  func awaiting(_ sink: any AudioSink) -> any AudioSink {
    guard setting.liveness == .live, request.recording.trigger == nil,
      case .file(let path) = request.sink, isRegularFile(path) ?? true
    else { return sink }
    return AwaitedSink(sink, sources, leavesOut: request.recording.names != nil)
  }

  /// The sink for one stream.
  ///
  /// - Parameter names: of its parts; nil for one file.
  private func written(
    _ path: String, _ names: PartNames?, _ carried: CarriedMetadata, _ clock: RecordingClock?,
    _ control: SplittingSink.Control, _ makeFile: @escaping (String) -> SoundFileSink
  ) -> Written {
    let (journal, time) = (journal, self.clock)
    guard let names else {
      let whole = makeFile(path)
      whole.metadata = carried.metadata
      let isNoted = request.sink.partFolder != nil || request.recording.splitsChannels
      guard isNoted else { return Written(sink: whole, account: whole) }
      let noting = CompletedSink(whole) { [unowned self] length in
        journal.record(wholeOf: path, samplesPerChannel: length, at: time.time(of: 0, at: 1))
        if request.recording.splitsChannels {
          tell(OutputPiece(wholeOf: path, samplesPerChannel: length, whole))
        }
      }
      return Written(sink: noting, account: whole)
    }
    let splitting = SplittingSink(
      names, limits: request.recording.limits, leadIn: request.recording.leadIn,
      control: control, making: makeFile
    ) { [unowned self] part in
      journal.record(part)
      tell(OutputPiece(part))
    }
    splitting.metadataOfPart = { [unowned splitting] position, format in
      carried.ofPart(
        from: position, within: splitting.lengthOfPart, at: splitting.partTime, in: format)
    }
    splitting.clock = clock
    splitting.opensLate = request.recording.schedule != nil
    splitting.goesOn = (setting.isRecording || request.recording.goesOn) && !request.overwrites
    if goesByClock || names.haveTimes { splitting.onClockStep = { journal.record($0) } }
    splitting.retention = request.recording.retention
    if let partWork {
      partWork.expect(names, synchronizing: splitting.isSynchronizing)
      splitting.sparesPart = { partWork.needs($0) }
      splitting.onBegin = { part in
        journal.describe(part).map { partWork.begin($0, of: names) }
      }
    }
    splitting.waitsForRoom = request.recording.waitsForRoom
    splitting.onFullDisk = { journal.record($0) }
    splitting.onRemoval = { journal.record($0) }
    return Written(sink: splitting, account: splitting, parts: splitting)
  }

  /// The sink for a file of each channel, or the parts of each channel.
  private func channelFiles(
    _ path: String, _ format: FileFormat, _ carried: CarriedMetadata, _ clock: RecordingClock?,
    _ parts: PartsOfChannels, _ accounts: ChannelAccounts, _ makeFile: @escaping FileMaker
  ) -> any AudioSink {
    var common = clock
    var refresh: () -> Void = {}
    // All channels of a part begin at one time.
    if case .live(_, let lead)? = clock { (common, refresh) = RecordingClock.shared(lead: lead) }
    let sink = ChannelFilesSink(
      format.encoding.precision, channelCount: request.channelCount
    ) { [unowned self] (count) throws(AudioError) in
      let names = ChannelNames(
        given: carried.metadata?.trackNames(of: count)
          ?? Array(repeating: nil, count: count), layout: carried.metadata?.channelLayout)
      let hasParts = request.recording.names != nil
      let all = try (0..<count).map { (channel) throws(AudioError) in
        let own = try names.path(path, channel: channel, namesParts: hasParts)
        let parts = hasParts ? try PartNames(own, in: request.recording.civilTime) : nil
        try makeFolders(for: parts?.folder ?? own)
        return written(
          own, parts,
          carried.ofChannel(channel, of: count), common, SplittingSink.Control()
        ) { makeFile($0, channel) }
      }
      accounts.channels = all.map(\.account)
      parts.all = all.compactMap(\.parts)
      return all.map(\.sink)
    }
    sink.onWrite = refresh
    if request.recording.names != nil, request.recording.last == nil {
      sink.parts = (splitControl, { () throws(AudioError) in try parts.end() })
    }
    return sink
  }
}
