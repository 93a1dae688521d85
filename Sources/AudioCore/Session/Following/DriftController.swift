// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Turns the error of a delay into a correction of a ratio: the loop filter of adaptive resampling.
///
/// A second-order loop, as in F. Adriaensen, "Controlling adaptive resampling", Linux Audio Conference 2012; its
/// delay-locked loop is that of "Using a DLL to filter time", 2005. The delay integrates the difference of the two
/// clocks and the correction:
///
///     d delay / dt = (source's clock − sink's clock) + correction
///
/// so that with error e = delay − target
///
///     correction = −(2 ω e + ω² ∫ e dt)
///
/// is a loop of bandwidth ω with critical damping: it settles on the difference of the clocks without a remaining error
/// and does not oscillate. Two low-pass filters at 10 ω precede it, so the jitter of readings hardly moves the ratio.
/// An outlier counts as 2 ms at most.
///
/// ω begins wide, since the drift is unknown and has to be learnt. It narrows as 3/t, slowly enough for the
/// loop to follow, down to the frequency of the clocks' own wander. Pure arithmetic.
struct DriftController {
  /// The correction in force: outputs per input, less 1.
  private(set) var correction = 0.0
  /// The error without the jitter of readings, in seconds.
  private(set) var error = 0.0
  /// The learnt difference of the clocks.
  private var learnt = 0.0
  private var smoothed = 0.0
  private var age = 0.0
  /// The bandwidth times the age, while the loop narrows.
  private let narrowing: Double

  /// In radians a second: 0.05 Hz in the first ten seconds, 0.001 Hz after eight minutes.
  static let widest = 2 * Double.pi * 0.05
  static let narrowest = 2 * Double.pi * 0.001
  /// In seconds.
  static let largestSurprise = 0.002

  /// A loop that has to learn the difference of the clocks.
  init() { narrowing = 3 }

  /// A loop that knows the difference of the clocks from a line fitted to the delays of some seconds. It begins as narrow
  /// as it would be ten seconds later.
  init(learnt slope: Double) {
    narrowing = 2
    age = 10
    learnt = slope
    correction = -slope
  }

  /// - Parameters:
  ///   - reading: the excess of the delay, in seconds.
  ///   - interval: the time since the last update, in seconds.
  mutating func update(error reading: Double, interval: Double) {
    guard interval > 0 else { return }
    age += interval
    let bandwidth = min(max(narrowing / age, Self.narrowest), Self.widest)
    let share = 1 - exp(-10 * bandwidth * interval)
    let surprise = min(max(reading - smoothed, -Self.largestSurprise), Self.largestSurprise)
    smoothed += share * surprise
    error += share * (smoothed - error)
    let learning = bandwidth * bandwidth * error * interval
    let wanted = -(2 * bandwidth * error + learnt + learning)
    let limit = VaryingPoint.largestCorrection
    correction = min(max(wanted, -limit), limit)
    // A correction beyond the limit is not learnt, or it would have to be unlearnt.
    if correction == wanted { learnt += learning }
  }

  /// Resets the error after a resynchronisation, but keeps the learnt difference of the clocks.
  mutating func forgetError() {
    smoothed = 0
    error = 0
    correction = -learnt
  }
}
