// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioCore

// The gaps, pauses and wake-up delays of a device as text and as JSON. docs/events.md describes the members of
// the JSON objects.

extension DeviceGap {
  /// `1234 samples`, `1234 samples (estimated ±48)`, `an unknown number of samples`.
  private var extent: String {
    guard let lostSamples else { return "an unknown number of samples" }
    let accuracy = isEstimated ? " (estimated ±\(uncertainty))" : ""
    return "\(lostSamples) \(lostSamples == 1 ? "sample" : "samples")\(accuracy)"
  }

  /// The text of a mark in a file: `xrun 1234 samples (estimated ±48)`.
  var label: String { "\(cause.name) \(extent)" }

  /// `overrun at 0:00:12.345 (sample 592560): 1234 samples (estimated ±48)`, `overrun before --start: …`.
  func line(at sampleRate: Int) -> String {
    let times = occurrences > 1 ? ", \(occurrences) times" : ""
    return "\(cause.noun) \(begin(position, at: sampleRate)): \(extent)\(times)"
  }

  func members(at sampleRate: Int) -> [(name: String, value: JSONValue)] {
    [
      ("cause", .string(cause.name)), ("samplePosition", .integer(position)),
      ("sampleRate", .integer(Int64(sampleRate))),
      ("lostSamples", lostSamples.map { .integer($0) } ?? .null),
      ("estimated", .boolean(isEstimated)), ("uncertainty", .integer(uncertainty)),
      ("occurrences", .integer(Int64(occurrences))),
    ]
  }
}

extension DeviceGap.Cause {
  fileprivate var name: String {
    switch self {
    case .xrun: "xrun"
    case .suspend: "suspend"
    case .ringOverflow: "overflow"
    case .fault: "fault"
    case .deviceLost: "lost"
    }
  }

  fileprivate var noun: String {
    switch self {
    case .xrun: "overrun"
    case .suspend: "suspend"
    case .ringOverflow: "full ring"
    case .fault: "restart"
    case .deviceLost: "lost device"
    }
  }
}

extension DeviceGaps {
  /// How many gaps the notes list by default.
  private static let usualListLength = 20

  /// `1234 samples per channel lost (estimated ±48)`; nil if no loss is known.
  var loss: String? {
    guard lostSamples > 0 else { return nil }
    let accuracy =
      estimatedSamples == 0
      ? ""
      : countedSamples == 0 ? " (estimated ±\(uncertainty))" : " (partly estimated ±\(uncertainty))"
    return "\(lostSamples) \(lostSamples == 1 ? "sample" : "samples") per channel lost\(accuracy)"
  }

  /// A line for each of the first gaps, then a line that counts the rest.
  ///
  /// - Parameters:
  ///   - input: the input that has the gaps.
  ///   - listsAll: whether to list every gap that is remembered.
  func lines(of input: SessionInput, at sampleRate: Int, listsAll: Bool) -> [String] {
    let shown = listsAll ? list[...] : list.prefix(Self.usualListLength)
    let lines = shown.map { input.located($0, at: sampleRate).line(at: sampleRate) }
    let rest = count - shown.count
    if rest == 0 { return lines }
    let hint = listsAll ? "" : "; --json or -v lists them"
    return lines + ["and \(rest) more \(rest == 1 ? "gap" : "gaps")\(hint)"]
  }

  func json(of input: SessionInput, at sampleRate: Int) -> JSONValue {
    .object([
      ("count", .integer(Int64(count))), ("lostSamples", .integer(lostSamples)),
      ("countedSamples", .integer(countedSamples)),
      ("estimatedSamples", .integer(estimatedSamples)), ("uncertainty", .integer(uncertainty)),
      ("unknown", .integer(Int64(unknownCount))), ("unlisted", .integer(Int64(unlistedCount))),
      (
        "list",
        .array(
          list.map { .object(input.located($0, at: sampleRate).members(at: sampleRate)) })
      ),
    ])
  }
}

extension DevicePause {
  /// `at 0:00:12.345 (sample 592560) for 3.2 s`, `before --start for 3.2 s`.
  func line(at sampleRate: Int) -> String {
    "\(begin(position, at: sampleRate)) for \((duration / .seconds(1)).decimal(1)) s"
  }

  func json(at sampleRate: Int) -> JSONValue {
    .object([
      ("samplePosition", .integer(position)), ("sampleRate", .integer(Int64(sampleRate))),
      ("seconds", .number((duration / .seconds(1)).roundedToThousandths)),
    ])
  }
}

extension WakeUpStatistics {
  /// `1988 times, late by 63 µs (median), 111 µs (99 %), 3666 µs (at most)`.
  var line: String {
    "\(count) times, late by \(median.inMicroseconds) µs (median),"
      + " \(percentile99.inMicroseconds) µs (99 %), \(longest.inMicroseconds) µs (at most)"
  }

  var json: JSONValue {
    .object([
      ("count", .integer(Int64(count))), ("median", .integer(median.inMicroseconds)),
      ("percentile99", .integer(percentile99.inMicroseconds)),
      ("longest", .integer(longest.inMicroseconds)),
      ("histogram", .array(histogram.map(\.json))),
    ])
  }
}

extension WakeUpStatistics.DelayClass {
  fileprivate var json: JSONValue {
    .array([.integer(longest.inMicroseconds), .integer(Int64(count))])
  }
}

/// Where in an input something begins: `at 0:00:12.345 (sample 592560)`.
///
/// - Parameter position: in samples per channel from `--start` on; negative before that.
private func begin(_ position: Int64, at sampleRate: Int) -> String {
  position < 0
    ? "before --start" : "at \(clockTime(position, at: sampleRate)) (sample \(position))"
}

extension Duration {
  var inMicroseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}

extension Double {
  /// Figures in notes and in JSON are rounded like this.
  var roundedToThousandths: Double { (self * 1_000).rounded() / 1_000 }
}
