// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Work on the files of a list with several workers, of which the outcomes come in the order of the list.
///
/// Main thread only; the work itself runs on the workers' threads.
final class OrderedWork<Outcome: Sendable> {
  /// A file, and its place among those of this run.
  struct Job: Sendable {
    let place: Int
    let file: ListedFile
  }

  typealias Crew = Workers<Job, Outcome?>

  private let list: WorkList
  private let workers: Crew
  /// How many outcomes may be ahead of one that is waited for.
  private let mostEarly: Int
  private let malformed: (AudioError, _ id: String?) -> Outcome
  /// Items so far, and how many of them were delivered.
  private var (begun, delivered) = (0, 0)
  private var early: [Int: Outcome] = [:]

  /// - Parameters:
  ///   - malformed: the outcome of an entry that cannot be understood.
  ///   - work: on one file; nil where it was abandoned. Called on the workers' threads.
  /// - Throws: where the list cannot be opened.
  init(
    _ request: WorkListRequest, malformed: @escaping (AudioError, _ id: String?) -> Outcome,
    work: @escaping @Sendable (ListedFile, Crew.Surroundings) -> Outcome?
  ) throws(AudioError) {
    list = try WorkList(request)
    workers = Crew(request.jobs, isLive: { $0.file.isLive }) { job, surroundings in
      work(job.file, surroundings)
    }
    mostEarly = 64 * request.jobs
    self.malformed = malformed
  }

  /// How many items there are; nil where nobody knows. To be called before ``run(until:onTurn:deliver:)``.
  func countItems() -> Int? { list.countItems() }

  /// Whether there is something left of which the outcome was not delivered.
  var isUnfinished: Bool { !list.isOver || delivered < begun }

  /// Works on everything.
  ///
  /// - Parameters:
  ///   - isInterrupted: whether to give up what can be done again.
  ///   - isUrgent: whether to give up the rest too.
  ///   - onTurn: called again and again meanwhile.
  ///   - deliver: called with each outcome; what it throws ends the work.
  /// - Returns: whether everything was done.
  /// - Throws: where the list cannot be read, or what `deliver` throws.
  func run(
    until isInterrupted: () -> Bool = { false }, unlessComplete isUrgent: () -> Bool = { false },
    onTurn: () -> Void = {},
    deliver: (Outcome) throws -> Void
  ) throws -> Bool {
    defer { workers.end() }
    do {
      while isUnfinished {
        if isInterrupted() {
          workers.abandon(unlessComplete: isUrgent) { early[$0.place] = $1 }
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

  /// Delivers what is done and next in order.
  private func deliverNext(to deliver: (Outcome) throws -> Void) throws {
    while let outcome = early.removeValue(forKey: delivered) {
      delivered += 1
      try deliver(outcome)
    }
  }

  private func turn() throws {
    try workers.turn(list, mayBegin: begun - delivered < mostEarly) { item in
      switch item {
      case .malformed(let error, let id): early[begun] = malformed(error, id)
      case .file(let file): try workers.give(Job(place: begun, file: file))
      }
      begun += 1
    } deliver: { job, outcome in
      early[job.place] = outcome
    }
  }
}
