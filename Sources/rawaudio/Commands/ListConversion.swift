// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// `rawaudio convert` of many files: each to its own output, as if converted alone.
struct ListConversion {
  let command: ConvertCommand
  let outputs: OutputListRequest
  let console: Console

  func run(_ list: WorkListRequest) throws -> ExitCode {
    var album: AlbumFacts?
    if command.edits.loudness?.isAlbum == true {
      let measuring = AlbumMeasuring(command: command, console: console)
      switch try measuring.run(list) {
      case .facts(let facts): album = facts
      case .interrupted(let code): return code
      }
    }
    let outputGuard = OutputGuard(outputs.existing)
    let (command, names, verbosity) = (command, outputs.names, console.verbosity)
    let filterCache = ResamplerFilterCache()
    return try ListRunner(
      request: list, activity: "converting", console: console,
      failureConditions: command.processing.failureConditions,
      declarations: ConvertCommand.declarations,
      sharedFiles: outputs.existing == .replace ? command.sharedFiles : nil,
      plan: { (file, sources) throws(AudioError) in
        guard let output = try names.output(of: file) else {
          return .job(output: nil)
        }
        switch try outputGuard.decide(on: output) {
        case .skip: return .result(ItemResult(status: .skipped, output: output))
        case .write:
          try sources?.requireUnread(output, by: file)
          return .job(output: output)
        }
      },
      work: { [album] job, surroundings in
        Self.convert(
          job, by: command, album, outputGuard, filterCache, surroundings,
          digestsSamples: list.results != nil, verbosity)
      }
    ).run()
  }

  private static func convert(
    _ job: ListRunner.Job, by command: ConvertCommand, _ album: AlbumFacts?,
    _ outputGuard: OutputGuard,
    _ filterCache: ResamplerFilterCache, _ surroundings: ListRunner.Crew.Surroundings,
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
        from: .file(job.file.source), to: request, start: job.file.offset,
        duration: job.file.duration, workers: surroundings.workers,
        control: surroundings.control, album: album?.part(job.file), on: console)
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
}

extension ConvertCommand {
  /// The files read besides the source.
  fileprivate var sharedFiles: [String] {
    observation.observers.flatMap { $0.kind.filesRead }
      + [output.metadata.tagsFrom?.path].compactMap(\.self)
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
