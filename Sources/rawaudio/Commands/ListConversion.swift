// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// `rawaudio convert` of many files: each to its own output, as if converted alone.
///
/// Main thread only. The conversions themselves run on the workers' threads.
final class ListConversion {
  private typealias Crew = Workers<PieceJob, PieceJob.Outcome?>

  private let command: ConvertCommand
  private let request: WorkListRequest
  private let names: OutputListRequest.Names
  private let outputGuard: OutputGuard
  private let control: SessionControl
  private let list: WorkList
  /// The files that are read. Nil if no output replaces a file.
  private let sources: ListedSources?
  private let workers: Crew
  private let labels: LabelFile?
  /// The pieces of a table. Nil without one.
  private let rows: PieceJob.Rows?
  /// Pieces of one source, until another source comes.
  private var gathered: PieceJob?
  private let report: ListReport

  /// Converts all items.
  ///
  /// - Throws: if the list cannot be read, or the results cannot be written.
  static func run(
    _ command: ConvertCommand, _ request: WorkListRequest, _ outputs: OutputListRequest,
    on console: Console
  ) throws -> ExitCode {
    let request = try request.withPieces(
      for: outputs, command.output.metadata, command.input.decoder, on: console)
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
    self.command = command
    self.request = request
    self.control = control
    names = outputs.names
    let outputGuard = OutputGuard(outputs.existing)
    let verbosity = console.verbosity
    self.outputGuard = outputGuard
    list = try WorkList(request)
    if case .pieces(let pieces) = request.origin {
      rows = PieceJob.Rows(list: pieces) { [names = outputs.names] file in
        (try? Self.output(of: file, by: names, command)) ?? nil
      }
    } else {
      rows = nil
    }
    let labels = try command.output.recording.openLabels(outputs.existing)
    self.labels = labels
    if outputs.existing == .replace {
      let shared =
        command.observation.observers.flatMap { $0.kind.filesRead }
        + command.output.metadata.paths
      try list.makeRepeatable(until: control)
      sources = try ListedSources(of: list, and: shared, until: control)
    } else {
      sources = nil
    }
    let conversion = ItemConversion(
      command: command, album: album, outputGuard: outputGuard,
      generatesNames: outputs.names.areGenerated, labels: labels,
      digestsSamples: request.results != nil, verbosity: verbosity)
    workers = Crew(request.jobs, isLive: { $0.isLive }) { job, surroundings in
      job.run(of: command.input, surroundings) { piece, reading in
        conversion.convert(
          piece, from: reading, surroundings.workers, until: surroundings.control)
      }
    }
    report = try ListReport(
      request, "converting", total: console.showsStatus ? list.countItems() : nil,
      options: ConvertCommand.declarations, on: console)
  }

  private func run() throws {
    while !list.isOver || workers.pending > 0 {
      if control.request != nil { return abandon() }
      report.update()
      try workers.turn(list, begin: begin) { _, outcome in
        if let outcome { try deliver(outcome.result, of: .file(outcome.file)) }
      }
      if try list.isOver || !list.isReady() { try giveGathered() }
    }
    workers.end()
  }

  /// Abandons the running work, which leaves nothing behind, but completes live input, which cannot be read again.
  private func abandon() {
    workers.abandon(heeding: control) { _, outcome in
      if let outcome { try? deliver(outcome.result, of: .file(outcome.file)) }
    }
    workers.end()
  }

  private func begin(_ item: WorkList.Item) throws {
    switch item {
    case .malformed(let error, _, _): try deliver(ItemResult(status: .failed(error)), of: item)
    case .file(let file):
      if list.findsOutputs, outputGuard.wrote(file.source) { return }
      let output: String?
      let isSkipped: Bool
      do throws(AudioError) {
        (output, isSkipped) = try plan(file)
      } catch {
        return try deliver(ItemResult(status: .failed(error)), of: item)
      }
      if isSkipped { return try deliver(ItemResult(status: .skipped, output: output), of: item) }
      let piece = PieceJob.Piece(file: file, output: output)
      if gathered?.takes(file) == true {
        gathered?.add(piece)
      } else {
        try giveGathered()
        gathered = PieceJob(piece, of: rows)
      }
      if gathered?.isFull == true { try giveGathered() }
    }
  }

  /// Gives the gathered pieces to a worker.
  private func giveGathered() throws {
    guard let job = gathered else { return }
    gathered = nil
    try workers.give(job)
  }

  /// Returns the output's path, and whether its source is skipped because it exists.
  private func plan(_ file: ListedFile) throws(AudioError) -> (output: String?, isSkipped: Bool) {
    if rows != nil, isRegularFile(file.source) == false {
      throw AudioError(
        .unsupported, cannot: "cut pieces of", file.source, because: "it is no regular file",
        advice: "store it in one first")
    }
    guard let output = try Self.output(of: file, by: names, command) else { return (nil, false) }
    if command.splitsItems { return (output, false) }
    if case .skip = try outputGuard.decide(on: output) { return (output, true) }
    try sources?.requireUnread(output, by: file)
    return (output, false)
  }

  /// Returns the output's path. Nil if no file is written.
  private static func output(
    of file: ListedFile, by names: OutputListRequest.Names, _ command: ConvertCommand
  ) throws(AudioError) -> String? {
    let civilTime = command.output.recording.civilTime
    let edits = command.edits.limited(to: file, command.duration).edits
    return try names.output(
      of: file, namesParts: command.output.recording.names != nil, in: civilTime,
      at: { edits.beginning(of: file.source, command.input.decoder, in: civilTime) })
  }

  private func deliver(_ result: ItemResult, of item: WorkList.Item) throws {
    try report.deliver(result, of: item, isLast: list.isOver && workers.pending == 0)
  }

  private func tellEnd(_ interruption: ExitCode?) -> ExitCode {
    if report.counts.failed > 0 { labels?.removeIfEmpty() }
    return report.end(interruption, failingOn: command.processing.failureConditions)
  }
}

extension OutputListRequest.Names {
  /// Whether a pattern, a list or a table makes them.
  var areGenerated: Bool { if case .sink = self { false } else { true } }

  /// - Returns: the output's path. Nil if no file is written.
  func output(
    of file: ListedFile, namesParts: Bool, in civilTime: CivilTime, at time: () -> Int
  ) throws(AudioError) -> String? {
    switch self {
    case .sink(.file(let path)): path
    case .sink: nil
    case .pattern(let pattern, let shared):
      try Self.checked(
        try file.output(
          by: pattern, below: shared, namesParts: namesParts, in: civilTime, at: time),
        behind: file.output == nil ? pattern.names.fixedFolders : 0)
    case .list: try Self.checked(try file.output(by: nil), behind: 0)
    }
  }

  /// - Throws: if a folder behind the `fixed` ones, which the user has typed, is a link.
  private static func checked(
    _ output: String, behind fixed: Int
  ) throws(AudioError) -> String {
    for folder in OutputTarget.folders(of: output, behind: fixed) {
      guard try OutputTarget.requireOwnFolder(folder) else { break }
    }
    return output
  }
}

extension WorkListRequest {
  /// Finds the pieces, if there are any.
  fileprivate func withPieces(
    for outputs: OutputListRequest, _ tags: MetadataRequest, _ decoder: FileDecoder?,
    on console: Console
  ) throws -> WorkListRequest {
    guard let pieces, var sources = arguments else { return self }
    if let folders {
      folders.tell(on: console)
      sources = try folders.files()
    }
    var keys = tags.textKeys
    if case .pattern(let pattern, _) = outputs.names { keys += pattern.names.textKeys }
    var request = self
    switch pieces {
    case .marks:
      request.origin = .pieces(PieceList(marksOf: sources, labelled: nil, decoder))
    case .mark(let label):
      request.origin = .pieces(PieceList(marksOf: sources, labelled: label, decoder))
    case .table(let path):
      let table = try PieceTable(path: path)
      let known = table.keys
      if let key = keys.first(where: { !known.contains($0) }) {
        throw UsageError(
          "'{\(key)}' is no field: '\(path)' has no such column; its columns are \(known.joined(separator: ", "))"
        )
      }
      let pieces = try PieceList(table, of: sources)
      pieces.notes.forEach(console.note)
      if pieces.foreignRows > 0 {
        console.detail("\(pieces.foreignRows.counted("row")) of '\(path)' name other sources")
      }
      request.origin = .pieces(pieces)
    }
    return request
  }
}
