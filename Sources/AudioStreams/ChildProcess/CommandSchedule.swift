// SPDX-License-Identifier: Apache-2.0

/// Decides which job of a ``CommandQueue`` runs next: the oldest one that is due.
///
/// A job that failed waits for a pause, which doubles with each failure, and later jobs run meanwhile. The first success
/// behind failures shows that their cause is over: then all jobs that failed are due at once, each once. It knows no
/// clock: callers give the time.
struct CommandSchedule {
  private struct Entry {
    var job: CommandQueue.Job
    /// The age: a lower number is older.
    let number: Int
    /// The tries, those of earlier runs included.
    var tries: Int
    var due: MonotonicTime
    /// Whether a success of another job made it due at once before.
    var wasHurried = false
  }

  private let policy: CommandQueue.Policy
  /// The oldest first.
  private var waiting: [Entry] = []
  private var running: [Entry] = []
  /// The subjects of jobs that failed and are not tried again.
  private var failed: Set<String> = []
  private var count = 0
  /// Whether only jobs run that were never tried.
  var isClosed = false

  init(_ policy: CommandQueue.Policy) { self.policy = policy }

  /// - Returns: false if the job is refused, because too many wait.
  mutating func add(_ job: CommandQueue.Job, tries: Int, at now: MonotonicTime) -> Bool {
    guard waiting.count < policy.mostWaiting else { return false }
    waiting.append(Entry(job: job, number: count, tries: tries, due: now))
    count += 1
    return true
  }

  /// Takes the next job, which then counts as running; nil if none is due, or if enough run.
  mutating func next(at now: MonotonicTime) -> CommandQueue.Job? {
    guard running.count < policy.atOnce,
      let index = waiting.firstIndex(where: { isDue($0, at: now) })
    else { return nil }
    running.append(waiting.remove(at: index))
    return running.last?.job
  }

  private func isDue(_ entry: Entry, at now: MonotonicTime) -> Bool {
    isClosed ? entry.tries == 0 : entry.due <= now
  }

  /// How often a running job was tried before.
  func tries(of subject: String) -> Int {
    running.first { $0.job.subject == subject }?.tries ?? 0
  }

  /// Ends a running job that was not tried.
  mutating func drop(_ subject: String) {
    running.removeAll { $0.job.subject == subject }
  }

  /// Ends a running job that has succeeded. Those that failed before are due, each once for such a reason.
  mutating func succeeded(_ subject: String, at now: MonotonicTime) {
    drop(subject)
    for index in waiting.indices where waiting[index].tries > 0 && !waiting[index].wasHurried {
      waiting[index].wasHurried = true
      waiting[index].due = now
    }
  }

  /// Ends a running job that has failed. It waits for another try if the policy has a pause.
  mutating func failed(_ subject: String, at now: MonotonicTime) {
    guard let index = running.firstIndex(where: { $0.job.subject == subject }) else { return }
    var entry = running.remove(at: index)
    entry.tries += 1
    guard let first = policy.pause else {
      failed.insert(subject)
      return
    }
    // More doublings than that have no effect.
    let pause = min(first * (1 << min(entry.tries - 1, 20)), max(first, policy.longestPause))
    entry.due = MonotonicTime(nanoseconds: now.nanoseconds + pause.inNanoseconds)
    let place = waiting.firstIndex { $0.number > entry.number } ?? waiting.endIndex
    waiting.insert(entry, at: place)
  }

  /// Forgets a job that waits: its subject has changed.
  mutating func forget(_ subject: String) {
    waiting.removeAll { $0.job.subject == subject }
    failed.remove(subject)
  }

  /// Whether the job of a subject waits, runs or has failed.
  func needs(_ subject: String) -> Bool {
    failed.contains(subject) || (running + waiting).contains { $0.job.subject == subject }
  }

  /// When the next job is due; nil if none waits.
  var nextDue: MonotonicTime? { waiting.map(\.due).min() }

  /// Whether nothing runs, and nothing would before a pause is over.
  var isIdle: Bool { running.isEmpty && untried.isEmpty }

  /// The subjects of the jobs that were never tried, the oldest first.
  var untried: [String] { waiting.filter { $0.tries == 0 }.map(\.job.subject) }

  /// The subjects of the jobs that failed and wait, the oldest first.
  var delayed: [String] { waiting.filter { $0.tries > 0 }.map(\.job.subject) }

  var runningSubjects: [String] { running.map(\.job.subject) }

  /// The job that is the oldest of those that wait or run; nil if there is none.
  var oldest: CommandQueue.Job? {
    (running + waiting.prefix(1)).min { $0.number < $1.number }?.job
  }

  /// The number of jobs that wait or run.
  var backlog: Int { running.count + waiting.count }
}
