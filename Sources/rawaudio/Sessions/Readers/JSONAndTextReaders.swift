// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Tells programs what happens, in lines of JSON: each observer that wants them, and with `--json` standard error.
struct JSONReader: RunReader {
  let command: CommandSession

  func take(_ event: RunEvent, in log: RunLog) {
    guard let line = event.described?.line else { return }
    command.observers.tell(line)
    if command.timeline.tellsJSON { command.console.json(line) }
  }
}

/// Tells people what happens, in notes and details on standard error.
struct TextReader: RunReader {
  let command: CommandSession

  func take(_ event: RunEvent, in log: RunLog) {
    if command.timeline.tellsJSON, event.described?.isSpokenBesideJSON == false { return }
    for sentence in event.sentences {
      switch sentence {
      case .note(let text): command.console.note(text)
      case .detail(let text): command.console.detail(text)
      }
    }
  }
}

/// Tells that SIGUSR1 came to a run that begins no parts.
struct SplitRefusalReader: RunReader {
  let command: CommandSession
  let signal: SplitSignal

  func take(_ event: RunEvent, in log: RunLog) {
    guard case .progress = event, signal.takeUnanswered() else { return }
    let reason = command.orderedOutputs.compactMap(\.refusalOfParts).first
    log.tell(.splitRefused(reason: reason))
  }
}
