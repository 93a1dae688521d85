// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Synchronization

/// Threads that work on many things, each on one at a time.
///
/// Main thread only, except for the work itself.
final class Workers<Job: Sendable, Outcome: Sendable> {
  /// What the work may know beside its job.
  struct Surroundings: Sendable {
    /// Ends the work from outside.
    let control: SessionControl
    /// The threads that the work may have beside its own: where there are fewer jobs than workers, they share those
    /// that are left.
    let workers: WorkerAllowance
  }

  private let hall: Hall
  private var threads: [SystemThread] = []
  private let count: Int

  /// - Parameters:
  ///   - count: how many threads; they begin with the first jobs.
  ///   - isLive: whether the source of a job cannot be read again, so that its work is never given up lightly.
  ///   - work: called on one of them.
  init(
    _ count: Int, isLive: @escaping @Sendable (Job) -> Bool,
    work: @escaping @Sendable (Job, Surroundings) -> Outcome
  ) {
    self.count = count
    hall = Hall(isLive, work)
  }

  /// How many jobs were given that nobody has taken the outcome of.
  private(set) var pending = 0

  /// Whether another job would keep a worker busy, or have one ready for it.
  var hasRoom: Bool { pending < 4 * count }

  /// - Throws: `unavailable` where not even one thread can be had.
  func give(_ job: Job) throws(AudioError) {
    pending += 1
    hall.put(job)
    guard threads.count < min(count, pending) else { return }
    do throws(AudioError) {
      let hall = hall
      threads.append(try SystemThread(named: "file worker") { hall.serve() })
    } catch {
      if threads.isEmpty { throw error }
    }
  }

  /// No more jobs come: the last ones may use the processors that nobody else does.
  private func announceEnd() { hall.announceEnd(of: count) }

  /// The next job that is done; nil where none is within `limit`.
  func take(atMost limit: Duration) -> (job: Job, outcome: Outcome)? {
    guard let done = hall.takeDone(atMost: limit) else { return nil }
    pending -= 1
    return done
  }

  /// One round of the work on `list`: begins the next item, where it is there and a worker is about to be free, and
  /// delivers what is done. Waits a moment where there is neither.
  ///
  /// - Parameters:
  ///   - mayBegin: whether another item may be begun now.
  ///   - begin: called with the next item; ``give(_:)`` is how work on it begins.
  ///   - deliver: called with each job that is done.
  func turn(
    _ list: WorkList, mayBegin: Bool = true, begin: (WorkList.Item) throws -> Void,
    deliver: (Job, Outcome) throws -> Void
  ) throws {
    let isReady = try mayBegin && !list.isOver && hasRoom && list.isReady()
    if isReady {
      let item = try list.next()
      if let item { try begin(item) }
      if list.isOver || list.isAtEnd { announceEnd() }
    }
    // A list may also be written while it is read.
    let wait: Duration = isReady ? .zero : list.isOver ? .milliseconds(100) : .milliseconds(10)
    while let (job, outcome) = take(atMost: wait) {
      try deliver(job, outcome)
      if !isReady { break }
    }
  }

  /// Gives up what nobody has begun, ends what is being worked on, and waits for its outcome. Work on live input takes no
  /// more of it and is completed.
  ///
  /// - Parameters:
  ///   - isUrgent: whether live input is given up too.
  ///   - deliver: called with each job that comes to its end meanwhile.
  func abandon(
    unlessComplete isUrgent: () -> Bool = { false }, deliver: (Job, Outcome) -> Void = { _, _ in }
  ) {
    pending -= hall.abandon(sparingLive: true)
    while pending > 0 {
      if isUrgent() { _ = hall.abandon(sparingLive: false) }
      if let (job, outcome) = take(atMost: .milliseconds(100)) { deliver(job, outcome) }
    }
  }

  /// Ends the threads. Every outcome was taken.
  func end() {
    hall.close()
    for thread in threads { _ = thread.join(atMost: .seconds(10)) }
    threads = []
  }

  /// Where the threads get jobs and leave outcomes.
  private final class Hall: Sendable {
    private struct Content {
      var waiting: [Job] = []
      var done: [(job: Job, outcome: Outcome)] = []
      var running: [ObjectIdentifier: (job: Job, control: SessionControl)] = [:]
      /// How many workers there are; nil before it is known that no more jobs come.
      var workers: Int?
      var isClosed = false

      /// The threads that each job may have beside its own.
      var spareThreads: Int {
        let jobs = running.count + waiting.count
        guard let workers, jobs > 0, jobs < workers else { return 0 }
        return (workers - 1) / jobs
      }
    }

    private let content = Mutex(Content())
    private let offered = Wakeup()
    private let finished = Wakeup()
    private let isLive: @Sendable (Job) -> Bool
    private let work: @Sendable (Job, Surroundings) -> Outcome
    private let allowance = WorkerAllowance(0)

    init(
      _ isLive: @escaping @Sendable (Job) -> Bool,
      _ work: @escaping @Sendable (Job, Surroundings) -> Outcome
    ) {
      self.isLive = isLive
      self.work = work
    }

    func put(_ job: Job) {
      content.withLock { $0.waiting.append(job) }
      offered.signal()
    }

    func announceEnd(of workers: Int) {
      content.withLock { content in
        content.workers = workers
        allowance.threadCount = content.spareThreads
      }
    }

    func takeDone(atMost limit: Duration) -> (job: Job, outcome: Outcome)? {
      func first() -> (job: Job, outcome: Outcome)? {
        content.withLock { $0.done.isEmpty ? nil : $0.done.removeFirst() }
      }
      if let done = first() { return done }
      if limit > .zero { finished.wait(atMost: limit) }
      return first()
    }

    /// - Returns: how many jobs nobody has begun.
    func abandon(sparingLive isSparing: Bool) -> Int {
      content.withLock { content in
        for (job, control) in content.running.values {
          control.requestStop(isSparing && isLive(job) ? .finish : .abandon)
        }
        defer { content.waiting = [] }
        return content.waiting.count
      }
    }

    func close() {
      content.withLock { $0.isClosed = true }
      offered.signal()
    }

    /// The loop of each thread.
    func serve() {
      while true {
        let control = SessionControl()
        let (job, isClosed) = content.withLock { content in
          let job = content.waiting.isEmpty ? nil : content.waiting.removeFirst()
          if let job { content.running[ObjectIdentifier(control)] = (job, control) }
          // One signal may stand for several jobs.
          if !content.waiting.isEmpty || content.isClosed { offered.signal() }
          return (job, content.isClosed)
        }
        guard let job else {
          if isClosed { return }
          offered.wait(atMost: .seconds(1))
          continue
        }
        let outcome = work(job, Surroundings(control: control, workers: allowance))
        content.withLock { content in
          content.running[ObjectIdentifier(control)] = nil
          allowance.threadCount = content.spareThreads
          content.done.append((job, outcome))
        }
        finished.signal()
      }
    }
  }
}
