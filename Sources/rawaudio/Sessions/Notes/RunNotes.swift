// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Tells people of the beginning and of the end of a run. Session thread only.
final class RunNotes: RunReader {
  private let command: CommandSession
  /// What `--fail-on` may make a failure of.
  private(set) var conditions: Set<FailureCondition> = []
  /// Whether a signal ended a pipe or FIFO before anything came.
  private(set) var streamIsEmpty = false

  init(of command: CommandSession) { self.command = command }

  func take(_ event: RunEvent, in log: RunLog) {
    switch event {
    case .started(let summary):
      SessionDetails(of: command).describe(summary)
      DeviceNotes(of: command).tellStart()
    case .runFailed:
      let devices = DeviceNotes(of: command)
      devices.tellPauses()
      devices.noteTroubles()
      command.observers.notes.forEach(command.console.note)
    case .runEnded(let report, let signal): tell(report, signal)
    default: break
    }
  }

  private func tell(_ report: SessionReport, _ signal: Int32?) {
    SessionDetails(of: command).describe(report)
    let devices = DeviceNotes(of: command)
    devices.tellWakeUps()
    devices.tellPauses()
    if report.outcome == .abandoned { return }
    if let end = StreamEnd(of: command, report, by: signal) {
      end.notes.forEach(command.console.note)
      streamIsEmpty = end.isEmpty
    }
    conditions = SessionNotes(of: command).tell(report)
  }
}
