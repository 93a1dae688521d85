// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Finds the largest magnitude of a stream, between its samples too: ITU-R BS.1770-4, annex 2.
///
/// It interpolates by 4 below 96 kHz and by 2 below 192 kHz, with a sinc under a Hann window over 48 of the resulting
/// samples. This is libebur128's filter, so that both give equal readings. It skips a group of samples if its largest
/// magnitude, times the sum of the magnitudes of the coefficients, does not reach the peak so far; the result stays
/// exact.
@safe
final class TruePeakFilter {
  private var phases: TruePeakPhases
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

  /// Returns the largest magnitude of the interpolated samples of a block, or `peak` if none is larger.
  ///
  /// - Parameters:
  ///   - samples: the block. The previous `TruePeakReach.margin` samples lie in front of it; `TruePeakReach.group`
  ///     samples behind it may be read.
  ///   - count: the length of the block.
  ///   - groupPeaks: the largest magnitude of each group of the block, as bits.
  ///   - peak: the largest magnitude so far.
  func peak(
    _ samples: UnsafePointer<Float>, count: Int, _ groupPeaks: UnsafePointer<Int32>,
    atLeast peak: Float
  ) -> Float {
    unsafe KernelTable.current.levels.truePeak(samples, count, groupPeaks, &phases, peak)
  }
}
