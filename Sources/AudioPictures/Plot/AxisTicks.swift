// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A labelled place on an axis.
struct AxisTick: Sendable, Hashable {
  /// From 0 at the beginning of the axis to 1.
  var place: Double
  var label: String
}

/// Chooses the labels of an axis: as many as have room.
enum AxisTicks {
  /// Frequencies of an axis of `length` pixels.
  ///
  /// - Parameters:
  ///   - spacing: the least distance from one label to the next, in pixels.
  ///   - highest: in hertz.
  static func frequencies(
    _ scale: FrequencyScale, to highest: Double, length: Int, spacing: Int
  ) -> [AxisTick] {
    var candidates: [Double] = []
    if scale == .linear {
      let steps = nice(leastStep(highest, length, spacing), [1, 2, 5, 10])
      candidates = Array(stride(from: 0, through: highest, by: steps))
    } else {
      // Decades come first, then the steps within them.
      if scale == .mel { candidates.append(0) }
      for factor in [1.0, 5, 2, 3, 1.5, 4, 7] {
        for power in 1...5 { candidates.append(factor * pow(10, Double(power))) }
      }
    }
    let lowest = scale.lowest(to: highest)
    return spaced(
      candidates.filter { $0 >= lowest && $0 <= highest }.map {
        AxisTick(place: scale.place(of: $0, to: highest), label: frequency($0))
      }, length: length, spacing: spacing)
  }

  /// For example `500 Hz`, `2.5 kHz`.
  static func frequency(_ hertz: Double) -> String {
    hertz >= 1_000 ? "\(plain(hertz / 1_000)) kHz" : "\(plain(hertz)) Hz"
  }

  /// Levels of a waveform whose axis reaches from −`limit` to `limit`.
  static func amplitudes(to limit: Double, length: Int, spacing: Int) -> [AxisTick] {
    func ticks(_ level: Double) -> [AxisTick] {
      let amplitude = Decibels.factor(level)
      guard amplitude <= limit * 1.0001 else { return [] }
      return [1.0, -1].map { sign in
        AxisTick(place: (1 + sign * amplitude / limit) / 2, label: "\(signed(level)) dBFS")
      }
    }
    // Full scale comes first.
    let candidates =
      ticks(0) + [AxisTick(place: 0.5, label: "\u{2212}∞ dBFS")]
      + [-6, -12, -3, 6, 12, 20].flatMap { ticks($0) }
    return spaced(candidates, length: length, spacing: spacing)
  }

  /// The levels beside the bar of colours.
  static func levels(_ range: ClosedRange<Double>, length: Int, spacing: Int) -> [AxisTick] {
    let span = range.upperBound - range.lowerBound
    let step = nice(leastStep(span, length, spacing), [1, 2, 3, 5, 10])
    let first = (range.lowerBound / step).rounded(.up) * step
    return stride(from: first, through: range.upperBound, by: step).map { level in
      let isLast = level + step > range.upperBound
      return AxisTick(
        place: (level - range.lowerBound) / span, label: signed(level) + (isLast ? " dBFS" : ""))
    }
  }

  /// Times of an axis of `length` pixels.
  ///
  /// - Parameters:
  ///   - start: of the axis, in seconds.
  ///   - duration: of the axis, in seconds.
  ///   - distance: the least distance between two labels, in pixels.
  ///   - labelLength: returns the length of a label in pixels.
  static func times(
    from start: Double, _ duration: Double, length: Int, distance: Int = 14,
    labelLength: (String) -> Double
  ) -> [AxisTick] {
    guard duration > 0 else { return [AxisTick(place: 0, label: "0 s")] }
    let end = start + duration
    for step in timeSteps where duration / step <= Double(length) / 8 {
      let first = (start / step - 1e-9).rounded(.up)
      let count = Int(((end / step + 1e-9).rounded(.down) - first).rounded())
      guard count >= 0 else { break }
      let ticks = (0...count).map { index in
        let time = (first + Double(index)) * step
        return AxisTick(place: (time - start) / duration, label: Self.time(time, step, end))
      }
      let longest = ticks.map { labelLength($0.label) }.max() ?? 0
      if step / duration * Double(length) >= longest + Double(distance) || count == 0 {
        return ticks
      }
    }
    return [AxisTick(place: 0, label: time(start, 1, end))]
  }

  private static let smallSteps: [Double] = [-5, -4, -3, -2, -1].flatMap { (power: Double) in
    [1, 2, 5].map { (digit: Double) in digit * pow(10, power) }
  }

  /// In seconds.
  private static let timeSteps: [Double] =
    smallSteps
    + [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 18_000, 36_000, 86_400]

  /// For example `0.25 s`, `1:30 min`, `2:00:00 h`: the unit depends on the end of the axis.
  private static func time(_ time: Double, _ step: Double, _ end: Double) -> String {
    if end <= 1e-2 { return "\(plain(time * 1_000)) ms" }
    if end < 100 { return "\(plain(time)) s" }
    let rounded = (time * 1_000).rounded() / 1_000
    let whole = Int(rounded)
    let fraction = step < 1 ? String(plain(rounded - Double(whole)).dropFirst()) : ""
    let (minutes, seconds) = (whole / 60, (whole % 60).padded(to: 2) + fraction)
    if end < 3_600 { return "\(minutes):\(seconds) min" }
    return "\(minutes / 60):\((minutes % 60).padded(to: 2)):\(seconds) h"
  }

  /// The least step on an axis that covers `span`: labels at the ends are moved in by half their height.
  private static func leastStep(_ span: Double, _ length: Int, _ spacing: Int) -> Double {
    span * 1.5 * Double(spacing) / Double(max(1, length))
  }

  /// The smallest step of `mantissas` × 10ⁿ that is at least `least`.
  private static func nice(_ least: Double, _ mantissas: [Double]) -> Double {
    let decade = pow(10, log10(max(least, 1e-9)).rounded(.down))
    return (mantissas.first { $0 * decade >= least * 0.999 } ?? 10) * decade
  }

  /// The ticks with room, sorted by place. Earlier candidates take precedence.
  private static func spaced(
    _ candidates: some Sequence<AxisTick>, length: Int, spacing: Int
  ) -> [AxisTick] {
    let half = min(0.5, Double(spacing) / 2 / Double(max(1, length)))
    // A label at an end is moved in by half its height.
    func shown(_ tick: AxisTick) -> Double { min(1 - half, max(half, tick.place)) }
    var chosen: [AxisTick] = []
    for tick in candidates {
      let isFree = chosen.allSatisfy { abs(shown($0) - shown(tick)) >= 2 * half * 0.999 }
      if isFree { chosen.append(tick) }
    }
    return chosen.sorted { $0.place < $1.place }
  }

  private static func signed(_ level: Double) -> String {
    level < 0 ? "\u{2212}" + plain(-level) : plain(level)
  }

  /// With as few digits as needed, at most five behind the point.
  private static func plain(_ value: Double) -> String {
    let scaled = Int((value * 100_000).rounded())
    let rest = scaled % 100_000
    guard rest != 0 else { return "\(scaled / 100_000)" }
    var digits = String("\(rest + 100_000)".dropFirst())
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(scaled / 100_000).\(digits)"
  }
}
