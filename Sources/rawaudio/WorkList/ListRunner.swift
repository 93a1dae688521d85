// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Works through a list with several workers, and reports the outcome to the user and the shell.
///
/// Main thread only. The work itself runs on the workers' threads.
struct ListRunner {
  /// A file to work on.
  struct Job: Sendable {
    let file: ListedFile
    /// The path of its output. Nil if it writes none.
    let output: String?
  }

  typealias Crew = Workers<Job, ItemResult?>

  let request: WorkListRequest
  /// The activity in the progress line: "converting".
  let activity: String
  let console: Console
  let failureConditions: Set<FailureCondition>
  /// The options that errors may suggest.
  let declarations: [Declaration]
  /// The files that every item reads besides its own, if outputs may replace files. Otherwise nil.
  let sharedFiles: [String]?
  /// Plans an item before any work: its output, or its result. The sources of all items are given if outputs may
  /// replace files.
  let plan: (ListedFile, ListedSources?) throws(AudioError) -> Plan
  /// The work on one file. Nil if it was abandoned. Called on the workers' threads.
  let work: @Sendable (Job, Crew.Surroundings) -> ItemResult?

  enum Plan {
    case job(output: String?)
    case result(ItemResult)
  }

  /// Works on all items.
  ///
  /// - Throws: if the list cannot be read, or the results cannot be written.
  func run() throws -> ExitCode {
    let control = SessionControl()
    let interruption = Interruption(of: control, requesting: .finish)
    interruption.install()
    let run = try Run(self, until: { control.request != .none })
    do {
      try run.run(
        until: { control.request != .none }, unlessComplete: { control.request == .abandon })
    } catch {
      run.abandon(unlessComplete: { control.request == .abandon })
      throw error
    }
    return run.tellEnd(interruption.exitCode)
  }

  /// One run and its progress.
  private final class Run {
    private let runner: ListRunner
    private let list: WorkList
    private let sources: ListedSources?
    private let results: ResultLines?
    private let workers: Crew
    private var progress: ListProgress
    private var counts = ListCounts()
    private var conditions: Set<FailureCondition> = []
    private var console: Console { runner.console }

    init(_ runner: ListRunner, until isInterrupted: () -> Bool) throws(AudioError) {
      self.runner = runner
      list = try WorkList(runner.request)
      results = try runner.request.openResults()
      if let files = runner.sharedFiles {
        try list.makeRepeatable(until: isInterrupted)
        sources = try ListedSources(of: list, and: files, until: isInterrupted)
      } else {
        sources = nil
      }
      workers = Crew(runner.request.jobs, isLive: { $0.file.isLive }, work: runner.work)
      let total = runner.console.showsStatus ? list.countItems() : nil
      progress = ListProgress(runner.activity, total: total, on: runner.console)
    }

    func run(until isInterrupted: () -> Bool, unlessComplete isUrgent: () -> Bool) throws {
      while !list.isOver || workers.pending > 0 {
        if isInterrupted() { return abandon(unlessComplete: isUrgent) }
        progress.update(counts)
        try workers.turn(list, begin: begin) { job, result in
          if let result { try deliver(result, of: .file(job.file)) }
        }
      }
      workers.end()
    }

    /// Abandons the running work, which leaves nothing behind, but completes live input, which cannot be read again.
    func abandon(unlessComplete isUrgent: () -> Bool) {
      workers.abandon(unlessComplete: isUrgent) { job, result in
        if let result { try? deliver(result, of: .file(job.file)) }
      }
      workers.end()
    }

    private func begin(_ item: WorkList.Item) throws {
      switch item {
      case .malformed(let error, _): try deliver(ItemResult(status: .failed(error)), of: item)
      case .file(let file):
        let plan: Plan
        do throws(AudioError) {
          plan = try runner.plan(file, sources)
        } catch {
          return try deliver(ItemResult(status: .failed(error)), of: item)
        }
        switch plan {
        case .result(let result): try deliver(result, of: item)
        case .job(let output): try workers.give(Job(file: file, output: output))
        }
      }
    }

    private func deliver(_ result: ItemResult, of item: WorkList.Item) throws {
      var result = result
      if let failure = result.failure {
        let error = failure.advised(forOptions: runner.declarations)
        result.status = .failed(error)
        console.error(error)
      }
      if !result.lines.isEmpty { console.pass(result.lines.joined()) }
      counts.add(result)
      conditions.formUnion(result.conditions)
      try results?.write(result.json(of: item), on: console)
      if !list.isOver || workers.pending > 0 {
        try counts.requireFewerFailures(than: runner.request.mostFailures)
      }
    }

    /// Reports the counts, and returns the exit code.
    func tellEnd(_ interruption: ExitCode?) -> ExitCode {
      console.eraseStatus()
      if counts.failed + counts.skipped > 0 || interruption != nil {
        console.note(counts.line)
      } else {
        console.detail(counts.line)
      }
      if let interruption { return interruption }
      if counts.failed > 0 { return .failure }
      return conditions.isDisjoint(with: runner.failureConditions) ? .success : .strict
    }
  }
}
