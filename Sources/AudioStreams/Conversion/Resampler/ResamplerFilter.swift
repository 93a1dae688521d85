// SPDX-License-Identifier: Apache-2.0
/// The coefficients for one pair of rates, for the way of computing that costs least.
package struct ResamplerFilter<Sample: AudioSample>: Sendable {
  /// The input samples of an output.
  package let taps: Int
  private enum Steps: Sendable {
    case one(StepFilter<Sample>)
    case blocks(SpectralFilter)
    case down(StepFilter<Sample>, SpectralFilter)
    case up(SpectralFilter, StepFilter<Sample>)
  }
  private let steps: Steps

  /// Computes the coefficients: about a millisecond for usual rates.
  ///
  /// - Parameters:
  ///   - isTiled: nil = if the ratio allows it.
  ///   - isInBlocks: whether the steep filter works in the frequency domain; nil = if that costs less.
  package init(
    ratio: ResamplingRatio, quality: ResamplerQuality,
    largestTable: Int = PolyphaseFilter<Sample>.largestTable, isTiled: Bool? = nil,
    isInBlocks: Bool? = nil
  ) {
    let ways = ResamplingWays(ratio, quality)
    if isInBlocks ?? ways.blocksPay(in: Sample.precision), let steep = ways.steep {
      let filter = SpectralFilter(quality.design(for: steep.ratio), steep)
      taps = ways.blockTaps
      guard let shortRatio = ways.shortRatio, let design = ways.shortDesign else {
        steps = .blocks(filter)
        return
      }
      let short = StepFilter<Sample>(
        design, ratio: shortRatio, largestTable: min(largestTable, ways.largestTable),
        isTiled: isTiled)
      steps = ways.isDown ? .down(short, filter) : .up(filter, short)
      return
    }
    let one = StepFilter<Sample>(
      quality.design(for: ratio), ratio: ratio, largestTable: largestTable, isTiled: isTiled)
    taps = one.taps
    steps = .one(one)
  }

  /// The memory of the coefficients, in bytes.
  var byteCount: Int {
    switch steps {
    case .one(let one): one.byteCount
    case .blocks(let blocks): blocks.byteCount
    case .down(let short, let steep), .up(let steep, let short): short.byteCount + steep.byteCount
    }
  }

  func convolution(channelCount: Int) -> any Convolution<Sample> {
    switch steps {
    case .one(let one): one.convolution(channelCount: channelCount)
    case .blocks(let blocks): SpectralConvolution(blocks, channelCount: channelCount)
    case .down(let short, let steep):
      HalvingConvolution(steep, after: short, channelCount: channelCount)
    case .up(let steep, let short):
      DoublingConvolution(steep, before: short, channelCount: channelCount)
    }
  }
}

/// The ways to compute a rate conversion, and their costs.
///
/// The steep filter may work in blocks of the frequency domain. If the ratio has no small factors, it works between the
/// lower rate and twice that, and a short filter between twice the lower rate and the other rate.
struct ResamplingWays {
  let ratio: ResamplingRatio
  let quality: ResamplerQuality
  /// Whether the steep filter comes last if there are two.
  let isDown: Bool
  /// The blocks of the steep filter; nil without a transform for them.
  let steep: SpectralBlocks?
  /// The ratio of the short filter; nil if the steep one suffices.
  let shortRatio: ResamplingRatio?

  /// The most coefficients of a short filter that is no grid: half a mebibyte in double precision, which stays in a
  /// core's cache.
  let largestTable = 1 << 16

  init(_ ratio: ResamplingRatio, _ quality: ResamplerQuality) {
    self.ratio = ratio
    self.quality = quality
    isDown = ratio.phaseCount < ratio.step
    if let whole = SpectralBlocks(ratio, taps: quality.tapCount(for: ratio)) {
      steep = whole
      shortRatio = nil
      return
    }
    let steepRatio =
      isDown ? ResamplingRatio(from: 2, to: 1) : ResamplingRatio(from: 1, to: 2)
    steep = SpectralBlocks(steepRatio, taps: quality.tapCount(for: steepRatio))
    shortRatio =
      isDown
      ? ResamplingRatio(from: ratio.step, to: 2 * ratio.phaseCount)
      : ResamplingRatio(from: 2 * ratio.step, to: ratio.phaseCount)
  }

  var shortDesign: FilterDesign? {
    shortRatio.map { _ in
      quality.shortDesign(bandwidth: isDown ? ratio.bandwidth : 0.5, isFirst: isDown)
    }
  }

  /// Whether blocks cost less than one step outside them.
  func blocksPay(in precision: SamplePrecision) -> Bool {
    guard let steep else { return false }
    func cost(_ ratio: ResamplingRatio, _ taps: Int, largestTable: Int) -> Double {
      // A vector has twice as many lanes in single precision. Blocks are always computed in double precision.
      let products = precision == .single ? Double(taps) / 2 : Double(taps)
      if ResamplingPeriod(ratio) != nil { return products + Self.tileCost }
      let isGrid = ratio.phaseCount > largestTable / taps
      return isGrid
        ? products * Self.gridFactor + Self.gridCost : products * Self.rowFactor + Self.rowCost
    }
    let one = cost(
      ratio, quality.tapCount(for: ratio), largestTable: PolyphaseFilter<Double>.largestTable)
    guard let shortRatio, let shortDesign else { return steep.cost < one }
    let short = cost(shortRatio, shortDesign.taps, largestTable: largestTable)
    // Outputs of each filter for one of the conversion.
    let shortCount = isDown ? 2.0 : 1
    let steepCount = isDown ? 1 : 2 * Double(ratio.step) / Double(ratio.phaseCount)
    return short * shortCount + steep.cost * steepCount < one
  }

  /// The input samples of an output in blocks.
  var blockTaps: Int {
    guard let steep else { return 0 }
    guard let shortRatio, let shortDesign else { return steep.taps }
    if !isDown { return steep.taps + shortDesign.taps / 2 }
    return 2 * Self.shift(steep.taps, shortRatio) + shortDesign.taps
  }

  /// The input samples in front of an output that a conversion down needs for its steep filter, of `taps` samples of the
  /// doubled rate; `ratio` is that of the short filter.
  static func shift(_ taps: Int, _ ratio: ResamplingRatio) -> Int {
    (taps / 2 * ratio.step + ratio.phaseCount - 1) / ratio.phaseCount
  }

  /// The input samples behind an output that take part in its computation, if only with products of 0.
  var reach: Int {
    let one = quality.tapCount(for: ratio)
    guard let steep else { return one }
    guard let shortDesign else { return max(one, steep.pairLength) }
    if !isDown { return max(one, steep.pairLength + shortDesign.taps) }
    let doubled = 2 * ratio.phaseCount
    return max(one, (steep.pairLength * ratio.step + doubled - 1) / doubled + shortDesign.taps)
  }

  // Measured costs, in products of a tile in double precision.
  private static let tileCost = 10.0
  private static let rowFactor = 2.0
  private static let rowCost = 30.0
  private static let gridFactor = 5.0
  private static let gridCost = 150.0
}

/// The filters of one session: one for each pair of rates, for any number of streams. Session thread only.
package final class ResamplerFilters<Sample: AudioSample> {
  package let quality: ResamplerQuality
  private let cache: ResamplerFilterCache
  private let pool: WorkerPool?
  private let isLive: Bool
  let isPrompt: Bool
  private var helped = 0

  /// - Parameters:
  ///   - cache: may hold filters of other sessions.
  ///   - pool: computes streams ahead; nil if each block has to come out at once.
  ///   - isLive: whether a short delay matters more than a low cost.
  ///   - isPrompt: whether outputs come as soon as their inputs suffice, without another block of input.
  package init(
    quality: ResamplerQuality, cache: ResamplerFilterCache = ResamplerFilterCache(),
    pool: WorkerPool? = nil, isLive: Bool = false, isPrompt: Bool = false
  ) {
    self.cache = cache
    self.quality = quality
    self.isLive = isLive
    self.isPrompt = isPrompt
    self.pool = pool?.isEmpty == false ? pool : nil
  }

  /// The most streams that are computed ahead: each takes some hundred KiB, and these keep all workers busy.
  private static var mostHelped: Int { 8 }

  /// Returns the pool for the next stream; nil if enough streams use it.
  func poolForNextStream() -> WorkerPool? {
    helped += 1
    return helped <= Self.mostHelped ? pool : nil
  }

  package func filter(from inputRate: Int, to outputRate: Int) -> ResamplerFilter<Sample> {
    cache.filter(ResamplingRatio(from: inputRate, to: outputRate), quality, isLive: isLive)
  }
}

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

  /// The memory of the coefficients, in bytes.
  var byteCount: Int {
    let count =
      switch layout {
      case .tiles(let tiles): tiles.coefficientCount
      case .rows(let rows): rows.coefficients.count
      }
    return count * MemoryLayout<Sample>.stride
  }

  func convolution(channelCount: Int) -> any Convolution<Sample> {
    switch layout {
    case .tiles(let tiles): TileConvolution(tiles, channelCount: channelCount)
    case .rows(let rows): RowConvolution(rows, ratio, channelCount: channelCount)
    }
  }
}
