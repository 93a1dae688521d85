// SPDX-License-Identifier: Apache-2.0
/// The coefficients of a band-limited interpolation, one row for each point between two samples.
///
/// A sinc whose −6 dB point lies midway between the band edges, under a Kaiser window. Immutable, so
/// all channels and threads share it.
@safe
final class PolyphaseFilter<Sample: AudioSample>: Sendable {
  /// Coefficients in a row.
  let taps: Int
  /// Points between two input samples that have a row.
  let phaseCount: Int
  /// Whether the rows are a grid to interpolate between, because there are too many points for a
  /// row each.
  ///
  /// The rows then begin one point before 0 and end two points after the last, so that four
  /// neighbours are there for every point.
  let isGrid: Bool
  private nonisolated(unsafe) let rows: UnsafeMutableBufferPointer<Sample>

  /// More coefficients than this (8 MiB in double precision) are interpolated instead.
  static var largestTable: Int { 1 << 20 }

  /// The one filter of a conversion.
  convenience init(
    ratio: ResamplingRatio, quality: ResamplerQuality, largestTable: Int = largestTable
  ) {
    self.init(ratio: ratio, quality.design(for: ratio), largestTable: largestTable)
  }

  init(ratio: ResamplingRatio, _ design: FilterDesign, largestTable: Int = largestTable) {
    taps = design.taps
    isGrid = ratio.phaseCount > largestTable / taps
    phaseCount = isGrid ? design.gridRowCount : ratio.phaseCount
    let firstRow = isGrid ? -1 : 0
    let rowCount = isGrid ? phaseCount + 3 : phaseCount
    unsafe rows = .allocate(capacity: rowCount * taps)
    let response = WindowedSinc(taps: taps, cutoff: design.cutoff, window: design.window)
    var sum = 0.0
    for row in 0..<rowCount {
      let number = firstRow + row
      let isTwin = design.firstPoint == 0 && number > phaseCount / 2 && number <= phaseCount
      if isTwin {
        // The response is even, so this row is the one as far behind the first, turned round.
        let twin = phaseCount - number - firstRow
        for tap in 0..<taps {
          unsafe rows.initializeElement(
            at: row * taps + tap, to: rows[(twin + 1) * taps - 1 - tap])
        }
      } else {
        unsafe response.write(
          at: Double(number) / Double(phaseCount) + design.firstPoint,
          to: UnsafeMutableBufferPointer(rebasing: rows[row * taps..<(row + 1) * taps]))
      }
      if (0..<phaseCount).contains(number) {
        for tap in 0..<taps { unsafe sum += Double(rows[row * taps + tap]) }
      }
    }
    // Unity gain at 0 Hz; the factor is 1 to within the design's ripple.
    let gain = Sample(Double(phaseCount) / sum)
    for index in 0..<rowCount * taps { unsafe rows[index] *= gain }
  }

  deinit { unsafe rows.deallocate() }

  /// All coefficients, row after row.
  var coefficients: Span<Sample> {
    @_lifetime(borrow self)
    borrowing get {
      let span = unsafe Span(_unsafeElements: UnsafeBufferPointer(rows))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }
}
