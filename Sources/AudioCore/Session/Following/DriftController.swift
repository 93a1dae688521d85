// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Turns the error of a delay into the correction of a ratio that takes it away: the loop filter of
/// adaptive resampling.
///
/// A second-order loop, as in F. Adriaensen, "Controlling adaptive resampling", Linux Audio Conference
/// 2012, whose delay-locked loop is that of "Using a DLL to filter time", 2005. The delay integrates what
/// two clocks and the correction differ by:
///
///     d delay / dt = (source's clock − sink's clock) + correction
///
/// so that with error e = delay − target
///
///     correction = −(2 ω e + ω² ∫ e dt)
///
/// is a loop of bandwidth ω with critical damping: it settles on the difference of the clocks with no
/// error left and does not swing. Two low-pass filters at 10 ω stand before it, so that the jitter of
/// readings hardly moves the ratio; a reading that is far from the others counts no more than one that is
/// 2 ms off.
///
/// ω begins wide, for a drift that nobody knows has to be learnt, and narrows as 3/t, as slowly as the
/// loop can follow, down to where the clocks' own wander is. Pure arithmetic.
struct DriftController {
  /// The correction in force: outputs per input, less 1.
  private(set) var correction = 0.0
  /// The error without the jitter of readings, in seconds.
  private(set) var error = 0.0
  /// What the loop has learnt of the difference of the clocks.
  private var learnt = 0.0
  private var smoothed = 0.0
  private var age = 0.0

  /// Radians a second: 0.05 Hz in the first ten seconds, 0.001 Hz after eight minutes.
  static let widest = 2 * Double.pi * 0.05
  static let narrowest = 2 * Double.pi * 0.001
  /// Seconds.
  static let largestSurprise = 0.002

  /// - Parameters:
  ///   - reading: by how much the delay is too long, in seconds.
  ///   - interval: since the last update, in seconds.
  mutating func update(error reading: Double, interval: Double) {
    guard interval > 0 else { return }
    age += interval
    let bandwidth = min(max(3 / age, Self.narrowest), Self.widest)
    let share = 1 - exp(-10 * bandwidth * interval)
    let surprise = min(max(reading - smoothed, -Self.largestSurprise), Self.largestSurprise)
    smoothed += share * surprise
    error += share * (smoothed - error)
    let learning = bandwidth * bandwidth * error * interval
    let wanted = -(2 * bandwidth * error + learnt + learning)
    let limit = VaryingPoint.largestCorrection
    correction = min(max(wanted, -limit), limit)
    // What cannot be done is not learnt, or it would have to be unlearnt.
    if correction == wanted { learnt += learning }
  }

  /// The delay was set right by other means: what was learnt of the clocks stays.
  mutating func forgetError() {
    smoothed = 0
    error = 0
    correction = -learnt
  }
}
