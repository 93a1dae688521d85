// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Runs a command for each alarm that begins or ends: once, one after another.
final class AlarmCommands: RunReader {
  private let queue: CommandQueue
  private var count = 0

  /// - Parameter line: the line that the shell runs.
  init(running line: String) throws(AudioError) {
    var policy = CommandQueue.Policy()
    policy.limit = .seconds(600)
    policy.mostWaiting = 100
    queue = try CommandQueue(line, policy)
  }

  func take(_ event: RunEvent, in log: RunLog) {
    switch event {
    case .alarm(let change):
      count += 1
      let state = change.begins ? "begin" : "end"
      queue.entry.add(
        CommandQueue.Job(
          for: "alarm \(count) (\(change.kind.rawValue), \(state))",
          environment: [
            "RAWAUDIO_ALARM": change.kind.rawValue, "RAWAUDIO_ALARM_STATE": state,
            "RAWAUDIO_ALARM_JSON": change.line.compact,
          ]))
    case .progress, .sessionEnded: look(log)
    default: break
    }
  }

  private func look(_ log: RunLog) {
    for outcome in queue.takeOutcomes() {
      switch outcome.result {
      case .failed(let reason, _):
        log.tell(.alarmCommand(subject: outcome.subject, reason: reason))
      case .refused:
        log.tell(.alarmCommand(subject: outcome.subject, reason: "too many alarms wait for it"))
      case .done, .dropped: break
      }
    }
  }

  /// Waits until the command has run for all alarms, or until a second signal.
  func finish(_ control: SessionControl, _ log: RunLog) {
    _ = queue.finish { control.request != .abandon }
    look(log)
  }
}
