// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Glibc

extension RunEvent {
  /// A part of a recording, or the only file, is complete.
  struct Part: DescribedEvent, Sendable {
    let path: String
    /// The number of parts before it. Nil for the only file.
    let index: Int?
    /// Its start, in samples per channel of the stream.
    var position: Int64 = 0
    let samplesPerChannel: Int64
    /// The time of its first sample, in nanoseconds since 1970. Nil if unknown.
    var time: Int64?
    let civilTime: CivilTime
    /// The summary of its output.
    let sink: SessionSummary.Sink
    /// The size of its file in bytes. Nil if the file is already gone.
    let bytes: Int64?

    static let name = "part"
    static let members: [Member<Part>] = [
      Member("place") { .string($0.sink.place.description) },
      Member("path") { .path($0.path) },
      Member("index") { .count($0.index ?? 0) },
      Member("position") { .integer($0.position) },
      Member(optional: "time") { part in
        part.time.map { .string(part.civilTime.description(of: $0)) }
      },
      Member("samplesPerChannel") { .integer($0.samplesPerChannel) },
      Member("sampleRate") { .count($0.sink.format.sampleRate) },
      Member("channels") { .count($0.sink.format.channelCount) },
      Member("bytes") { $0.bytes.map { .integer($0) }.orNull },
    ]

    var isSpokenBesideJSON: Bool { true }

    var sentences: [Sentence] {
      let time = time.map { ", from \(civilTime.description(of: $0))" } ?? ""
      let samples = "samples \(position) to \(position + samplesPerChannel)"
      return [.detail("part '\(path)': \(samples)\(time)")]
    }
  }

  /// The wall clock was set.
  struct ClockChange: DescribedEvent, Sendable {
    let output: String
    let step: ClockStep
    let civilTime: CivilTime

    static let name = "clock-step"
    static let members: [Member<ClockChange>] = [
      Member("name") { .path($0.output) },
      Member("samplePosition") { .integer($0.step.position) },
      Member("sampleRate") { .count($0.step.sampleRate) },
      Member("seconds") { .figure(Double($0.step.nanoseconds) / 1e9) },
      Member("time") { .string($0.time) },
    ]

    var sentences: [Sentence] {
      let text =
        "'\(output)': the clock went \(distance) at sample \(step.position), and shows \(time)"
      return [.note(text)]
    }

    private var time: String { civilTime.description(of: step.time) }

    /// The size and the direction of the step: `1:00:00.000 forward`.
    private var distance: String {
      let milliseconds = Int64((step.nanoseconds.magnitude + 500_000) / 1_000_000)
      return "\(clockTime(milliseconds, at: 1_000)) \(step.nanoseconds < 0 ? "back" : "forward")"
    }
  }

  /// An old part was removed, or its removal failed.
  struct Removal: DescribedEvent, Sendable {
    let output: String
    let removal: PartRemoval

    static let name = "part-removed"
    static let members: [Member<Removal>] = [
      Member("name") { .path($0.output) },
      Member("path") { .path($0.removal.path) },
      Member("bytes") { .integer($0.removal.bytes) },
      Member("cause") { .string($0.removal.cause.rawValue) },
      Member("error") { $0.removal.failure.map { .string($0) }.orNull },
    ]

    var sentences: [Sentence] {
      let path = removal.path
      if let failure = removal.failure {
        return [.note("cannot remove the old part '\(path)': \(failure); it stays")]
      }
      let reason =
        switch removal.cause {
        case .age: "it is older than --keep says"
        case .size: "all are larger than --keep says"
        case .free: "the disk has less room than --keep says"
        }
      return [.detail("removed '\(path)', \(removal.bytes) bytes: \(reason)")]
    }
  }
}

extension RunEvent {
  /// Samples of a recording in parts are not written, because the disk was full.
  struct OutputGap: DescribedEvent, Sendable {
    let output: String
    /// In samples per channel of the output's stream.
    let samples: Range<Int64>
    let sampleRate: Int
    /// Of the first of them, in nanoseconds since 1970.
    let time: Int64
    let civilTime: CivilTime

    static let name = "output-gap"
    static let members: [Member<OutputGap>] = [
      Member("name") { .path($0.output) },
      Member("cause") { _ in .string("full") },
      Member("samplePosition") { .integer($0.samples.lowerBound) },
      Member("sampleRate") { .count($0.sampleRate) },
      Member("lostSamples") { .integer(Int64($0.samples.count)) },
      Member("time") { .string($0.civilTime.description(of: $0.time)) },
    ]

    var sentences: [Sentence] {
      let seconds = (Double(samples.count) / Double(sampleRate)).decimal(1)
      let place = DeviceGap.place(samples.lowerBound, at: sampleRate)
      return [
        .note(
          "'\(output)': the disk was full for \(seconds) s \(place): \(samples.count) samples are left out"
        )
      ]
    }
  }
}

extension Pathname {
  /// The size in bytes of the regular file with this name. Nil if there is none. The corresponding C function is
  /// `stat`.
  var fileSize: Int64? {
    var status = stat()
    guard unsafe stat(cString, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int64(status.st_size)
  }
}

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
