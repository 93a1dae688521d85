// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The largest magnitude that a stream has between its samples, too: ITU-R BS.1770-4, annex 2.
///
/// Interpolates by 4 below 96 kHz and by 2 below 192 kHz, by a sinc under a Hann window over 48 of the resulting
/// samples: libebur128's filter, so that both read the same. A group of samples whose largest magnitude, times the sum
/// of the magnitudes of the coefficients, does not reach the peak so far is left out, which is exact.
@safe
final class TruePeakFilter {
  private var phases: TruePeakPhases
  /// Where the coefficients of the phases are.
  private let coefficients: UnsafeMutablePointer<Float>

  /// - Parameter sampleRate: in hertz.
  init(sampleRate: Int) {
    let factor = sampleRate < 96_000 ? 4 : sampleRate < 192_000 ? 2 : 1
    let (phaseCount, tapCount) = (factor - 1, 48 / factor)
    unsafe coefficients = .allocate(capacity: max(1, phaseCount * tapCount))
    var bound = 0.0
    for phase in 0..<phaseCount {
      var sum = 0.0
      for tap in 0..<tapCount {
        let place = tap * factor + phase + 1
        let angle = Double(place - 24) * .pi / Double(factor)
        let window = 0.5 * (1 - cos(2 * .pi * Double(place) / 48))
        let value = (angle == 0 ? 1 : sin(angle) / angle) * window
        unsafe (coefficients + phase * tapCount + tap).initialize(to: Float(value))
        sum += abs(value)
      }
      bound = max(bound, sum)
    }
    phases = unsafe TruePeakPhases(
      count: phaseCount, tapCount: tapCount, coefficients: coefficients,
      bound: Float(bound * 1.000_01))
  }

  deinit { unsafe coefficients.deallocate() }

  /// The largest magnitude of the interpolated samples of a block, or of `peak` where none is larger.
  ///
  /// - Parameters:
  ///   - samples: `TruePeakReach.margin` samples that come before the block lie in front of it, and
  ///     `TruePeakReach.group` behind it may be read.
  ///   - count: the length of the block.
  ///   - groupPeaks: the largest magnitude of each group of the block, as bits.
  ///   - peak: the largest so far.
  func peak(
    _ samples: UnsafePointer<Float>, count: Int, _ groupPeaks: UnsafePointer<Int32>,
    atLeast peak: Float
  ) -> Float {
    unsafe KernelTable.current.levels.truePeak(samples, count, groupPeaks, &phases, peak)
  }
}
