// SPDX-License-Identifier: Apache-2.0
import Glibc
internal import Synchronization

/// Runs shell commands on its own thread, the oldest first.
///
/// Each command is its own process group, so that Ctrl-C does not reach it. It inherits only standard error, for its
/// standard output too. The queue belongs to the thread that made it.
package final class CommandQueue {
  /// A run of the command.
  package struct Job: Sendable {
    package var subject: String
    /// Variables added to the environment; nil removes one.
    package var environment: [String: String?]
    /// When the reason for the job came up.
    package var since: MonotonicTime

    package init(
      for subject: String, environment: [String: String?], since: MonotonicTime = .now
    ) {
      self.subject = subject
      self.environment = environment
      self.since = since
    }
  }

  /// How often, how long and how many at once.
  package struct Policy: Sendable {
    /// The most commands that run at once.
    package var atOnce = 1
    /// The longest run; nil = any. A command that takes longer is ended, and has failed.
    package var limit: Duration?
    /// The pause before a failed job is tried again, doubled with each further failure; nil = it is not.
    package var pause: Duration?
    package var longestPause = Duration.seconds(3_600)
    /// The most jobs that wait; others are refused.
    package var mostWaiting = Int.max

    package init() {}
  }

  /// The end of a run.
  package struct Outcome: Sendable, Equatable {
    package enum Result: Sendable, Equatable {
      case done
      /// The reason, for example `it exited with status 3`.
      case failed(String, isTriedAgain: Bool)
      /// The job was no longer wanted, and was not run.
      case dropped
      /// Too many jobs wait.
      case refused
    }

    package var subject: String
    package var result: Result
    /// The runs so far, this one included.
    package var tries: Int
  }

  /// The entry for jobs. Any thread; it never blocks.
  package let entry: Entry
  private let thread: SystemThread

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - command: the command that `/bin/sh -c` runs for each job.
  ///   - isWanted: whether a job is still to run; asked just before, on the thread of the queue.
  ///   - onOutcome: called at the end of each run, on that thread.
  /// - Throws: `unavailable` if the system grants no more threads.
  package init(
    _ command: String, _ policy: Policy = Policy(),
    isWanted: @escaping @Sendable (Job) -> Bool = { _ in true },
    onOutcome: @escaping @Sendable (Outcome) -> Void = { _ in }
  ) throws(AudioError) {
    let entry = Entry(command, policy, isWanted, onOutcome)
    self.entry = entry
    thread = try SystemThread(named: "commands") { entry.run() }
  }

  deinit {
    entry.giveUp()
    // A process that hangs in a driver may be left behind.
    _ = thread.join(atMost: ChildProcess.patience * 3)
  }

  /// Returns the ends of runs since the last call.
  package func takeOutcomes() -> [Outcome] { entry.state.withLock { $0.outcomes.takeAll() } }

  /// Whether a job waits or runs: their number, and the oldest one's age.
  package var backlog: (count: Int, age: Duration) {
    let (count, since) = entry.state.withLock { ($0.schedule.backlog, $0.schedule.oldest?.since) }
    return (count, since.map { MonotonicTime.now.elapsed(since: $0) } ?? .zero)
  }

  /// The number of jobs that were never tried, and the subject of a running one.
  package var untried: (count: Int, running: String?) {
    entry.state.withLock { ($0.schedule.untried.count, $0.schedule.runningSubjects.first) }
  }

  /// The subjects of jobs that failed and wait, the oldest first.
  package var delayed: [String] { entry.state.withLock { $0.schedule.delayed } }

  /// Waits until every job was tried. A job that failed is not tried again. Gives up once `isWanted`, which is asked ten
  /// times a second, returns false: running commands are ended then, and waiting jobs do not begin.
  ///
  /// - Returns: the subjects of the jobs that were given up.
  package func finish(while isWanted: () -> Bool) -> [String] {
    entry.close()
    while !entry.isIdle {
      if !isWanted() { return entry.giveUp() }
      entry.ended.wait(atMost: .milliseconds(100))
    }
    return []
  }
}

extension CommandQueue {
  /// The queue as all threads see it.
  package final class Entry: Sendable {
    fileprivate struct State {
      var schedule: CommandSchedule
      var outcomes: [Outcome] = []
      var isGivenUp = false
    }

    /// A running command. On the thread of the queue.
    private struct Run {
      let subject: String
      let process: ChildProcess
      let begin = MonotonicTime.now
      var isTooLong = false
    }

    fileprivate let state: Mutex<State>
    fileprivate let ended = Semaphore()
    private let wakeup = Semaphore()
    private let command: String
    private let policy: Policy
    private let isWanted: @Sendable (Job) -> Bool
    private let onOutcome: @Sendable (Outcome) -> Void

    fileprivate init(
      _ command: String, _ policy: Policy, _ isWanted: @escaping @Sendable (Job) -> Bool,
      _ onOutcome: @escaping @Sendable (Outcome) -> Void
    ) {
      self.command = command
      self.policy = policy
      self.isWanted = isWanted
      self.onOutcome = onOutcome
      state = Mutex(State(schedule: CommandSchedule(policy)))
    }

    /// Hands over a job, which runs after the earlier ones.
    ///
    /// - Parameter tries: how often it was run before.
    package func add(_ job: Job, tries: Int = 0) {
      state.withLock { state in
        if state.schedule.add(job, tries: tries, at: .now) { return }
        state.outcomes.append(Outcome(subject: job.subject, result: .refused, tries: tries))
      }
      wakeup.signal()
    }

    /// Forgets a job that waits, because its subject has changed. Any thread.
    package func forget(_ subject: String) {
      state.withLock { $0.schedule.forget(subject) }
    }

    /// Whether the job of a subject waits, runs or has failed. Any thread.
    package func needs(_ subject: String) -> Bool {
      state.withLock { $0.schedule.needs(subject) }
    }

    fileprivate var isIdle: Bool {
      state.withLock { state in
        state.schedule.runningSubjects.isEmpty && (state.isGivenUp || state.schedule.isIdle)
      }
    }

    fileprivate func close() {
      state.withLock { $0.schedule.isClosed = true }
      wakeup.signal()
    }

    @discardableResult
    fileprivate func giveUp() -> [String] {
      let left = state.withLock { state -> [String] in
        state.isGivenUp = true
        return state.schedule.runningSubjects + state.schedule.untried
      }
      wakeup.signal()
      return left
    }

    fileprivate func run() {
      var runs: [Run] = []
      // Linux reports a child's end by a signal, which belongs to the whole program: poll instead.
      var pause = Duration.milliseconds(2)
      while true {
        while let job = next() {
          begin(job).map { runs.append($0) }
          pause = .milliseconds(2)
        }
        let (isGivenUp, isOver, due) = state.withLock { state in
          let isOver = state.schedule.isClosed && state.schedule.isIdle
          return (state.isGivenUp, isOver, state.schedule.nextDue)
        }
        if isGivenUp {
          for run in runs { run.process.beginTermination() }
          for run in runs { run.process.terminate() }
          return state.withLock { state in
            for run in runs { state.schedule.drop(run.subject) }
          }
        }
        if isOver { return }
        runs = runs.filter { !hasEnded($0) }
        if runs.isEmpty {
          let now = MonotonicTime.now
          wakeup.wait(atMost: min(due.map { $0.elapsed(since: now) } ?? .seconds(60), .seconds(60)))
        } else {
          wakeup.wait(atMost: pause)
          pause = min(pause * 2, .milliseconds(200))
        }
        for index in runs.indices { limit(&runs[index]) }
      }
    }

    private func next() -> Job? {
      state.withLock { $0.isGivenUp ? nil : $0.schedule.next(at: .now) }
    }

    private func begin(_ job: Job) -> Run? {
      guard isWanted(job) else {
        end(job.subject, .dropped)
        return nil
      }
      do throws(AudioError) {
        return Run(
          subject: job.subject,
          process: try ChildProcess(
            command: command, environment: job.environment, input: .null(O_RDONLY),
            output: .standardError()))
      } catch {
        fail(job.subject, "it did not start: \(error.reason)")
        return nil
      }
    }

    /// Asks a command to end that takes too long.
    private func limit(_ run: inout Run) {
      guard let limit = policy.limit, !run.isTooLong,
        MonotonicTime.now.elapsed(since: run.begin) > limit, run.process.check() == nil
      else { return }
      run.isTooLong = true
      run.process.beginTermination()
    }

    /// Whether a run is over, which is then told.
    private func hasEnded(_ run: Run) -> Bool {
      if run.isTooLong {
        guard run.process.isTerminated() else { return false }
        fail(run.subject, "it took longer than \(policy.limit ?? .zero), and was ended")
        return true
      }
      guard let ending = run.process.check() else { return false }
      run.process.release()
      if ending.isSuccess { end(run.subject, .done) } else { fail(run.subject, "\(ending)") }
      return true
    }

    private func fail(_ subject: String, _ reason: String) {
      end(subject, .failed(reason, isTriedAgain: policy.pause != nil))
    }

    private func end(_ subject: String, _ result: Outcome.Result) {
      let tries = state.withLock { $0.schedule.tries(of: subject) }
      let outcome = Outcome(
        subject: subject, result: result, tries: result == .dropped ? tries : tries + 1)
      // Before the queue can be idle.
      onOutcome(outcome)
      state.withLock { state in
        switch result {
        case .done: state.schedule.succeeded(subject, at: .now)
        case .failed: state.schedule.failed(subject, at: .now)
        case .dropped, .refused: state.schedule.drop(subject)
        }
        state.outcomes.append(outcome)
      }
      ended.signal()
    }
  }
}
