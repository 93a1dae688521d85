// SPDX-License-Identifier: Apache-2.0
/// The coefficients of a band-limited interpolation, one row for each point between two samples.
///
/// A sinc whose −6 dB point lies midway between the band edges, under a Kaiser window. Immutable, so
/// all channels and threads share it.
@safe
final class PolyphaseFilter<Sample: AudioSample>: Sendable {
  /// Coefficients in a row.
  let taps: Int
  /// The number of points between two input samples with a row.
  let phaseCount: Int
  /// Whether the rows are a grid for interpolation, because the points are too many for a row each.
  ///
  /// The rows then begin one point before 0 and end two points after the last, so that every point has four neighbours.
  let isGrid: Bool
  private nonisolated(unsafe) let rows: UnsafeMutableBufferPointer<Sample>

  /// The most coefficients in a table (8 MiB in double precision); a larger filter becomes a grid.
  static var largestTable: Int { 1 << 20 }

  /// Makes the only filter of a conversion in one step.
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
    let table = coefficientTable(
      design, firstRow..<firstRow + rowCount, phaseCount, Sample.precision)
    var output = unsafe OutputSpan(buffer: rows, initializedCount: 0)
    Sample.append(table.span, to: &output)
    _ = unsafe output.finalize(for: rows)
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

/// The coefficients of the rows with these numbers; `phaseCount` rows lie between two samples.
///
/// - Parameter precision: each coefficient is rounded to it before they are scaled to unity gain.
private func coefficientTable(
  _ design: FilterDesign, _ numbers: Range<Int>, _ phaseCount: Int, _ precision: SamplePrecision
) -> [Double] {
  let taps = design.taps
  let response = WindowedSinc(taps: taps, cutoff: design.cutoff, window: design.window)
  var table = [Double](repeating: 0, count: numbers.count * taps)
  var sum = 0.0
  unsafe table.withUnsafeMutableBufferPointer { table in
    for (row, number) in numbers.enumerated() {
      let begin = row * taps
      let isTwin = number > phaseCount / 2 && number <= phaseCount
      if isTwin {
        // The response is even, so this row is its mirror row, reversed.
        let end = (phaseCount - number - numbers.lowerBound + 1) * taps
        for tap in 0..<taps { unsafe table[begin + tap] = table[end - 1 - tap] }
      } else {
        unsafe response.write(
          at: Double(number) / Double(phaseCount),
          to: UnsafeMutableBufferPointer(rebasing: table[begin..<begin + taps]))
        if precision == .single {
          for tap in begin..<begin + taps { unsafe table[tap] = Double(Float(table[tap])) }
        }
      }
      if (0..<phaseCount).contains(number) {
        for tap in 0..<taps { unsafe sum += table[begin + tap] }
      }
    }
  }
  // Unity gain at 0 Hz; the factor is 1 to within the design's ripple.
  let exact = Double(phaseCount) / sum
  let gain = precision == .single ? Double(Float(exact)) : exact
  for index in table.indices { table[index] *= gain }
  return table
}
