// SPDX-License-Identifier: Apache-2.0
/// The coefficients for one pair of rates.
///
/// Many ratios cost least in two steps: a steep half-band filter between the lower rate and twice that, and a short
/// filter between twice the lower rate and the other rate.
package struct ResamplerFilter<Sample: AudioSample>: Sendable {
  /// The input samples of an output.
  package let taps: Int
  private enum Steps: Sendable {
    case one(StepFilter<Sample>)
    case down(StepFilter<Sample>?, HalfBandFilter<Sample>)
    case up(HalfBandFilter<Sample>, StepFilter<Sample>)
  }
  private let steps: Steps
  private let ratio: ResamplingRatio

  /// Computes the coefficients: about a millisecond for usual rates.
  ///
  /// - Parameters:
  ///   - isTiled: nil = if the ratio allows it.
  ///   - isInTwoSteps: nil = if that costs less.
  package init(
    ratio: ResamplingRatio, quality: ResamplerQuality,
    largestTable: Int = PolyphaseFilter<Sample>.largestTable, isTiled: Bool? = nil,
    isInTwoSteps: Bool? = nil
  ) {
    self.ratio = ratio
    let two = TwoSteps(ratio)
    let pays = two.pay(quality, in: Sample.precision)
    if isInTwoSteps ?? pays, let half = HalfBandFilter<Sample>(quality) {
      let short = two.shortRatio.map { shortRatio in
        StepFilter<Sample>(
          two.shortDesign(quality), ratio: shortRatio,
          largestTable: min(largestTable, two.largestTable), isTiled: isTiled)
      }
      if two.isDown {
        taps = two.reach(steep: half.taps, short: short?.taps)
        steps = .down(short, half)
        return
      }
      if let short {
        taps = two.reach(steep: half.taps, short: short.taps)
        steps = .up(half, short)
        return
      }
    }
    let one = StepFilter<Sample>(
      quality.design(for: ratio), ratio: ratio, largestTable: largestTable, isTiled: isTiled)
    taps = one.taps
    steps = .one(one)
  }

  /// The memory of the coefficients, in bytes.
  var byteCount: Int {
    let coefficientCount =
      switch steps {
      case .one(let one): one.coefficientCount
      case .down(let first, let half): (first?.coefficientCount ?? 0) + half.coefficientCount
      case .up(let half, let second): half.coefficientCount + second.coefficientCount
      }
    return coefficientCount * MemoryLayout<Sample>.stride
  }

  func convolution(channelCount: Int) -> any Convolution<Sample> {
    switch steps {
    case .one(let one): one.convolution(channelCount: channelCount)
    case .down(let first, let half):
      HalvingConvolution(half, after: first, ratio, channelCount: channelCount)
    case .up(let half, let second):
      DoublingConvolution(half, before: second, taps: taps, channelCount: channelCount)
    }
  }
}

/// A conversion in two steps: whether it pays, and the step beside the half-band filter.
struct TwoSteps {
  let ratio: ResamplingRatio
  /// Whether the half-band filter comes last, and halves the rate.
  let isDown: Bool
  /// The ratio of the short filter; nil if the half-band filter suffices.
  let shortRatio: ResamplingRatio?

  /// The most coefficients of a short filter that is no grid: half a mebibyte in double precision, which stays in a
  /// core's cache.
  let largestTable = 1 << 16

  init(_ ratio: ResamplingRatio) {
    self.ratio = ratio
    isDown = ratio.phaseCount < ratio.step
    let short =
      isDown
      ? ResamplingRatio(from: ratio.step, to: 2 * ratio.phaseCount)
      : ResamplingRatio(from: 2 * ratio.step, to: ratio.phaseCount)
    shortRatio = isDown && short.phaseCount == short.step ? nil : short
  }

  func shortDesign(_ quality: ResamplerQuality) -> FilterDesign {
    quality.shortDesign(bandwidth: isDown ? ratio.bandwidth : 0.5, isFirst: isDown)
  }

  /// Whether two steps save enough products per output to pay for their overhead.
  ///
  /// In single precision the rounding errors of two steps, one of them computed row by row, exceed the promised
  /// quality.
  func pay(_ quality: ResamplerQuality, in precision: SamplePrecision) -> Bool {
    if precision == .single, let shortRatio, ResamplingPeriod(shortRatio) == nil { return false }
    func cost(_ ratio: ResamplingRatio, _ taps: Int, largestTable: Int) -> Double {
      if ResamplingPeriod(ratio) != nil { return Double(taps) + Self.tileCost }
      let isGrid = ratio.phaseCount > largestTable / taps
      return Double(taps) * (isGrid ? Self.gridFactor : Self.rowFactor) + Self.rowCost
    }
    let one = cost(
      ratio, quality.tapCount(for: ratio), largestTable: PolyphaseFilter<Double>.largestTable)
    let steep = Double(quality.halfBandDesign.taps) + Self.tileCost
    var short = Self.detour
    if let shortRatio {
      let taps = shortDesign(quality).taps
      short += cost(shortRatio, taps, largestTable: largestTable) * (isDown ? 2 : 1)
    }
    return short + steep * (isDown ? 1 : Double(ratio.step) / Double(ratio.phaseCount)) < one
  }

  /// The input samples of an output.
  func reach(_ quality: ResamplerQuality) -> Int {
    reach(
      steep: quality.halfBandDesign.taps, short: shortRatio.map { _ in shortDesign(quality).taps })
  }

  /// The input samples of an output for filters of this many taps; `short` is nil without a short filter.
  func reach(steep: Int, short: Int?) -> Int {
    if !isDown { return steep + (short ?? 0) / 2 }
    return 2 * farthest(steep) + (short ?? 2)
  }

  /// The distance, in input samples, from an output of a conversion down to the farthest sample of the doubled rate
  /// that the half-band filter of `taps` needs.
  func farthest(_ taps: Int) -> Int {
    let doubled = 2 * ratio.phaseCount
    return ((taps - 1) * ratio.step + doubled - 1) / doubled
  }

  // Measured costs, in products of a tile.
  private static let tileCost = 20.0
  private static let rowFactor = 2.0
  private static let rowCost = 30.0
  private static let gridFactor = 5.0
  private static let detour = 20.0
}

/// The filters of one session: one for each pair of rates, for any number of streams. Session thread only.
package final class ResamplerFilters<Sample: AudioSample> {
  package let quality: ResamplerQuality
  private let cache: ResamplerFilterCache
  private let pool: WorkerPool?
  private let isLive: Bool
  private var helped = 0

  /// - Parameters:
  ///   - cache: may hold filters of other sessions.
  ///   - pool: computes streams ahead; nil if each block has to come out at once.
  ///   - isLive: whether a short delay matters more than a low cost.
  package init(
    quality: ResamplerQuality, cache: ResamplerFilterCache = ResamplerFilterCache(),
    pool: WorkerPool? = nil, isLive: Bool = false
  ) {
    self.cache = cache
    self.quality = quality
    self.isLive = isLive
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
