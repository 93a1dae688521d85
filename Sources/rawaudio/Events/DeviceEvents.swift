// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A gap, with its position in the used part of an input.
struct LocatedGap: Sendable {
  /// Its position is negative before that part.
  let gap: DeviceGap
  /// The sample rate of the input in hertz.
  let sampleRate: Int

  static let members: [Member<LocatedGap>] = [
    Member("cause") { .string($0.gap.cause.name) },
    Member("samplePosition") { .integer($0.gap.position) },
    Member("sampleRate") { .count($0.sampleRate) },
    Member("lostSamples") { $0.gap.lostSamplesPerChannel.map { .integer($0) }.orNull },
    Member("estimated") { .boolean($0.gap.isEstimated) },
    Member("uncertainty") { .integer($0.gap.uncertainty) },
    Member("occurrences") { .count($0.gap.occurrences) },
  ]

  /// `overrun at 0:00:12.345 (sample 592560): 1234 samples (estimated ±48)`, `overrun before --start: …`.
  var text: String {
    let place = DeviceGap.place(gap.position, at: sampleRate)
    let times = gap.occurrences > 1 ? ", \(gap.occurrences) times" : ""
    return "\(gap.cause.noun) \(place): \(gap.extent)\(times)"
  }
}

extension DeviceGap {
  /// `1234 samples`, `1234 samples (estimated ±48)`, `no sample lost`, `an unknown number of samples`.
  fileprivate var extent: String {
    guard let lostSamplesPerChannel else { return "an unknown number of samples" }
    if lostSamplesPerChannel == 0, !isEstimated { return "no sample lost" }
    let accuracy = isEstimated ? " (estimated ±\(uncertainty))" : ""
    return lostSamplesPerChannel.counted("sample") + accuracy
  }

  /// The text of a mark in a file: `xrun 1234 samples (estimated ±48)`.
  var label: String { "\(cause.name) \(extent)" }

  /// A position in an input: `at 0:00:12.345 (sample 592560)`.
  ///
  /// - Parameter position: in samples per channel from `--start`. Negative before it.
  static func place(_ position: Int64, at sampleRate: Int) -> String {
    position < 0
      ? "before --start" : "at \(clockTime(position, at: sampleRate)) (sample \(position))"
  }
}

extension RunEvent {
  /// A device lost samples.
  struct Gap: DescribedEvent {
    let source: SourceKey
    let device: String
    let gap: LocatedGap
    /// The time of day of its start, with its zone. Nil if unknown.
    let time: String?
    /// Whether people get a note at once, and not only at the end.
    let isNoted: Bool

    static let name = "gap"
    static let members =
      [
        Member<Gap>("source") { .string($0.source.id.description) },
        Member<Gap>(optional: "group") { $0.source.group.map { .string($0.description) } },
        Member<Gap>("device") { .string($0.device) },
      ] + LocatedGap.members.lifted { $0.gap }
      + [Member<Gap>(optional: "time") { $0.time.map { .string($0) } }]

    var sentences: [Sentence] { isNoted ? [.note("device '\(device)': \(gap.text)")] : [] }
  }

  /// A lost device whose return is awaited. Programs get an alarm instead.
  struct Absence: Sendable {
    let device: String
    let absence: Disconnection
    let sampleRate: Int
    /// Whether outputs skip the gap. Otherwise silence fills it.
    let isLeftOut: Bool

    var sentences: [Sentence] {
      if case .paused = absence {
        return [.detail("device '\(device)' is closed until it is needed")]
      }
      if case .resumed = absence { return [.detail("device '\(device)' is needed again")] }
      guard let words else { return [] }
      return [.note("device '\(device)' \(words)")]
    }

    private var words: String? {
      switch absence {
      case .began(let loss, _): return "is gone: \(loss.reason); waiting for it"
      case .unusable(let reason):
        return "cannot be used as before: \(reason.reasonAndAdvice); waiting on"
      case .ended(let gap, isBack: true):
        let length = gap.lostSamplesPerChannel ?? 0
        let seconds = (Double(length) / Double(sampleRate)).decimal(1)
        let fate = isLeftOut ? "are left out" : "of silence"
        return
          "is back after \(seconds) s: \(length) samples (estimated ±\(gap.uncertainty)) \(fate)"
      case .lasts, .ended, .paused, .resumed: return nil
      }
    }
  }
}
