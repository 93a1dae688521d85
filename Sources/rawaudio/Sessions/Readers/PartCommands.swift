// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

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
