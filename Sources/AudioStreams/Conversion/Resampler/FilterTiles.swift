// SPDX-License-Identifier: Apache-2.0
/// A filter's coefficients, laid out to compute four successive output samples together.
///
/// A tile holds the rows of four outputs, tap after tap, each shifted to its first sample: the four coefficients of one
/// input sample lie side by side. Immutable, so all channels and threads share it.
@safe
final class FilterTiles<Sample: AudioSample>: Sendable {
  let period: ResamplingPeriod
  /// The input samples of an output.
  let taps: Int
  /// The number of input samples in a tile, rounded up to whole pieces; the last ones may only have coefficients of 0.
  let span: Int
  /// The pieces with the large coefficients: eight periods of the lower rate on both sides of the middle, shifted with
  /// the rows.
  let centre: Range<Int>
  /// Tiles in a period.
  let count: Int
  private nonisolated(unsafe) let storage: UnsafeMutablePointer<Sample>

  /// Output samples in a tile.
  static var height: Int { 4 }

  init(_ filter: PolyphaseFilter<Sample>, _ period: ResamplingPeriod) {
    precondition(!filter.isGrid)
    self.period = period
    let height = Self.height
    count = (period.outputCount + height - 1) / height
    let ratio = period.ratio
    let reach = ((height - 1) * ratio.step + ratio.phaseCount - 1) / ratio.phaseCount
    taps = filter.taps
    let piece = TileLayout.pieceLength
    span = (filter.taps + reach + piece - 1) / piece * piece
    let half = min(filter.taps / 2, Int((8 / ratio.bandwidth).rounded(.up)))
    centre =
      (filter.taps / 2 - half) / piece..<(filter.taps / 2 + half + reach + piece - 1) / piece
    unsafe storage = .allocate(capacity: count * span * height)
    unsafe storage.initialize(repeating: 0, count: count * span * height)
    let rows = filter.coefficients
    for tile in 0..<count {
      let first = Self.firstOutput(of: tile, in: period)
      for output in 0..<height {
        let shift = period.point(ofOutput: first + output) - period.point(ofOutput: first)
        let row = period.phase(ofOutput: first + output) * filter.taps
        let target = unsafe storage + (tile * span + shift) * height + output
        switch rows.extracting(row..<row + filter.taps).known {
        case .single(let row): unsafe lay(row, every: height, in: target)
        case .double(let row): unsafe lay(row, every: height, in: target)
        }
      }
    }
  }

  var coefficientCount: Int { count * span * Self.height }

  deinit { unsafe storage.deallocate() }

  /// The first of the four output samples of a tile, from the start of its period. The last tile reaches back if the
  /// outputs of the period are no multiple of four.
  static func firstOutput(of tile: Int, in period: ResamplingPeriod) -> Int {
    min(tile * height, period.outputCount - height)
  }

  /// The `span` × 4 coefficients of a tile.
  func coefficients(of tile: Int) -> UnsafePointer<Sample> {
    precondition(tile >= 0 && tile < count)
    return unsafe UnsafePointer(storage + tile * span * Self.height)
  }
}

/// Writes the coefficients of a row `stride` places apart.
private func lay<Sample: AudioSample>(
  _ row: Span<Sample>, every stride: Int, in target: UnsafeMutableRawPointer
) {
  let target = unsafe target.assumingMemoryBound(to: Sample.self)
  for tap in 0..<row.count { unsafe target[tap * stride] = row[tap] }
}
