// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// `rawaudio convert` of many files: each to its own output, as if converted alone.
///
/// Main thread only. The conversions themselves run on the workers' threads.
final class ListConversion {
  private struct Job: Sendable {
    let file: ListedFile
    /// The path of its output. Nil if it writes none.
    let output: String?
  }

  private typealias Crew = Workers<Job, ItemResult?>

  private let command: ConvertCommand
  private let request: WorkListRequest
  private let names: OutputListRequest.Names
  private let outputGuard: OutputGuard
  private let control: SessionControl
  private let console: Console
  private let list: WorkList
  /// The files that are read. Nil if no output replaces a file.
  private let sources: ListedSources?
  private let results: ResultLines?
  private let workers: Crew
  private var progress: ListProgress
  private var counts = ListCounts()
  private var conditions: Set<FailureCondition> = []

  /// Converts all items.
  ///
  /// - Throws: if the list cannot be read, or the results cannot be written.
  static func run(
    _ command: ConvertCommand, _ request: WorkListRequest, _ outputs: OutputListRequest,
    on console: Console
  ) throws -> ExitCode {
    var album: AlbumFacts?
    if command.edits.loudness?.isAlbum == true {
      switch try AlbumMeasuring(command: command, console: console).run(request) {
      case .facts(let facts): album = facts
      case .interrupted(let code): return code
      }
    }
    let control = SessionControl()
    let interruption = Interruption.handling(control, requesting: .finish)
    let conversion = try ListConversion(command, request, outputs, album, until: control, console)
    do {
      try conversion.run()
    } catch {
      conversion.abandon()
      throw error
    }
    return conversion.tellEnd(interruption.exitCode)
  }

  private init(
    _ command: ConvertCommand, _ request: WorkListRequest, _ outputs: OutputListRequest,
    _ album: AlbumFacts?, until control: SessionControl, _ console: Console
  ) throws(AudioError) {
    (self.command, self.request, self.control, self.console) = (command, request, control, console)
    names = outputs.names
    let (outputGuard, verbosity) = (OutputGuard(outputs.existing), console.verbosity)
    self.outputGuard = outputGuard
    list = try WorkList(request)
    results = try request.openResults()
    if outputs.existing == .replace {
      let shared =
        command.observation.observers.flatMap { $0.kind.filesRead }
        + [command.output.metadata.tagsFrom?.path].compactMap(\.self)
      try list.makeRepeatable(until: control)
      sources = try ListedSources(of: list, and: shared, until: control)
    } else {
      sources = nil
    }
    let filterCache = ResamplerFilterCache()
    workers = Crew(request.jobs, isLive: { $0.file.isLive }) { job, surroundings in
      Self.convert(
        job, by: command, album, outputGuard, filterCache, surroundings,
        digestsSamples: request.results != nil, verbosity)
    }
    let total = console.showsStatus ? list.countItems() : nil
    progress = ListProgress("converting", total: total, on: console)
  }

  private func run() throws {
    while !list.isOver || workers.pending > 0 {
      if control.request != .none { return abandon() }
      progress.update(counts)
      try workers.turn(list, begin: begin) { job, result in
        if let result { try deliver(result, of: .file(job.file)) }
      }
    }
    workers.end()
  }

  /// Abandons the running work, which leaves nothing behind, but completes live input, which cannot be read again.
  private func abandon() {
    workers.abandon(heeding: control) { job, result in
      if let result { try? deliver(result, of: .file(job.file)) }
    }
    workers.end()
  }

  private func begin(_ item: WorkList.Item) throws {
    switch item {
    case .malformed(let error, _): try deliver(ItemResult(status: .failed(error)), of: item)
    case .file(let file):
      let output: String?
      let isSkipped: Bool
      do throws(AudioError) {
        (output, isSkipped) = try plan(file)
      } catch {
        return try deliver(ItemResult(status: .failed(error)), of: item)
      }
      if isSkipped { return try deliver(ItemResult(status: .skipped, output: output), of: item) }
      try workers.give(Job(file: file, output: output))
    }
  }

  /// Returns the output's path, and whether its source is skipped because it exists.
  private func plan(_ file: ListedFile) throws(AudioError) -> (output: String?, isSkipped: Bool) {
    guard let output = try names.output(of: file) else { return (nil, false) }
    if case .skip = try outputGuard.decide(on: output) { return (output, true) }
    try sources?.requireUnread(output, by: file)
    return (output, false)
  }

  /// Converts one file. Nil if it was abandoned. Called on the workers' threads.
  private static func convert(
    _ job: Job, by command: ConvertCommand, _ album: AlbumFacts?, _ outputGuard: OutputGuard,
    _ filterCache: ResamplerFilterCache, _ surroundings: Crew.Surroundings,
    digestsSamples: Bool, _ verbosity: Verbosity
  ) -> ItemResult? {
    var request = command.output
    var result = ItemResult(status: .done, output: job.output)
    let lines = CollectedLines()
    let console = Console(
      verbosity: verbosity, style: TerminalStyle(isColoured: false), errorIsTerminal: false,
      writeOutput: { lines.texts.append($0) }, writeError: { lines.texts.append($0) })
    do {
      if let output = job.output {
        // Another source may have taken this output in the meantime.
        guard case .write(let isReplacing) = try outputGuard.decide(on: output) else {
          result.status = .skipped
          return result
        }
        request.sink = .file(output)
        request.overwrites = isReplacing
        try makeFolders(for: output)
      }
      let session = try command.session(
        of: command.editedSource(
          .file(job.file.source), to: request, start: job.file.offset,
          duration: job.file.duration, workers: surroundings.workers,
          control: surroundings.control, album: album?.part(job.file)),
        to: request, on: console)
      session.session.resamplerFilterCache = filterCache
      session.outputs[.publish]?.setting.digestsSamples = digestsSamples
      let report = try session.run {
        session.describe($0)
      } onFailure: { error in
        session.observers.notes.forEach(console.note)
        return error
      }
      if report.outcome == .abandoned || report.sources.isEmpty { return nil }
      if let output = job.output { outputGuard.note(output) }
      let notes = RunNotes(of: session)
      notes.noteFaults(report)
      result.conditions = notes.conditions
      result.figures = figures(session, report)
    } catch let error as AudioError {
      result.status = .failed(error)
    } catch {
      result.status = .failed(
        AudioError(.invalidParameter, cannot: "convert", job.file.source, because: "\(error)"))
    }
    result.lines = lines.texts
    return result
  }

  private static func figures(
    _ command: CommandSession, _ report: SessionReport
  ) -> ItemResult.Figures? {
    guard let sink = report.sinks.first, let output = command.outputs[.publish] else { return nil }
    return ItemResult.Figures(
      format: sink.format, encoding: output.soundFileFormat?.encoding,
      samplesPerChannel: sink.samplesPerChannel, clippedSamples: output.clippedSamples,
      isTruncated: command.inputs.contains { $0.truncation != nil },
      isShort: command.inputs.contains { $0.shortage != nil }, digest: output.digest,
      decoder: command.inputs.lazy.compactMap(\.decoder).first,
      omissions: output.metadataOmissions)
  }

  private func deliver(_ result: ItemResult, of item: WorkList.Item) throws {
    var result = result
    if let failure = result.failure {
      let error = failure.advised(forOptions: ConvertCommand.declarations)
      result.status = .failed(error)
      console.error(error)
    }
    if !result.lines.isEmpty { console.pass(result.lines.joined()) }
    counts.add(result)
    conditions.formUnion(result.conditions)
    try results?.write(result.json(of: item), on: console)
    if !list.isOver || workers.pending > 0 {
      try counts.requireFewerFailures(than: request.mostFailures)
    }
  }

  private func tellEnd(_ interruption: ExitCode?) -> ExitCode {
    console.eraseStatus()
    if counts.failed + counts.skipped > 0 || interruption != nil {
      console.note(counts.line)
    } else {
      console.detail(counts.line)
    }
    if let interruption { return interruption }
    if counts.failed > 0 { return .failure }
    let failures = command.processing.failureConditions
    return conditions.isDisjoint(with: failures) ? .success : .strict
  }
}

/// The printed lines of an item, collected because other items print concurrently.
private final class CollectedLines {
  var texts: [String] = []
}

extension OutputListRequest.Names {
  /// - Returns: the output's path. Nil if no file is written.
  fileprivate func output(of file: ListedFile) throws(AudioError) -> String? {
    switch self {
    case .sink(.file(let path)): path
    case .sink: nil
    case .pattern(let pattern, let shared): try file.output(by: pattern, below: shared)
    case .list: try file.output(by: nil)
    }
  }
}
