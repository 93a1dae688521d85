/// The coefficients for one pair of rates, in the layout that suits them.
struct ResamplerFilter<Sample: AudioSample> {
  let taps: Int
  private enum Layout {
    case tiles(FilterTiles<Sample>)
    case rows(PolyphaseFilter<Sample>)
  }
  private let layout: Layout
  private let ratio: ResamplingRatio

  /// Computes the coefficients: about a millisecond for usual rates.
  ///
  /// - Parameter isTiled: nil = where the ratio allows it.
  init(
    ratio: ResamplingRatio, quality: ResamplerQuality,
    largestTable: Int = PolyphaseFilter<Sample>.largestTable, isTiled: Bool? = nil
  ) {
    let rows = PolyphaseFilter<Sample>(ratio: ratio, quality: quality, largestTable: largestTable)
    self.ratio = ratio
    taps = rows.taps
    if !rows.isGrid, isTiled ?? true, let period = ResamplingPeriod(ratio) {
      layout = .tiles(FilterTiles(rows, period))
    } else {
      layout = .rows(rows)
    }
  }

  func convolution(channelCount: Int) -> any Convolution<Sample> {
    switch layout {
    case .tiles(let tiles): TileConvolution(tiles, channelCount: channelCount)
    case .rows(let rows): RowConvolution(rows, ratio, channelCount: channelCount)
    }
  }
}
