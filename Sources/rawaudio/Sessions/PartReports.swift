// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Tells of every part of a recording that is complete, and has a command run for it.
///
/// A part is handed to the command by the thread that wrote it, at once; everything else is the main thread's.
final class PartReports {
  /// So many parts behind, the command is told to be too slow.
  private static let longBacklog = 10
  private let command: CommandSession
  private let inbox = Mailbox<JSONValue>()
  private let queue: CommandQueue?
  private var hasToldBacklog = false

  private var console: Console { command.console }

  /// - Parameter line: what the shell runs for each part; nil = nothing.
  init(of command: CommandSession, running line: String?) throws(AudioError) {
    self.command = command
    queue = try line.map { (line) throws(AudioError) in try CommandQueue(line) }
  }

  /// Follows the parts from now on.
  func begin(_ summary: SessionSummary) {
    for sink in summary.sinks {
      let (place, format, inbox, entry) = (sink.place, sink.format, inbox, queue?.entry)
      command.outputs[place]?.followParts { part in
        let line = part.json(in: place, format)
        // Of the only file the summary tells.
        if !part.isWhole { inbox.put(line) }
        entry?.add(
          CommandQueue.Job(
            for: part.path,
            environment: ["RAWAUDIO_PART": part.path, "RAWAUDIO_PART_JSON": line.compact]))
      }
    }
  }

  /// Tells what is new. Call it now and then, and once more before the observers are completed.
  func announce() {
    for line in inbox.take() { command.tell(line) }
    guard let queue else { return }
    for failure in queue.takeFailures() {
      console.note("--on-part for '\(failure.subject)': \(failure.reason)")
    }
    tellBacklog(queue.backlog)
  }

  private func tellBacklog(_ backlog: (waiting: Int, running: String?)) {
    if backlog.waiting == 0 { hasToldBacklog = false }
    guard backlog.waiting >= Self.longBacklog, !hasToldBacklog else { return }
    hasToldBacklog = true
    let busy = backlog.running.map { ", while '\($0)' is not done" } ?? ""
    console.note("--on-part is too slow: \(backlog.waiting) parts wait for it\(busy)")
  }

  /// Waits until the command was run for all parts, or until a second signal.
  ///
  /// - Returns: false where it was given up.
  func finish(_ control: SessionControl) -> Bool {
    guard let queue else { return true }
    // Who stops a recording in a terminal waits for the prompt.
    var patience = 20
    let left = queue.finish {
      patience -= 1
      if patience == 0, let subject = queue.backlog.running {
        console.note("waiting for --on-part of '\(subject)'; a second signal gives it up")
      }
      return control.request != .abandon
    }
    announce()
    if left.isEmpty { return true }
    let rest = left.count > 1 ? ", and was not run for \(left.count - 1) more" : ""
    console.note("--on-part was given up for '\(left[0])'\(rest)")
    return false
  }
}

extension FinishedPart {
  /// As `docs/events.md` describes it.
  fileprivate func json(in place: SinkPlace, _ format: StreamFormat) -> JSONValue {
    .event(
      "part",
      [
        ("place", .string(place.rawValue)), ("path", .path(path)),
        ("index", .integer(Int64(index))), ("position", .integer(position)),
        ("samplesPerChannel", .integer(samplesPerChannel)),
        ("sampleRate", .integer(Int64(format.sampleRate))),
        ("channels", .integer(Int64(format.channelCount))),
        ("bytes", Pathname(path).fileSize.map { .integer($0) } ?? .null),
      ])
  }
}
