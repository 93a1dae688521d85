// SPDX-License-Identifier: Apache-2.0
import Glibc
internal import Synchronization

/// Runs shell commands one after another, in the order of arrival, on its own thread.
///
/// Each command is its own process group, so that Ctrl-C does not reach it. It inherits only standard error, for its
/// standard output too. The queue belongs to the thread that made it.
package final class CommandQueue {
  /// A run of the command.
  package struct Job: Sendable {
    package var subject: String
    /// Variables added to the environment; nil removes one.
    package var environment: [String: String?]

    package init(for subject: String, environment: [String: String?]) {
      self.subject = subject
      self.environment = environment
    }
  }

  /// A run that did not end with 0.
  package struct Failure: Sendable, Equatable {
    package var subject: String
    /// For example `it exited with status 3`.
    package var reason: String
  }

  /// The entry for jobs. Any thread; it never blocks.
  package let entry: Entry
  private let thread: SystemThread

  /// Starts the thread.
  ///
  /// - Parameter command: the command that `/bin/sh -c` runs for each job.
  /// - Throws: `unavailable` if the system grants no more threads.
  package init(_ command: String) throws(AudioError) {
    let entry = Entry(command)
    self.entry = entry
    thread = try SystemThread(named: "commands") { entry.run() }
  }

  deinit {
    entry.giveUp()
    // A process that hangs in a driver may be left behind.
    _ = thread.join(atMost: ChildProcess.patience * 3)
  }

  /// Returns the failures since the last call.
  package func takeFailures() -> [Failure] {
    entry.state.withLock { $0.failures.takeAll() }
  }

  /// The number of waiting jobs, and the subject of the running one.
  package var backlog: (waiting: Int, running: String?) {
    entry.state.withLock { ($0.waiting.count, $0.running) }
  }

  /// Waits until every job is done. Gives up once `isWanted`, which is asked ten times a second, returns false: the
  /// running command is ended then, and waiting jobs do not begin.
  ///
  /// - Returns: the subjects of the jobs that were not done.
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
      var waiting: [Job] = []
      var running: String?
      var failures: [Failure] = []
      /// The subjects of all failures.
      var failed: Set<String> = []
      var isClosed = false
      var isGivenUp = false
    }

    fileprivate let state = Mutex(State())
    fileprivate let ended = Wakeup()
    private let wakeup = Wakeup()
    private let command: String

    fileprivate init(_ command: String) { self.command = command }

    /// Hands over a job, which runs after the earlier ones.
    package func add(_ job: Job) {
      state.withLock { $0.waiting.append(job) }
      wakeup.signal()
    }

    /// Whether the job of a subject waits, runs or has failed. Any thread.
    package func needs(_ subject: String) -> Bool {
      state.withLock { state in
        state.running == subject || state.failed.contains(subject)
          || state.waiting.contains { $0.subject == subject }
      }
    }

    fileprivate var isIdle: Bool {
      state.withLock { $0.running == nil && ($0.waiting.isEmpty || $0.isGivenUp) }
    }

    fileprivate func close() {
      state.withLock { $0.isClosed = true }
      wakeup.signal()
    }

    @discardableResult
    fileprivate func giveUp() -> [String] {
      let left = state.withLock { state -> [String] in
        state.isGivenUp = true
        return (state.running.map { [$0] } ?? []) + state.waiting.map(\.subject)
      }
      wakeup.signal()
      return left
    }

    fileprivate func run() {
      while let job = next() {
        if let reason = perform(job) {
          state.withLock { state in
            state.failures.append(Failure(subject: job.subject, reason: reason))
            state.failed.insert(job.subject)
          }
        }
        state.withLock { $0.running = nil }
        ended.signal()
      }
    }

    /// Waits for the next job; nil if no more will come.
    private func next() -> Job? {
      while true {
        let (job, isOver) = state.withLock { state -> (Job?, Bool) in
          if state.isGivenUp { return (nil, true) }
          if state.waiting.isEmpty { return (nil, state.isClosed) }
          let job = state.waiting.removeFirst()
          state.running = job.subject
          return (job, false)
        }
        if let job { return job }
        if isOver { return nil }
        wakeup.wait(atMost: .seconds(60))
      }
    }

    /// - Returns: the reason of a failure; nil on success.
    private func perform(_ job: Job) -> String? {
      do throws(AudioError) {
        let process = try ChildProcess(
          command: command, environment: job.environment, input: .null(O_RDONLY),
          output: .standardError())
        // Linux reports a child's end by a signal, which belongs to the whole program: poll instead.
        var pause = Duration.milliseconds(2)
        while true {
          if let ending = process.check() {
            process.release()
            return ending.isSuccess ? nil : "\(ending)"
          }
          if state.withLock({ $0.isGivenUp }) {
            process.terminate()
            return nil
          }
          wakeup.wait(atMost: pause)
          pause = min(pause * 2, .milliseconds(200))
        }
      } catch {
        return "it did not start: \(error.reason)"
      }
    }
  }
}
