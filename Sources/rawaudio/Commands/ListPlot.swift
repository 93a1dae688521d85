// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// `rawaudio plot` of many files: each to its own picture, as if drawn alone.
enum ListPlot {
  private struct Drawn: Sendable {
    let item: WorkList.Item
    let result: ItemResult
  }

  /// - Throws: if the list cannot be read, or the results cannot be written.
  static func run(
    _ command: PlotCommand, _ request: WorkListRequest, _ outputs: OutputListRequest,
    on console: Console
  ) throws -> ExitCode {
    let control = SessionControl()
    let interruption = Interruption.handling(control, requesting: .finish)
    let outputGuard = OutputGuard(outputs.existing)
    let verbosity = console.verbosity
    let work = try OrderedWork<Drawn>(request) { error, item in
      Drawn(item: item, result: ItemResult(status: .failed(error)))
    } work: { file, surroundings in
      draw(file, by: command, outputs.names, outputGuard, surroundings, verbosity).map {
        Drawn(item: .file(file), result: $0)
      }
    }
    let report = try ListReport(
      request, "drawing", total: console.showsStatus ? work.countItems() : nil,
      options: PlotCommand.declarations, on: console)
    _ = try work.run(until: control) {
      report.update()
    } deliver: { drawn in
      try report.deliver(drawn.result, of: drawn.item, isLast: !work.isUnfinished)
    }
    return report.end(interruption.exitCode, failingOn: command.failures.conditions)
  }

  /// Draws one file. Nil if it was abandoned. Called on the workers' threads.
  private static func draw(
    _ file: ListedFile, by command: PlotCommand, _ names: OutputListRequest.Names,
    _ outputGuard: OutputGuard, _ surroundings: OrderedWork<Drawn>.Crew.Surroundings,
    _ verbosity: Verbosity
  ) -> ItemResult? {
    var result = ItemResult(status: .done)
    let lines = CollectedLines()
    do {
      guard
        let output = try names.output(
          of: file, namesParts: false, in: command.zone.civilTime,
          at: command.beginning(of: file.source, part: file))
      else { return nil }
      result.output = output
      guard case .write(let isReplacing) = try outputGuard.claim(output) else {
        result.status = .skipped
        return result
      }
      defer { outputGuard.release(output) }
      try PartFolders(fixedFolders: 0).make(for: output)
      let session = try command.session(
        of: command.editedSource(
          .file(file.source), part: file, workers: surroundings.workers,
          control: surroundings.control), to: output,
        isNameGenerated: names.areGenerated, overwrites: isReplacing, on: lines.console(verbosity)
      ).command
      let report = try session.run { _ in
      } onFailure: {
        $0
      }
      guard report.outcome == .finished, let sink = report.sinks.first else { return nil }
      outputGuard.note(output)
      let notes = RunNotes(of: session, failingOn: command.failures.conditions)
      notes.noteFaults(report)
      result.conditions = notes.conditions
      result.figures = .init(
        format: sink.format, samplesPerChannel: sink.samplesPerChannel, clippedSamples: 0,
        isTruncated: session.inputs.contains { $0.truncation != nil },
        isShort: session.inputs.contains { $0.shortage != nil },
        decoder: session.inputs.lazy.compactMap(\.decoder).first)
    } catch var error as AudioError {
      if surroundings.control.request == .abandon { return nil }
      if error.subject.isEmpty { error.subject = file.source }
      result.status = .failed(error)
    } catch {
      result.status = .failed(
        AudioError(.invalidParameter, cannot: "draw", file.source, because: "\(error)"))
    }
    result.lines = lines.texts
    return result
  }
}
