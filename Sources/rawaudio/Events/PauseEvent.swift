// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

extension RunEvent {
  /// A recording pauses outside of the times of `--record`, or goes on.
  struct Pause: DescribedEvent, Sendable {
    let output: String
    let change: ScheduledSink.Change
    let civilTime: CivilTime

    static let name = "pause"
    static let members: [Member<Pause>] = [
      Member("name") { .path($0.output) },
      Member("state") { .string($0.begins ? "begin" : "end") },
      Member("samplePosition") { .integer($0.change.position) },
      Member("sampleRate") { .count($0.change.sampleRate) },
      Member("time") { .string($0.civilTime.description(of: $0.change.time)) },
      Member(optional: "until") { pause in
        guard case .paused(let end) = pause.change.kind else { return nil }
        return end.map { .string(pause.civilTime.text(ofSecond: $0)) } ?? .null
      },
      Member(optional: "seconds") { $0.seconds.map { .figure($0) } },
    ]

    var begins: Bool { if case .paused = change.kind { true } else { false } }

    /// `until 2027-03-28T04:00:00+02:00`; nil at the end of a pause.
    var end: String? {
      guard case .paused(let end) = change.kind else { return nil }
      return end.map { "until \(civilTime.text(ofSecond: $0))" } ?? "for good"
    }

    /// Its length; nil at its begin.
    private var seconds: Double? {
      guard case .resumed(let length) = change.kind else { return nil }
      return Double(length) / Double(change.sampleRate)
    }

    var isSpokenBesideJSON: Bool { true }

    var sentences: [Sentence] {
      if let end { return [.note("'\(output)' pauses \(end), by --record")] }
      return [.detail("'\(output)' goes on after \((seconds ?? 0).decimal(1)) s")]
    }
  }
}
