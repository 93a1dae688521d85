// SPDX-License-Identifier: Apache-2.0
/// The coefficients of one step of a rate conversion, in the layout that suits its ratio.
struct StepFilter<Sample: AudioSample>: Sendable {
  let ratio: ResamplingRatio
  let taps: Int
  private enum Layout: Sendable {
    case tiles(FilterTiles<Sample>)
    case rows(PolyphaseFilter<Sample>)
  }
  private let layout: Layout

  /// - Parameter isTiled: nil = if the ratio allows it.
  init(
    _ design: FilterDesign, ratio: ResamplingRatio, largestTable: Int, isTiled: Bool? = nil
  ) {
    self.ratio = ratio
    let rows = PolyphaseFilter<Sample>(ratio: ratio, design, largestTable: largestTable)
    taps = rows.taps
    if !rows.isGrid, isTiled ?? true, let period = ResamplingPeriod(ratio) {
      layout = .tiles(FilterTiles(rows, period))
    } else {
      layout = .rows(rows)
    }
  }

  var coefficientCount: Int {
    switch layout {
    case .tiles(let tiles): tiles.coefficientCount
    case .rows(let rows): rows.coefficients.count
    }
  }

  func convolution(channelCount: Int) -> any Convolution<Sample> {
    switch layout {
    case .tiles(let tiles): TileConvolution(tiles, channelCount: channelCount)
    case .rows(let rows): RowConvolution(rows, ratio, channelCount: channelCount)
    }
  }
}
