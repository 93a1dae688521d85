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

/// The filters of one session: each pair of rates has one, however many streams it converts.
///
/// A filter takes up to 8 MiB and some milliseconds to make. Session thread only.
final class ResamplerFilters<Sample: AudioSample> {
  let quality: ResamplerQuality
  private var made: [ResamplingRatio: ResamplerFilter<Sample>] = [:]
  private let pool: WorkerPool?
  private var helped = 0

  /// - Parameter pool: computes streams ahead; nil where each block has to come out at once.
  init(quality: ResamplerQuality, pool: WorkerPool? = nil) {
    self.quality = quality
    self.pool = pool?.isEmpty == false ? pool : nil
  }

  /// Streams that are computed ahead: each takes some hundred KiB, and the first ones keep all workers
  /// busy.
  private static var mostHelped: Int { 8 }

  /// The pool for the next stream; nil where enough streams use it.
  func poolForNextStream() -> WorkerPool? {
    helped += 1
    return helped <= Self.mostHelped ? pool : nil
  }

  func filter(from inputRate: Int, to outputRate: Int) -> ResamplerFilter<Sample> {
    let ratio = ResamplingRatio(from: inputRate, to: outputRate)
    if let filter = made[ratio] { return filter }
    let filter = ResamplerFilter<Sample>(ratio: ratio, quality: quality)
    made[ratio] = filter
    return filter
  }
}
