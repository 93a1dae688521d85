// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Synchronization

/// Threads that each work on one job at a time.
///
/// Main thread only, except for the work itself.
final class Workers<Job: Sendable, Outcome: Sendable> {
  /// The context of the work on a job.
  struct Surroundings: Sendable {
    /// Stops the work from outside.
    let control: SessionControl
    /// The extra threads for the work. If there are fewer jobs than workers, the jobs share the idle ones.
    let workers: WorkerAllowance
    /// Delivers an outcome before the last one of the job.
    let report: @Sendable (Outcome) -> Void
  }

  private let queue: WorkQueue
  private var threads: [SystemThread] = []
  private let count: Int

  /// - Parameters:
  ///   - count: the number of threads. They start with the first jobs.
  ///   - isLive: whether the source of a job cannot be read again, so that its work is completed on an interruption.
  ///   - work: called on a worker's thread.
  init(
    _ count: Int, isLive: @escaping @Sendable (Job) -> Bool,
    work: @escaping @Sendable (Job, Surroundings) -> Outcome
  ) {
    self.count = count
    queue = WorkQueue(isLive, work)
  }

  /// The number of given jobs whose outcomes are not yet taken.
  private(set) var pending = 0

  /// Whether fewer than four jobs per worker are pending.
  var hasRoom: Bool { pending < 4 * count }

  /// - Throws: `unavailable` if not even one thread can be started.
  func give(_ job: Job) throws(AudioError) {
    pending += 1
    queue.put(job)
    guard threads.count < min(count, pending) else { return }
    do throws(AudioError) {
      let queue = queue
      threads.append(try SystemThread(named: "file worker") { queue.serve() })
    } catch {
      if threads.isEmpty { throw error }
    }
  }

  /// Returns the next outcome and its job. Nil if none comes within `limit`.
  func take(atMost limit: Duration) -> (job: Job, outcome: Outcome)? {
    guard let done = queue.takeDone(atMost: limit) else { return nil }
    if done.isLast { pending -= 1 }
    return (done.job, done.outcome)
  }

  /// Runs one round of the work on `list`: begins the next item if it is ready and there is room, and delivers finished
  /// jobs. If nothing is ready, it waits a moment.
  ///
  /// - Parameters:
  ///   - mayBegin: whether another item may begin now.
  ///   - begin: called with the next item. It starts the work with ``give(_:)``.
  ///   - deliver: called with each finished job.
  func turn(
    _ list: WorkList, mayBegin: Bool = true, begin: (WorkList.Item) throws -> Void,
    deliver: (Job, Outcome) throws -> Void
  ) throws {
    let isReady = try mayBegin && !list.isOver && hasRoom && list.isReady()
    if isReady {
      let item = try list.next()
      if let item { try begin(item) }
      // After the last job, the remaining ones may use idle processors.
      if list.isOver { queue.announceEnd(of: count) }
    }
    // A list may be written while it is read.
    let wait: Duration = isReady ? .zero : list.isOver ? .milliseconds(100) : .milliseconds(10)
    while let (job, outcome) = take(atMost: wait) {
      try deliver(job, outcome)
      if !isReady { break }
    }
  }

  /// Drops the waiting jobs, stops the running ones and waits for their outcomes. Work on live input reads no more of
  /// it and is completed.
  ///
  /// - Parameters:
  ///   - control: its request to abandon also abandons live input.
  ///   - deliver: called with each job that finishes meanwhile.
  func abandon(
    heeding control: SessionControl? = nil,
    deliver: (Job, Outcome) -> Void = { _, _ in }
  ) {
    pending -= queue.abandon(sparingLive: true)
    while pending > 0 {
      if control?.request == .abandon { _ = queue.abandon(sparingLive: false) }
      if let (job, outcome) = take(atMost: .milliseconds(100)) { deliver(job, outcome) }
    }
  }

  /// Ends the threads. All outcomes must have been taken.
  func end() {
    queue.close()
    for thread in threads { _ = thread.join(atMost: .seconds(10)) }
    threads = []
  }

  /// The shared queue of jobs and outcomes.
  private final class WorkQueue: Sendable {
    /// An outcome, and whether it ends its job.
    typealias Done = (job: Job, outcome: Outcome, isLast: Bool)

    private struct Content {
      var waiting: [Job] = []
      var done: [Done] = []
      var running: [ObjectIdentifier: (job: Job, control: SessionControl)] = [:]
      /// The number of workers. Nil until the last job is announced.
      var workers: Int?
      var isClosed = false

      var spareThreads: Int {
        let jobs = running.count + waiting.count
        guard let workers, jobs > 0, jobs < workers else { return 0 }
        return (workers - 1) / jobs
      }
    }

    private let content = Mutex(Content())
    private let offered = Semaphore()
    private let finished = Semaphore()
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
      content.withLock { content in
        content.waiting.append(job)
        allowance.threadCount = content.spareThreads
      }
      offered.signal()
    }

    func announceEnd(of workers: Int) {
      content.withLock { content in
        content.workers = workers
        allowance.threadCount = content.spareThreads
      }
    }

    func takeDone(atMost limit: Duration) -> Done? {
      func first() -> Done? {
        content.withLock { $0.done.isEmpty ? nil : $0.done.removeFirst() }
      }
      if let done = first() { return done }
      if limit > .zero { finished.wait(atMost: limit) }
      return first()
    }

    /// - Returns: the number of dropped jobs.
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
        let report: @Sendable (Outcome) -> Void = { [self] outcome in
          content.withLock { $0.done.append((job, outcome, isLast: false)) }
          finished.signal()
        }
        let outcome = work(
          job, Surroundings(control: control, workers: allowance, report: report))
        content.withLock { content in
          content.running[ObjectIdentifier(control)] = nil
          allowance.threadCount = content.spareThreads
          content.done.append((job, outcome, isLast: true))
        }
        finished.signal()
      }
    }
  }
}
