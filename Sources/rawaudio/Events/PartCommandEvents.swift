// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

extension RunEvent {
  /// The command of `--on-part` has ended for a part: with success, or with its first failure.
  struct PartHandling: DescribedEvent, Sendable {
    enum State: String, Sendable {
      case done
      case failed
      /// The part was gone.
      case dropped
    }

    let path: String
    let state: State
    /// How often the command has run for it.
    let tries: Int
    /// The reason of a failure.
    var failure: String?

    static let name = "part-command"
    static let members: [Member<PartHandling>] = [
      Member("path") { .path($0.path) },
      Member("state") { .string($0.state.rawValue) },
      Member("tries") { .count($0.tries) },
      Member("error") { $0.failure.map { .string($0) }.orNull },
    ]

    var isSpokenBesideJSON: Bool { true }

    var sentences: [Sentence] {
      state == .dropped ? [.note("--on-part is not run for '\(path)': it is gone")] : []
    }
  }
}

/// The command of `--on-part` failed, succeeded again, or is slow.
enum PartCommandEvent: Sendable {
  case failed(subject: String, reason: String)
  /// The failures since the last line, and the parts that wait.
  case failing(count: Int, waiting: Int, subject: String, reason: String)
  /// It has succeeded for a part for which it had failed.
  case recovered(subject: String, tries: Int, waiting: Int)
  /// The number of parts that wait for it.
  case late(waiting: Int, running: String?)
  /// Parts of earlier runs are handed on.
  case resumed(count: Int, first: String)
  /// The run is over and waits for the command.
  case awaited(subject: String)
  /// The parts whose command was ended or never run.
  case givenUp([String])
  /// The parts for which it has failed at the end of the run.
  case left([String])
  /// The list of parts for the next run cannot be written.
  case unlisted(AudioError)

  var sentences: [Sentence] {
    switch self {
    case .failed(let subject, let reason): return [.note("--on-part for '\(subject)': \(reason)")]
    case .failing(let count, let waiting, let subject, let reason):
      let parts = "\(waiting.counted("part")) wait\(waiting == 1 ? "s" : "") for it"
      let text = "--on-part has failed \(count.counted("more time")), and \(parts)"
      return [.note("\(text); the last time for '\(subject)': \(reason)")]
    case .recovered(let subject, let tries, let waiting):
      let rest = waiting == 0 ? "" : "; \(waiting.counted("more part")) wait for it"
      return [.note("--on-part for '\(subject)' has succeeded at try \(tries)\(rest)")]
    case .late(let waiting, let running):
      let busy = running.map { ", while '\($0)' is not done" } ?? ""
      return [.note("--on-part is too slow: \(waiting) parts wait for it\(busy)")]
    case .resumed(let count, let first):
      let more = count == 1 ? "" : " and \(count - 1) more"
      return [.note("--on-part goes on with '\(first)'\(more), left by an earlier run")]
    case .awaited(let subject):
      return [.note("waiting for --on-part of '\(subject)'; a second signal gives it up")]
    case .givenUp(let subjects):
      guard let first = subjects.first else { return [] }
      let count = subjects.count - 1
      let rest = count > 0 ? ", and was not run for \(count) more" : ""
      return [.reason("--on-part was given up for '\(first)'\(rest)")]
    case .left(let subjects):
      guard let first = subjects.first else { return [] }
      let more = subjects.count > 1 ? " and \(subjects.count - 1) more" : ""
      return [.note("--on-part has failed for '\(first)'\(more): the next run tries again")]
    case .unlisted(let error):
      return [.note("--on-part: \(error); the next run may not hand on all parts of this one")]
    }
  }
}
