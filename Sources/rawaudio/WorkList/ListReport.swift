// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The messages, the lines of results and the counts of a list's items.
///
/// Main thread only.
final class ListReport {
  private let request: WorkListRequest
  private let results: ResultLines?
  private let declarations: [Declaration]
  private let console: Console
  private var progress: ListProgress
  private(set) var counts = ListCounts()
  private var conditions: Set<FailureCondition> = []
  private var notes = FoldedNotes()

  /// - Parameters:
  ///   - activity: the work: "converting".
  ///   - total: the number of items. Nil if unknown.
  ///   - declarations: the options of the command, for the advice in errors.
  /// - Throws: if the results cannot be written.
  init(
    _ request: WorkListRequest, _ activity: String, total: Int?,
    options declarations: [Declaration], on console: Console
  ) throws(AudioError) {
    self.request = request
    self.declarations = declarations
    self.console = console
    results = try request.openResults()
    request.folders?.tell(on: console)
    progress = ListProgress(activity, total: total, on: console)
  }

  /// Shows the progress.
  func update() { progress.update(counts) }

  /// Tells the result of one item.
  ///
  /// - Parameter isLast: whether no item follows. Before the last one the run ends after too many failures.
  func deliver(_ result: ItemResult, of item: WorkList.Item, isLast: Bool) throws {
    var result = result
    let names = result.paths(of: item)
    if let failure = result.failure {
      let error = failure.advised(forOptions: declarations)
      result.status = .failed(error)
      notes.tell(error, of: names, on: console)
    }
    let lines = notes.take(result.lines, of: names, for: console.verbosity)
    if !lines.isEmpty { console.pass(lines.joined()) }
    counts.add(result)
    conditions.formUnion(result.conditions)
    for line in result.lines(of: item) { try results?.write(line, on: console) }
    if !isLast { try counts.requireFewerFailures(than: request.mostFailures) }
  }

  /// Prints the counts.
  ///
  /// - Parameters:
  ///   - interruption: the exit code of a signal. Nil without one.
  ///   - failures: the conditions that are to fail.
  func end(_ interruption: ExitCode?, failingOn failures: Set<FailureCondition>) -> ExitCode {
    console.eraseStatus()
    // With -q only the reasons of the exit code were taken.
    notes.counted.forEach(console.result)
    if counts.failed + counts.skipped > 0 || interruption != nil {
      console.note(counts.line)
    } else {
      console.detail(counts.line)
    }
    if let interruption { return interruption }
    if counts.failed > 0 { return .failure }
    return conditions.isDisjoint(with: failures) ? .success : .strict
  }
}

/// The printed lines of an item, collected because other items print concurrently.
final class CollectedLines {
  private(set) var texts: [String] = []

  /// A console that prints into it.
  func console(_ verbosity: Verbosity) -> Console {
    Console(
      verbosity: verbosity, style: TerminalStyle(isColoured: false), errorIsTerminal: false,
      writeOutput: { self.texts.append($0) }, writeError: { self.texts.append($0) })
  }
}
