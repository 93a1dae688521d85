// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
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

/// Tells the events of observers.
struct ObserverEventReader: RunReader {
  let command: CommandSession

  func take(_ event: RunEvent, in log: RunLog) {
    switch event {
    case .progress, .sessionEnded: command.observers.takeEvents().forEach(log.tell)
    default: break
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

/// Appends the events of a run to a log, a line of JSON each, as they come: they survive a kill of the program.
final class LogReader: RunReader {
  private let path: String
  private let lines: BackgroundLines
  private let console: Console

  /// - Parameters:
  ///   - path: the log, or a pattern of times.
  ///   - civilTime: the zone of those times.
  init(
    to path: String, in civilTime: CivilTime, on console: Console
  ) throws(AudioError) {
    self.path = path
    self.console = console
    lines = BackgroundLines(
      log: try LogNames(path, in: civilTime).series(.events), name: path,
      on: try BackgroundWriter(),
      overflow: .drop)
  }

  func take(_ event: RunEvent, in log: RunLog) {
    switch event {
    case .runEnded, .runFailed:
      do {
        try lines.close(.finished)
      } catch {
        console.note("--log: \(error)")
      }
    default:
      guard let line = event.described?.line else { return }
      _ = try? lines.write(line: line.compact)
    }
  }
}

extension LogKind {
  /// The lines of docs/events.md.
  static let events = LogKind(beginning: Array("{\"schema\":".utf8))
}
