// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Works on the files of a list with several workers, and delivers the outcomes in the order of the list.
///
/// Main thread only. The work itself runs on the workers' threads.
final class OrderedWork<Outcome: Sendable> {
  /// A file, and its position among the files of this run.
  struct Job: Sendable {
    let place: Int
    let file: ListedFile
  }

  typealias Crew = Workers<Job, Outcome?>

  private let list: WorkList
  private let workers: Crew
  /// The largest number of outcomes held back for an earlier one.
  private let mostEarly: Int
  private let malformed: (AudioError, ListItem) -> Outcome
  /// The numbers of begun and delivered items.
  private var (begun, delivered) = (0, 0)
  private var early: [Int: Outcome] = [:]

  /// - Parameters:
  ///   - malformed: the outcome of an entry that cannot be parsed.
  ///   - work: the work on one file. Nil if it was abandoned. Called on the workers' threads.
  /// - Throws: if the list cannot be opened.
  init(
    _ request: WorkListRequest, malformed: @escaping (AudioError, ListItem) -> Outcome,
    work: @escaping @Sendable (ListedFile, Crew.Surroundings) -> Outcome?
  ) throws(AudioError) {
    list = try WorkList(request)
    workers = Crew(request.jobs, isLive: { $0.file.isLive }) { job, surroundings in
      work(job.file, surroundings)
    }
    mostEarly = 64 * request.jobs
    self.malformed = malformed
  }

  /// Returns the number of items. Nil if unknown. Call it before ``run(until:onTurn:deliver:)``.
  func countItems() -> Int? { list.countItems() }

  var isUnfinished: Bool { !list.isOver || delivered < begun }

  /// Works on all items.
  ///
  /// - Parameters:
  ///   - control: any request abandons repeatable work. The request to abandon also abandons live input.
  ///   - onTurn: called repeatedly during the work.
  ///   - deliver: called with each outcome. Its error ends the work.
  /// - Returns: whether all items were finished.
  /// - Throws: if the list cannot be read, or the error of `deliver`.
  func run(
    until control: SessionControl = SessionControl(), onTurn: () -> Void = {},
    deliver: (Outcome) throws -> Void
  ) throws -> Bool {
    defer { workers.end() }
    do {
      while isUnfinished {
        if control.request != nil {
          workers.abandon(heeding: control) { early[$0.place] = $1 }
          try deliverNext(to: deliver)
          return !isUnfinished
        }
        onTurn()
        try turn()
        try deliverNext(to: deliver)
      }
    } catch {
      workers.abandon()
      throw error
    }
    return true
  }

  /// Delivers the finished outcomes that are next in order.
  private func deliverNext(to deliver: (Outcome) throws -> Void) throws {
    while let outcome = early.removeValue(forKey: delivered) {
      delivered += 1
      try deliver(outcome)
    }
  }

  private func turn() throws {
    try workers.turn(list, mayBegin: begun - delivered < mostEarly) { item in
      switch item {
      case .malformed(let error, _, _): early[begun] = malformed(error, item)
      case .file(let file): try workers.give(Job(place: begun, file: file))
      }
      begun += 1
    } deliver: { job, outcome in
      early[job.place] = outcome
    }
  }
}
