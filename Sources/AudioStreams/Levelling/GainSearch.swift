// SPDX-License-Identifier: Apache-2.0

/// Finds the gain with which a stream reaches a loudness behind a limiter, by a few trials.
///
/// The loudness rises with the gain, by a decibel for each or less. Below the target a trial goes on by the slope of the
/// last two; between two trials that enclose the target the search is that of the "Illinois" method (M. Dowell and P.
/// Jarratt, "A modified regula falsi method for computing the root of an equation", BIT 11, 1971).
package struct GainSearch {
  /// The result of a trial.
  package struct Trial: Sendable {
    /// In decibels.
    package var gain: Double
    /// In LUFS.
    package var loudness: Double

    package init(gain: Double, loudness: Double) {
      self.gain = gain
      self.loudness = loudness
    }
  }

  /// How near the target a stream is to come, in LU.
  package static let tolerance = 0.05
  /// The search goes on until it is nearer than this, so that rounding leaves it within the tolerance.
  private static let aim = 0.02
  private static let mostTrials = 20
  /// The largest step, in decibels.
  private static let largestStep = 12.0
  /// The step that shows that more gain changes nothing, if it raises the loudness by less than the tolerance.
  private static let tellingStep = 6.0
  private static let finestStep = 0.01
  /// The rise of loudness per decibel of gain below which a telling step comes next.
  private static let leastSlope = 0.05

  private let target: Double
  private var trials: [Trial] = []
  /// The loudest trial below the target and the softest above it, whose distances the method halves.
  private var below: (gain: Double, missing: Double)?
  private var above: (gain: Double, missing: Double)?
  /// The gain of the next trial.
  package private(set) var gain: Double

  /// - Parameters:
  ///   - target: in LUFS.
  ///   - gain: of the first trial.
  package init(target: Double, from gain: Double) {
    self.target = target
    self.gain = gain
  }

  /// The trial that comes nearest; of several that are near enough, or that are as loud as a limiter allows, that with
  /// the smallest gain.
  package var best: Trial? {
    guard let distance = trials.map({ abs(target - $0.loudness) }).min() else { return nil }
    let reached = max(distance + (distance > Self.tolerance ? Self.tolerance : 0), Self.aim)
    return trials.filter { abs(target - $0.loudness) <= reached }.min { $0.gain < $1.gain }
  }

  /// Takes the loudness of a trial with ``gain``.
  ///
  /// - Returns: whether another trial is needed.
  package mutating func takes(_ loudness: Double) -> Bool {
    let missing = target - loudness
    let last = trials.last
    trials.append(Trial(gain: gain, loudness: loudness))
    guard abs(missing) > Self.aim, trials.count < Self.mostTrials else { return false }
    let wasBelow = below.map { last?.gain == $0.gain } ?? false
    let wasAbove = above.map { last?.gain == $0.gain } ?? false
    if missing > 0 {
      if above == nil, let last, gain - last.gain >= Self.tellingStep,
        loudness - last.loudness < Self.tolerance
      {
        return false
      }
      if wasBelow { above?.missing /= 2 }
      below = (gain, missing)
    } else {
      if wasAbove { below?.missing /= 2 }
      above = (gain, missing)
    }
    if let below, let above {
      // The gates of a measurement let the loudness leap over the target.
      if abs(above.gain - below.gain) < Self.finestStep { return false }
      gain =
        below.gain + (above.gain - below.gain) * below.missing / (below.missing - above.missing)
    } else if missing < 0 {
      gain += missing
    } else {
      let slope = last.map { (loudness - $0.loudness) / (gain - $0.gain) } ?? 1
      let step = missing / min(1, max(Self.leastSlope, slope))
      gain += min(Self.largestStep, slope < Self.leastSlope ? Self.tellingStep : step)
    }
    return true
  }
}
