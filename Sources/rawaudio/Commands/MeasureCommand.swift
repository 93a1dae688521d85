// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// `rawaudio measure`: loudness, levels and faults of files.
struct MeasureCommand: Command {
  @Argument(
    .path(name: "file"), isRequired: false, help: "The files to measure, or folders with them.")
  var files: [String]
  @Option(
    "expect", .expectation,
    help: """
      Condition on every file: a measure, one of = < > <= >= and a value, as in loudness=-23±0.5, \
      true-peak<=-1 or silence<2s (repeatable).
      """)
  var expectations: [Expectation]
  @Option(
    "levels", .soundLevels,
    help: """
      Measure sound levels and third octaves, too, with weighting A, C or Z; behind commas calibration=94@-26 and \
      every=TIME (see docs/levels.md).
      """)
  var levels: SoundLevelRequest?
  @Flag("voice", help: "Measure how long people speak, too.")
  var measuresSpeech: Bool
  var report = ReportOptions()
  var listing = WorkListOptions()
  var track = TrackOptions()
  var inputs = InputOptions()

  private(set) var list = WorkListRequest(origin: .arguments([]), jobs: 1)
  private(set) var input = InputDescription()

  static let name = "measure"
  static let usual =
    "expect levels voice json json-lines list jobs results decoder quiet"
  static let abstract = "Measure loudness, true peak, levels and faults of files."
  static let discussion = """
    Loudness by ITU-R BS.1770-4 and EBU R 128. Exits with 2 if something is not as --expect says, with 1 if a \
    file is missing or is no audio; the others are measured. Measures: \
    \(Measure.allCases.map(\.rawValue).joinedAsList).
    """

  static let examples = [
    Example("For people:", "rawaudio measure take.wav"),
    Example(
      "Any number of files, which have to be as loud as a broadcaster wants them:",
      "rawaudio measure --expect loudness=-23±0.5 ./*.wav"),
    Example("For another program:", "rawaudio measure --json-lines --jobs 4 ./*.wav"),
  ]

  mutating func validate(in context: InvocationContext) throws(UsageError) {
    input = try inputs.description(track)
    list = try listing.request(paths: files, expecting: $files, of: input.container)
  }

  func run(on console: Console) throws -> ExitCode {
    if case .arguments(let paths) = list.origin, paths.contains("-") {
      SourceEndpoint.standardInput.tellWaiting(on: console)
    }
    list.folders?.tell(on: console)
    let control = SessionControl()
    let interruption = Interruption.handling(control, requesting: .finish)
    let input = input
    let (expectations, levels) = (expectations, levels)
    let voice = measuresSpeech ? try VoiceModel() : nil
    let work = try OrderedWork<MeasuredFile>(
      list, malformed: { MeasuredFile(path: $1.source, id: $1.id, outcome: .failure($0)) }
    ) { file, surroundings in
      Self.measure(file, input, levels, voice, expectations, surroundings)
    }
    let total = console.showsStatus ? work.countItems() : nil
    var page = MeasurePage(
      page: ReportPage(report.style, on: console),
      hasPages: list.isSingle || levels != nil || voice != nil,
      results: try list.openResults(), console: console)
    var progress = ListProgress("measuring", total: total, on: console)
    let isDone = try work.run(until: control) {
      progress.update(page.counts)
    } deliver: { measured in
      try page.add(measured)
      if work.isUnfinished { try page.counts.requireFewerFailures(than: list.mostFailures) }
    }
    guard isDone else {
      page.tellRest()
      return interruption.exitCode ?? .failure
    }
    return try page.end()
  }

  /// Measures one file. Nil if it was abandoned. Called on the workers' threads.
  private static func measure(
    _ file: ListedFile, _ description: InputDescription, _ levels: SoundLevelRequest?,
    _ voice: VoiceModel?, _ expectations: [Expectation],
    _ surroundings: OrderedWork<MeasuredFile>.Crew.Surroundings
  ) -> MeasuredFile? {
    var measured = MeasuredFile(
      path: file.source, id: file.id,
      outcome: .failure(AudioError(.unavailable, cannot: "measure", file.source, because: "")))
    do throws(AudioError) {
      let input = try file.endpoint.input(description, workers: surroundings.workers)
        .cut(
          .init(
            start: file.offset.map { .fromStart($0) }, end: file.end.map { .fromStart($0) },
            duration: file.end == nil ? file.duration : nil))
      let session = Session(control: surroundings.control)
      session.workers = surroundings.workers
      let source = input.source
      let sink = SoundMeterSink { (try? source.metadata())?.channelLayout }
      try session.setLocal(source)
      try session.setSink(sink, at: .publish)
      let reports = levels.map { LevelReports($0) }
      try reports?.register(on: session)
      let speech = voice.map { SpeechReports($0) }
      try speech?.register(on: session)
      let report = try session.run()
      let isKept = report.outcome == .finished || report.outcome == .stopped && file.isLive
      guard isKept, let sound = sink.measurement else { return nil }
      if report.outcome == .stopped {
        measured.notes.append(
          "'\(input.name)' was ended by a signal after \(sound.samplesPerChannel) samples per"
            + " channel")
      }
      measured.outcome = .success(sound)
      measured.levels = reports?.levels
      measured.speech = speech?.speech(of: sound)
      let isSilent = sound.samplePeak == nil && sound.notFiniteSamples == 0
      measured.unmet = expectations.filter {
        !$0.isMet(by: $0.measure.value(in: sound), isSilent: isSilent)
      }
      measured.notes +=
        input.readingNotes + input.headerNotes + (input.remainderNote.map { [$0] } ?? [])
      if report.outcome == .finished, let shortage = input.shortage {
        measured.notes.append(shortage)
      }
      if sound.notFiniteSamples > 0 {
        measured.notes.append(
          "'\(input.name)' holds \(sound.notFiniteSamples.samplesNotFinite), and so has no level")
      }
      if let truncation = input.truncation {
        measured.notes.append(
          "'\(input.name)' is truncated: it ends after \(truncation.actualSamplesPerChannel) samples per channel"
        )
      }
    } catch {
      if surroundings.control.request == .abandon { return nil }
      measured.outcome = .failure(error.advisingSpoolLimit)
    }
    return measured
  }
}

extension WorkListRequest {
  /// Whether it is a single file given as an argument.
  fileprivate var isSingle: Bool {
    if case .arguments(let paths) = origin { paths.count == 1 } else { false }
  }
}

/// The output of `measure`, in the order of the list.
private struct MeasurePage {
  var page: ReportPage
  /// Whether each file has a page of its own.
  let hasPages: Bool
  let results: ResultLines?
  let console: Console
  var hasUnmet = false
  var counts = ListCounts()
  private var notes = FoldedNotes()

  init(page: ReportPage, hasPages: Bool, results: ResultLines?, console: Console) {
    (self.page, self.hasPages, self.results, self.console) = (page, hasPages, results, console)
  }

  mutating func add(_ measured: MeasuredFile) throws {
    var result = ItemResult(status: .done)
    let names = measured.path.map { [$0] } ?? []
    if case .failure(let error) = measured.outcome {
      notes.tell(
        error.advisingDownload([MeasureCommand.name, error.subject]), of: names, on: console)
      result.status = .failed(error)
    }
    if let sound = measured.sound {
      result.figures = ItemResult.Figures(
        format: sound.format, encoding: nil, samplesPerChannel: sound.samplesPerChannel,
        clippedSamples: 0, isTruncated: false, digest: nil)
    }
    counts.add(result)
    let told = console.verbosity == .quiet ? [] : measured.notes
    notes.take(told, of: names, for: console.verbosity).forEach(console.note)
    try page.add(measured.json) { [hasPages] isFirst in
      guard let path = measured.path, let sound = measured.sound else { return nil }
      if hasPages { return MeasureTable.page(path, sound, measured) }
      return (isFirst ? MeasureTable.heading : "") + MeasureTable.row(path, sound)
    }
    measured.complaints.forEach(console.result)
    if !measured.unmet.isEmpty { hasUnmet = true }
    try results?.write(measured.json, on: console)
  }

  /// Tells the number of notes that were not printed.
  func tellRest() {
    console.eraseStatus()
    notes.counted.forEach(console.result)
  }

  func end() throws -> ExitCode {
    tellRest()
    try page.end()
    return counts.failed > 0 ? .failure : hasUnmet ? .strict : .success
  }
}

/// The text output of `measure`: a page for one file, a row each for many.
private struct MeasureTable {
  private static let columns: [(measure: Measure, heading: String, width: Int)] = [
    (.loudness, "loudness", 9), (.loudnessRange, "range", 6), (.maxMomentary, "momentary", 10),
    (.maxShortTerm, "short-term", 11), (.truePeak, "true peak", 10), (.samplePeak, "peak", 7),
    (.rms, "RMS", 7), (.crestFactor, "crest", 6), (.clippedRuns, "clipped", 8),
  ]

  /// The two lines above the rows: names and units.
  static var heading: String {
    let names = columns.map { $0.heading.right($0.width) }.joined()
    let units = columns.map { column in
      let unit = column.measure == .clippedRuns ? "runs" : column.measure.unit
      return unit.right(column.width)
    }
    return "\(names)  file\n\(units.joined())\n"
  }

  static func row(_ path: String, _ sound: SoundMeasurement) -> String {
    let cells = columns.map { column in
      cell(column.measure.value(in: sound), column.measure).right(column.width)
    }
    return "\(cells.joined())  \(path.printable)\n"
  }

  static func page(
    _ path: String, _ sound: SoundMeasurement, _ measured: MeasuredFile
  ) -> String {
    var page = "\(path.printable)\n"
    for measure in Measure.allCases {
      let value = cell(measure.value(in: sound), measure)
      page += "  \(measure.heading.left(28))\(value.right(12))\n"
    }
    let channels = sound.channels
    page += "  \("channel".left(28))"
    page += channels.indices.map { "\($0 + 1)".right(12) }.joined() + "\n"
    func add(_ measure: Measure, _ value: (SoundMeasurement.Channel) -> Double?) {
      page += "  \(measure.heading.left(28))"
      page += channels.map { cell(value($0), measure).right(12) }.joined() + "\n"
    }
    add(.truePeak, \.truePeak)
    add(.samplePeak, \.samplePeak)
    add(.rms, \.rms)
    add(.crestFactor, \.crestFactor)
    add(.clippedRuns) { Double($0.clippedRuns) }
    add(.offset, \.dcOffset)
    add(.bits) { $0.effectiveBits.map(Double.init) }
    add(.bandwidth, \.bandwidth)
    add(.notFinite) { Double($0.notFiniteSamples) }
    for (index, channel) in channels.enumerated() {
      if channel.isDead { page += "  channel \(index + 1) is dead\n" }
      if let twin = channel.identicalChannel {
        page += "  channel \(index + 1) is identical to channel \(twin + 1)\n"
      }
    }
    for (name, values) in (measured.levels?.rows ?? []) + (measured.speech?.rows ?? []) {
      page += "  \(name.left(28))" + values.map { $0.right(12) }.joined() + "\n"
    }
    return page
  }

  private static func cell(_ value: Double?, _ measure: Measure) -> String {
    value.map { measure.text($0) } ?? "-"
  }
}

extension Measure {
  /// Its name with its unit.
  fileprivate var heading: String {
    let name = String(rawValue.map { $0 == "-" ? " " : $0 })
    return unit.isEmpty ? name : "\(name) (\(unit))"
  }
}

extension String {
  fileprivate func right(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  fileprivate func left(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
