// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Writes events for programs as lines of JSON: to each observer that writes JSON, and with `--json` to standard error.
/// Prints events for people as notes and details on standard error.
struct EventReader: RunReader {
  let command: CommandSession

  func take(_ event: RunEvent, in log: RunLog) {
    if let described = event.described {
      let line = described.line
      command.observers.tell(line)
      if command.timeline.tellsJSON {
        command.console.json(line)
        if !described.isSpokenBesideJSON { return }
      }
    }
    for sentence in event.sentences {
      switch sentence {
      case .note(let text): command.console.note(text)
      case .reason(let text): command.console.result(text)
      case .detail(let text): command.console.detail(text)
      }
    }
  }
}

/// Reports a SIGUSR1 to a run that begins no parts.
struct SplitRefusalReader: RunReader {
  let command: CommandSession
  let signal: SplitSignal

  func take(_ event: RunEvent, in log: RunLog) {
    guard case .progress = event, signal.takeUnanswered() else { return }
    let reason = command.orderedOutputs.compactMap(\.refusalOfParts).first
    log.tell(.splitRefused(reason: reason))
  }
}
