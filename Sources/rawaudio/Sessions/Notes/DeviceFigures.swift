// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

// The gaps, pauses, wake-up delays and the clock of a device as text and as JSON. docs/events.md describes the JSON
// members.

extension DeviceGaps {
  /// `1234 samples per channel lost (estimated ±48)`. Nil if no loss is known.
  var loss: String? {
    guard lostSamplesPerChannel > 0 else { return nil }
    let accuracy =
      estimatedSamplesPerChannel == 0
      ? ""
      : countedSamplesPerChannel == 0
        ? " (estimated ±\(uncertainty))" : " (partly estimated ±\(uncertainty))"
    return "\(lostSamplesPerChannel.counted("sample")) per channel lost\(accuracy)"
  }

  func json(of input: SessionInput, at sampleRate: Int) -> JSONValue {
    .object([
      ("count", .count(count)), ("lostSamples", .integer(lostSamplesPerChannel)),
      ("countedSamples", .integer(countedSamplesPerChannel)),
      ("estimatedSamples", .integer(estimatedSamplesPerChannel)),
      ("uncertainty", .integer(uncertainty)),
      ("unknown", .count(unknownCount)), ("unlisted", .count(unlistedCount)),
      (
        "list",
        .array(list.map { LocatedGap.members.object(input.locatedGap($0, at: sampleRate)) })
      ),
    ])
  }
}

extension SessionInput {
  /// A gap of its device, located in the used part.
  func locatedGap(_ gap: DeviceGap, at sampleRate: Int) -> LocatedGap {
    var gap = gap
    gap.position = located(gap.position)
    return LocatedGap(gap: gap, sampleRate: sampleRate)
  }
}

extension DevicePause {
  /// `at 0:00:12.345 (sample 592560) for 3.2 s`, `before --start for 3.2 s`.
  func line(of input: SessionInput, at sampleRate: Int) -> String {
    let place = DeviceGap.place(input.located(position), at: sampleRate)
    return "\(place) for \((duration / .seconds(1)).decimal(1)) s"
  }

  func json(of input: SessionInput, at sampleRate: Int) -> JSONValue {
    .object([
      ("samplePosition", .integer(input.located(position))),
      ("sampleRate", .count(sampleRate)), ("seconds", .figure(duration / .seconds(1))),
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
      ("count", .count(count)), ("median", .integer(median.inMicroseconds)),
      ("percentile99", .integer(percentile99.inMicroseconds)),
      ("longest", .integer(longest.inMicroseconds)),
      (
        "histogram",
        .array(histogram.map { .array([.integer($0.longest.inMicroseconds), .count($0.count)]) })
      ),
    ])
  }
}

extension ClockDrift {
  /// `3.2 ppm fast (±0.9), measured over 10.012 s`.
  var line: String {
    let speed = partsPerMillion < 0 ? "slow" : "fast"
    return "\(abs(partsPerMillion.roundedToThousandths)) ppm \(speed)"
      + " (±\(uncertainty.roundedToThousandths)), measured over"
      + " \((span / .seconds(1)).roundedToThousandths) s"
  }

  var json: JSONValue {
    .object([
      ("partsPerMillion", .figure(partsPerMillion)), ("uncertainty", .figure(uncertainty)),
      ("seconds", .figure(span / .seconds(1))),
    ])
  }
}

extension Duration {
  var inMicroseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
