// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A filter that interpolates between two samples, at several places, to find the largest magnitudes of a stream.
///
/// It skips a group of samples if its largest magnitude, times the sum of the magnitudes of the coefficients, does not
/// reach the wanted magnitude; the result stays exact.
@safe
final class TruePeakFilter {
  private var phases: TruePeakPhases
  /// The rows of the phases, then their halves.
  private let coefficients: UnsafeMutablePointer<Float>

  /// Makes the filter of ITU-R BS.1770-4, annex 2: it interpolates by 4 below 96 kHz and by 2 below 192 kHz, with a sinc
  /// under a Hann window over 48 of the resulting samples. This is libebur128's filter, so that both give equal
  /// readings.
  ///
  /// - Parameter sampleRate: in hertz.
  convenience init(sampleRate: Int) {
    let factor = sampleRate < 96_000 ? 4 : sampleRate < 192_000 ? 2 : 1
    self.init(factor: factor, tapCount: 48 / factor) { place in
      0.5 * (1 + cos(2 * .pi * place * Double(factor) / 48))
    }
  }

  /// Makes a sinc over 32 samples under a Kaiser window of β = 9: libswresample's default, with which ffmpeg's meters
  /// interpolate.
  convenience init(longAt sampleRate: Int) {
    let factor = sampleRate < 96_000 ? 8 : sampleRate < 192_000 ? 4 : 1
    let reach = 16.0
    self.init(factor: factor, tapCount: 32) { place in
      let share = 1 - place * place / (reach * reach)
      return share < 0
        ? 0 : SpectrumWindow.bessel(9 * share.squareRoot()) / SpectrumWindow.bessel(9)
    }
  }

  /// - Parameter window: the window of the sinc at a distance in samples.
  private init(factor: Int, tapCount: Int, _ window: (Double) -> Double) {
    let count = factor - 1
    unsafe coefficients = .allocate(capacity: max(1, 2 * count * tapCount))
    var bound = 0.0
    for phase in 0..<count {
      var sum = 0.0
      for tap in 0..<tapCount {
        let place = Double(tap) + Double(phase + 1) / Double(factor) - Double(tapCount) / 2
        let sinc = place == 0 ? 1 : sin(.pi * place) / (.pi * place)
        let coefficient = sinc * window(place)
        unsafe (coefficients + phase * tapCount + tap).initialize(to: Float(coefficient))
        sum += abs(coefficient)
      }
      bound = max(bound, sum)
    }
    let halves = unsafe coefficients + count * tapCount
    unsafe Self.writeHalves(of: coefficients, count, tapCount, to: halves)
    phases = unsafe TruePeakPhases(
      count: count, tapCount: tapCount, coefficients: coefficients, halves: halves,
      bound: Float(bound * 1.000_01))
  }

  /// Writes ``TruePeakPhases/halves``.
  private static func writeHalves(
    of rows: UnsafePointer<Float>, _ count: Int, _ tapCount: Int,
    to target: UnsafeMutablePointer<Float>
  ) {
    var place = unsafe target
    for phase in 0..<(count + 1) / 2 {
      let row = unsafe rows + phase * tapCount
      for tap in 0..<tapCount / 2 {
        let (newer, older) = unsafe (row[tap], row[tapCount - 1 - tap])
        unsafe place.initialize(to: (newer + older) / 2)
        unsafe place += 1
        if 2 * phase + 1 == count { continue }
        unsafe place.initialize(to: (newer - older) / 2)
        unsafe place += 1
      }
    }
  }

  deinit { unsafe coefficients.deallocate() }

  /// The number of samples from the one in front of the place to the newest one of a sum.
  var delay: Int { phases.count == 0 ? 0 : phases.tapCount / 2 }

  /// The largest magnitude, relative to that of the samples; without interpolation a little more than 1.
  var bound: Float { max(phases.bound, 1.000_01) }

  /// Returns the largest magnitude of the interpolated samples of a block, or `peak` if none is larger.
  ///
  /// - Parameters:
  ///   - samples: the block. The previous `TruePeakWindow.margin` samples lie in front of it; `TruePeakWindow.group`
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

  /// Raises the magnitudes of `envelope` to those of the interpolated samples whose newest input they are.
  func add(
    _ samples: UnsafePointer<Float>, _ count: Int, _ groups: UnsafePointer<Int32>, _ earlier: Int32,
    _ threshold: Float, to envelope: UnsafeMutablePointer<Float>
  ) {
    unsafe KernelTable.current.levels.truePeaks(
      samples, count, groups, earlier, &phases, threshold, envelope)
  }
}
