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

  /// The widest labels of the axis of a waveform.
  static func widestAmplitudes(_ options: PlotOptions) -> [String] {
    [options.fitsLevels ? "\u{2212}120 dBFS" : "\u{2212}12 dBFS", "\u{2212}∞ dBFS"]
  }

  /// Levels of a waveform on its axis.
  static func amplitudes(_ axis: WaveformAxis, length: Int, spacing: Int) -> [AxisTick] {
    func ticks(_ level: Double) -> [AxisTick] {
      let amplitude = Decibels.factor(level)
      guard amplitude <= axis.limit * 1.0001 else { return [] }
      return [1.0, -1].map { sign in
        AxisTick(place: axis.place(of: sign * amplitude), label: "\(signed(level)) dBFS")
      }
    }
    let middle = AxisTick(
      place: 0.5, label: axis.lowest.map { "\(signed($0)) dBFS" } ?? "\u{2212}∞ dBFS")
    // The end of the axis comes first: full scale, unless the axis fits the sound.
    let end = axis.limit > 1 ? 0 : Decibels.level(axis.limit).rounded()
    let steps: [Double] =
      axis.lowest == nil
      ? [end - 6, end - 12, end - 3] + (end == 0 ? [6, 12, 20] : [])
      : [end - 20, end - 40, end - 10, end - 30, end - 50] + (end == 0 ? [6, 12, 20] : [])
    return spaced(
      ticks(end) + [middle] + steps.flatMap { ticks($0) }, length: length, spacing: spacing)
  }

  /// The widest labels beside the bar of colours.
  static let widestLevels = ["\u{2212}120 dBFS"]

  /// The levels beside the bar of colours.
  static func levels(_ range: ClosedRange<Double>, length: Int, spacing: Int) -> [AxisTick] {
    let span = range.upperBound - range.lowerBound
    let step = nice(leastStep(span, length, spacing), [1, 2, 3, 5, 10])
    let first = (range.lowerBound / step).rounded(.up) * step
    // Both ends come first: they tell the range.
    let levels =
      [range.upperBound, range.lowerBound]
      + Array(stride(from: first, through: range.upperBound, by: step))
    return spaced(
      levels.map { level in
        AxisTick(
          place: (level - range.lowerBound) / span,
          label: signed(level) + (level == range.upperBound ? " dBFS" : ""))
      }, length: length, spacing: spacing)
  }

  /// Times of an axis of `length` pixels.
  ///
  /// - Parameters:
  ///   - start: of the axis, in seconds; since midnight on the clock.
  ///   - duration: of the axis, in seconds.
  ///   - isClock: whether the labels are times of day.
  ///   - distance: the least distance between two labels, in pixels.
  ///   - labelLength: returns the length of a label in pixels.
  static func times(
    from start: Double, _ duration: Double, isClock: Bool = false, length: Int,
    distance: Int = 14,
    labelLength: (String) -> Double
  ) -> [AxisTick] {
    let end = start + duration
    func label(_ time: Double, _ step: Double) -> String {
      isClock ? clock(time, step) : Self.time(time, step, end)
    }
    guard duration > 0 else {
      return [AxisTick(place: 0, label: isClock ? clock(start, 1) : "0 s")]
    }
    for step in timeSteps where duration / step <= Double(length) / 8 {
      let first = (start / step - 1e-9).rounded(.up)
      let count = Int(((end / step + 1e-9).rounded(.down) - first).rounded())
      guard count >= 0 else { break }
      let ticks = (0...count).map { index in
        let time = (first + Double(index)) * step
        return AxisTick(place: (time - start) / duration, label: label(time, step))
      }
      let longest = ticks.map { labelLength($0.label) }.max() ?? 0
      if step / duration * Double(length) >= longest + Double(distance) || count == 0 {
        return ticks
      }
    }
    return [AxisTick(place: 0, label: label(start, 1))]
  }

  private static let smallSteps: [Double] = [-5, -4, -3, -2, -1].flatMap { (power: Double) in
    [1, 2, 5].map { (digit: Double) in digit * pow(10, power) }
  }

  /// In seconds.
  private static let timeSteps: [Double] =
    smallSteps
    + [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200]
    + [1, 2, 7, 14, 28, 56, 112, 364].map { (days: Double) in days * 86_400 }

  /// A time of day: `05:30`, with seconds if the steps are shorter than a minute. Later days begin again at 00:00.
  private static func clock(_ time: Double, _ step: Double) -> String {
    let thousandths = Int((time * 1_000).rounded()) % 86_400_000
    let whole = thousandths / 1_000
    let minutes = "\((whole / 3_600).padded(to: 2)):\((whole / 60 % 60).padded(to: 2))"
    if step >= 60 { return minutes }
    let fraction = step < 1 ? String(plain(Double(thousandths % 1_000) / 1_000).dropFirst()) : ""
    return "\(minutes):\((whole % 60).padded(to: 2))\(fraction)"
  }

  /// For example `0.25 s`, `1:30 min`, `2:00 h`: the unit depends on the end of the axis.
  private static func time(_ time: Double, _ step: Double, _ end: Double) -> String {
    if end <= 1e-2 { return "\(plain(time * 1_000)) ms" }
    if end < 100 { return "\(plain(time)) s" }
    let rounded = (time * 1_000).rounded() / 1_000
    let whole = Int(rounded)
    let fraction = step < 1 ? String(plain(rounded - Double(whole)).dropFirst()) : ""
    let minutes = whole / 60
    let seconds = (whole % 60).padded(to: 2) + fraction
    if end < 3_600 { return "\(minutes):\(seconds) min" }
    let hours = "\(minutes / 60):\((minutes % 60).padded(to: 2))"
    return step.truncatingRemainder(dividingBy: 60) == 0 ? "\(hours) h" : "\(hours):\(seconds) h"
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
