// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Runs a command for each complete part of a recording.
final class PartCommands: RunReader {
  /// The number of waiting parts from which the command is reported as slow.
  private static let longBacklog = 10
  private let queue: CommandQueue
  private var hasToldBacklog = false

  /// - Parameter line: the line that the shell runs for each part.
  init(running line: String) throws(AudioError) { queue = try CommandQueue(line) }

  /// Takes parts on the thread that wrote them, so that their command starts at once.
  var early: @Sendable (RunEvent) -> Void {
    let entry = queue.entry
    return { event in
      guard case .part(let part) = event else { return }
      let path = part.path
      entry.add(
        CommandQueue.Job(
          for: path,
          environment: ["RAWAUDIO_PART": path, "RAWAUDIO_PART_JSON": part.line.compact]))
    }
  }

  /// Whether a part is still needed: its command waits, runs or has failed. Any thread.
  var spares: @Sendable (String) -> Bool {
    let entry = queue.entry
    return { entry.needs($0) }
  }

  func take(_ event: RunEvent, in log: RunLog) {
    switch event {
    case .progress, .sessionEnded: look(log)
    default: break
    }
  }

  private func look(_ log: RunLog) {
    for failure in queue.takeFailures() {
      log.tell(.partCommand(.failed(subject: failure.subject, reason: failure.reason)))
    }
    let backlog = queue.backlog
    if backlog.waiting == 0 { hasToldBacklog = false }
    guard backlog.waiting >= Self.longBacklog, !hasToldBacklog else { return }
    hasToldBacklog = true
    log.tell(.partCommand(.late(waiting: backlog.waiting, running: backlog.running)))
  }

  /// Waits until the command has run for all parts, or until a second signal.
  ///
  /// - Returns: false if it was given up.
  func finish(_ control: SessionControl, _ log: RunLog) -> Bool {
    // A user who stops a recording in a terminal waits for the prompt.
    var patience = 20
    let left = queue.finish {
      patience -= 1
      if patience == 0, let subject = queue.backlog.running {
        log.tell(.partCommand(.awaited(subject: subject)))
      }
      return control.request != .abandon
    }
    log.deliver()
    look(log)
    if left.isEmpty { return true }
    log.tell(.partCommand(.givenUp(left)))
    return false
  }
}
