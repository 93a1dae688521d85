// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Glibc
internal import Synchronization

/// Runs a command for each complete part of a recording, until it has succeeded.
final class PartCommands: RunReader {
  /// The number of waiting parts from which the command is reported as slow.
  private static let longBacklog = 10
  /// The time between two lines about failures, in milliseconds.
  private static let toldInterval: Int64 = 3_600_000
  private let queue: CommandQueue
  private let ledgers: PartLedgers
  private var hasToldBacklog = false
  private var hasToldLedger = false
  /// When a failure was last told; nil since a success behind failures.
  private var toldAt: Int64?
  /// The failures since then.
  private var untold = 0
  private(set) var failureCount = 0

  /// - Parameter line: the line that the shell runs for each part.
  init(running line: String, _ policy: CommandQueue.Policy) throws(AudioError) {
    let ledgers = PartLedgers()
    self.ledgers = ledgers
    queue = try CommandQueue(
      line, policy, isWanted: { Pathname($0.subject).exists }, onOutcome: { ledgers.note($0) })
    ledgers.hand(to: queue.entry)
  }

  /// The list of the parts, which outputs fill.
  var work: any PartWork { ledgers }

  /// Takes parts on the thread that wrote them, so that their command starts at once.
  var early: @Sendable (RunEvent) -> Void {
    let ledgers = ledgers
    return { event in
      if case .part(let part) = event { ledgers.complete(part) }
    }
  }

  /// The parts that wait or run, and the age of the oldest one in seconds.
  var backlog: (count: Int, age: Double) {
    let backlog = queue.backlog
    return (backlog.count, backlog.age / .seconds(1))
  }

  func take(_ event: RunEvent, in log: RunLog) {
    switch event {
    case .started, .progress, .sessionEnded: look(log)
    default: break
    }
  }

  private func look(_ log: RunLog) {
    let resumed = ledgers.takeResumed()
    if let first = resumed.first {
      log.tell(.partCommand(.resumed(count: resumed.count, first: first)))
    }
    for outcome in queue.takeOutcomes() { tell(outcome, log) }
    if let error = ledgers.takeFailure(), !hasToldLedger {
      hasToldLedger = true
      log.tell(.partCommand(.unlisted(error)))
    }
    let untried = queue.untried
    if untried.count == 0 { hasToldBacklog = false }
    guard untried.count >= Self.longBacklog, !hasToldBacklog, queue.delayed.isEmpty else { return }
    hasToldBacklog = true
    log.tell(.partCommand(.late(waiting: untried.count, running: untried.running)))
  }

  private func tell(_ outcome: CommandQueue.Outcome, _ log: RunLog) {
    let (path, tries) = (outcome.subject, outcome.tries)
    switch outcome.result {
    case .failed(let reason, let isTriedAgain):
      failureCount += 1
      if tries == 1 || !isTriedAgain {
        log.tell(
          .partHandled(.init(path: path, state: .failed, tries: tries, failure: reason)))
      }
      let now = monotonicMilliseconds()
      untold += 1
      if let toldAt, isTriedAgain, now - toldAt < Self.toldInterval { return }
      let event: PartCommandEvent =
        untold == 1
        ? .failed(subject: path, reason: reason)
        : .failing(
          count: untold, waiting: queue.delayed.count, subject: path, reason: reason)
      untold = 0
      toldAt = isTriedAgain ? now : nil
      log.tell(.partCommand(event))
    case .done:
      log.tell(.partHandled(.init(path: path, state: .done, tries: tries)))
      guard tries > 1, toldAt != nil else { return }
      (toldAt, untold) = (nil, 0)
      log.tell(
        .partCommand(.recovered(subject: path, tries: tries, waiting: queue.backlog.count)))
    case .dropped, .refused:
      log.tell(.partHandled(.init(path: path, state: .dropped, tries: tries)))
    }
  }

  /// Waits until the command has run for all parts, or until a second signal. The next run tries again for those for
  /// which it has failed.
  ///
  /// - Returns: false if it was given up.
  func finish(_ control: SessionControl, _ log: RunLog) -> Bool {
    // A user who stops a recording in a terminal waits for the prompt.
    var patience = 20
    let left = queue.finish {
      patience -= 1
      if patience == 0, let subject = queue.untried.running {
        log.tell(.partCommand(.awaited(subject: subject)))
      }
      return control.request != .abandon
    }
    log.deliver()
    look(log)
    if left.isEmpty {
      log.tell(.partCommand(.left(ledgers.listed(queue.delayed))))
    } else {
      log.tell(.partCommand(.givenUp(left)))
    }
    ledgers.end()
    return left.isEmpty
  }
}

/// The parts that the command of `--on-part` has to run for, in its queue and in ledgers beside the parts, from which the
/// next run goes on. Any thread.
private final class PartLedgers: PartWork {
  private struct Content {
    /// By the pattern of the names.
    var ledgers: [String: FileLedger] = [:]
    /// The ledgers of open parts, by path.
    var owners: [String: FileLedger] = [:]
    var entry: CommandQueue.Entry?
    /// The parts of earlier runs.
    var resumed: [String] = []
  }

  private let content = Mutex(Content())

  /// Hands all parts to this queue. Call it before the first part.
  func hand(to entry: CommandQueue.Entry) { content.withLock { $0.entry = entry } }

  func expect(_ names: PartNames, synchronizing isSynchronizing: Bool) {
    let ledger = names.ledger(synchronizing: isSynchronizing)
    let parts = ledger.earlier.filter { names.match($0.path) }
    let entry = content.withLock { content in
      content.ledgers[names.pattern] = ledger
      for part in parts { content.owners[part.path] = ledger }
      content.resumed += parts.map(\.path)
      return content.entry
    }
    for earlier in parts {
      entry?.add(
        job(earlier.path, earlier.partDetails, since: Pathname(earlier.path).lastWrite),
        tries: earlier.state == .failed ? 1 : 0)
    }
  }

  func begin(_ part: RunEvent.Part, of names: PartNames) {
    let (ledger, entry) = content.withLock { content in
      let ledger = content.ledgers[names.pattern]
      content.owners[part.path] = ledger
      return (ledger, content.entry)
    }
    // With --force it may replace a part that waits.
    entry?.forget(part.path)
    ledger?.put(part.path, .begun, part.line)
  }

  func needs(_ path: String) -> Bool {
    content.withLock { $0.entry }?.needs(path) ?? false
  }

  func complete(_ part: RunEvent.Part) {
    let (ledger, entry) = content.withLock { ($0.owners[part.path], $0.entry) }
    ledger?.put(part.path, .complete, part.line)
    entry?.add(job(part.path, part.line, since: .now))
  }

  /// Notes the end of a run of the command.
  func note(_ outcome: CommandQueue.Outcome) {
    let path = outcome.subject
    if case .failed(_, isTriedAgain: true) = outcome.result {
      content.withLock { $0.owners[path] }?.put(path, .failed)
    } else {
      content.withLock { $0.owners.removeValue(forKey: path) }?.remove(path)
    }
  }

  /// Those of these parts that the next run hands on.
  func listed(_ paths: [String]) -> [String] {
    content.withLock { content in paths.filter { content.owners[$0] != nil } }
  }

  /// The parts of earlier runs that were handed on since the last call.
  func takeResumed() -> [String] { content.withLock { $0.resumed.takeAll() } }

  func takeFailure() -> AudioError? {
    content.withLock { Array($0.ledgers.values) }.compactMap { $0.takeFailure() }.first
  }

  func end() { content.withLock { Array($0.ledgers.values) }.forEach { $0.end() } }

  private func job(
    _ path: String, _ details: JSONValue, since: MonotonicTime
  ) -> CommandQueue.Job {
    CommandQueue.Job(
      for: path, environment: ["RAWAUDIO_PART": path, "RAWAUDIO_PART_JSON": details.compact],
      since: since)
  }
}

extension FileLedger.Entry {
  /// The line of docs/events.md, with the present path. A part that was cut has no known length.
  fileprivate var partDetails: JSONValue {
    guard case .object(let members)? = details else { return .object([("path", .path(path))]) }
    let isCut = state == .begun
    let changed = members.map { name, value -> (name: String, value: JSONValue) in
      switch name {
      case "path": (name, .path(path))
      case "samplesPerChannel" where isCut: (name, .null)
      case "bytes" where isCut: (name, Pathname(path).fileSize.map { .integer($0) }.orNull)
      default: (name, value)
      }
    }
    return .object(changed + (isCut ? [("cut", .boolean(true))] : []))
  }
}

extension Pathname {
  /// The time of the last write by the monotonic clock. The present one if that is unknown.
  fileprivate var lastWrite: MonotonicTime {
    var status = stat()
    let now = MonotonicTime.now
    guard unsafe stat(cString, &status) == 0 else { return now }
    let age = max(0, WallTime.now - WallTime.nanoseconds(status.st_mtim))
    return MonotonicTime(nanoseconds: now.nanoseconds - Int(age))
  }
}
