// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc

/// Prints the notes at the beginning and the end of a run. Session thread only.
final class RunNotes: RunReader {
  private let command: CommandSession
  /// The conditions that `--fail-on` may make a failure.
  private(set) var conditions: Set<FailureCondition> = []
  /// Whether a signal ended a pipe or FIFO before its first sample.
  private(set) var streamIsEmpty = false

  init(of command: CommandSession) { self.command = command }

  func take(_ event: RunEvent, in log: RunLog) {
    let devices = DeviceNotes(of: command)
    switch event {
    case .started(let summary):
      SessionDetails(of: command).describe(summary)
      devices.tellStart()
    case .runFailed:
      devices.tellPauses()
      devices.noteTroubles()
      command.observers.notes.forEach(command.console.note)
    case .runEnded(let report, let signal):
      SessionDetails(of: command).describe(report)
      devices.tellWakeUps()
      devices.tellPauses()
      if report.outcome == .abandoned { return }
      if let signal, command.liveness == .stream, report.outcome == .stopped {
        tellStreamEnd(report, by: signal)
      }
      conditions = SessionNotes(of: command).tell(report)
    default: break
    }
  }

  /// Prints the length of each file or stream that a signal completed, in the order of the session.
  private func tellStreamEnd(_ report: SessionReport, by signal: Int32) {
    let end = "\(Self.name(of: signal)) ended the input"
    func length(_ count: Int64, _ format: StreamFormat) -> String {
      "\(count) samples per channel (\((Double(count) / Double(format.sampleRate)).decimal(3)) s)"
    }
    let kept = report.sinks.filter { command.outputs[$0.place]?.isSoundFile == true }
    guard let source = report.sources.first else {
      streamIsEmpty = true
      return command.console.note("\(end) before anything came")
    }
    if kept.isEmpty {
      command.console.note("\(end) after \(length(source.samplesPerChannel, source.format))")
    }
    for sink in kept {
      let name = command.outputs[sink.place]?.name ?? ""
      command.console.note(
        "\(end); '\(name)' is complete, with \(length(sink.samplesPerChannel, sink.format))")
    }
  }

  private static func name(of signal: Int32) -> String {
    switch signal {
    case SIGINT: "SIGINT"
    case SIGTERM: "SIGTERM"
    case SIGHUP: "SIGHUP"
    default: "signal \(signal)"
    }
  }
}
