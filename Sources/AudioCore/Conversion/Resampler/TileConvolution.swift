/// A convolution that computes many output samples at once, each in a lane of its own.
///
/// Outputs that are a whole period apart have the same coefficients. So the periods are laid side by
/// side: one row for each input sample of the period, which holds, period after period, that sample of
/// all channels. Four outputs of as many periods and channels as there are lanes are then sums of rows,
/// each row loaded once and multiplied by four coefficients. There is nothing to add across lanes, and
/// the cost of a load is shared by the four; the arithmetic is all that remains.
@safe
final class TileConvolution<Sample: AudioSample>: Convolution {
  private let tiles: FilterTiles<Sample>
  private let period: ResamplingPeriod
  private let channelCount: Int
  /// Periods that are computed together: the fewest whose channels fill whole vectors.
  private let width: Int
  /// Periods behind those that the last outputs reach into.
  private let reach: Int
  private let rowLength: Int
  /// Lanes of all vectors of one output.
  private let lanes: Int
  private let rows: UnsafeMutablePointer<Sample>
  private let sums: UnsafeMutablePointer<Sample>

  init(_ tiles: FilterTiles<Sample>, channelCount: Int) {
    self.tiles = tiles
    self.channelCount = channelCount
    period = tiles.period
    let vector = laneCount(of: Sample.self)
    var width = 1
    while width * channelCount % vector != 0 { width *= 2 }
    self.width = width
    lanes = width * channelCount
    reach = (period.inputCount + tiles.span - 2) / period.inputCount
    rowLength = lanes + reach * channelCount
    let size = period.inputCount * rowLength
    unsafe rows = .allocate(capacity: size)
    unsafe rows.initialize(repeating: 0, count: size)
    unsafe sums = .allocate(capacity: FilterTiles<Sample>.height * lanes)
    unsafe sums.initialize(repeating: 0, count: FilterTiles<Sample>.height * lanes)
  }

  deinit {
    unsafe rows.deallocate()
    unsafe sums.deallocate()
  }

  func firstSample(forOutput index: Int64) -> Int64 {
    index / Int64(period.outputCount) * Int64(period.inputCount)
  }

  func convolve(
    _ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    to target: UnsafeMutablePointer<Sample>
  ) {
    unsafe sum(outputs, from: samples, startingAt: start, to: target)
    guard unsafe holdsNaN(target, outputs.count * channelCount) else { return }
    unsafe confine(outputs, from: samples, startingAt: start, in: target)
  }

  @_specialize(where Sample == Float)
  @_specialize(where Sample == Double)
  private func holdsNaN(_ samples: UnsafePointer<Sample>, _ count: Int) -> Bool {
    var found = 0
    for index in 0..<count { found &+= unsafe samples[index] == samples[index] ? 0 : 1 }
    return found > 0
  }

  /// Takes back what a sample that is not finite does beyond an output's own taps: its product with one of a
  /// tile's coefficients of 0 is no number.
  private func confine(
    _ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    in target: UnsafeMutablePointer<Sample>
  ) {
    var finite: [Sample] = []
    finite.reserveCapacity(samples.count)
    for index in samples.indices {
      finite.append(samples[index].isFinite ? samples[index] : 0)
    }
    let others = SampleQueue<Sample>()
    others.append(atMost: outputs.count * channelCount) { output in
      unsafe output.appendSamples(outputs.count * channelCount) { first in
        unsafe sum(outputs, from: finite.span, startingAt: start, to: first)
      }
    }
    for number in 0..<outputs.count {
      let point = period.ratio.point(ofOutput: outputs.lowerBound + Int64(number))
      let first = Int(point.sample - start)
      for channel in 0..<channelCount {
        let place = number * channelCount + channel
        guard unsafe target[place].isNaN else { continue }
        let isReached = (first..<first + tiles.taps).contains {
          !samples[$0 * channelCount + channel].isFinite
        }
        if !isReached { unsafe target[place] = others.readable[place] }
      }
    }
  }

  private func sum(
    _ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    to target: UnsafeMutablePointer<Sample>
  ) {
    guard !outputs.isEmpty else { return }
    let length = Int64(period.outputCount)
    let end = (outputs.upperBound - 1) / length + 1
    var first = outputs.lowerBound / length
    while first < end {
      let count = Int(min(Int64(width), end - first))
      let offset = Int(first * Int64(period.inputCount) - start)
      lay(samples, from: offset, periods: count + reach)
      // Within the group, from its first period on.
      let begin = Int(max(0, outputs.lowerBound - first * length))
      let stop = Int(min(Int64(count) * length, outputs.upperBound - first * length))
      let from = Int(first * length - outputs.lowerBound) * channelCount
      unsafe compute(begin..<stop, periods: count, to: target, from: from)
      first += Int64(count)
    }
  }

  /// Lays `periods` periods of the input side by side. What lies outside of the input only meets
  /// coefficients of zero, or outputs that are dropped.
  private func lay(_ samples: Span<Sample>, from offset: Int, periods: Int) {
    unsafe samples.withUnsafeBufferPointer { source in
      guard let from = source.baseAddress else { return }
      let length = source.count / channelCount
      for number in 0..<periods {
        let start = offset + number * period.inputCount
        let begin = min(period.inputCount, max(0, -start))
        let end = max(begin, min(period.inputCount, length - start))
        let column = unsafe rows + number * channelCount
        unsafe spread(
          from + (start + begin) * channelCount, end - begin, channelCount,
          to: column + begin * rowLength, every: rowLength)
        for row in end..<period.inputCount {
          unsafe (column + row * rowLength).update(repeating: 0, count: channelCount)
        }
      }
    }
  }

  /// Computes `outputs` of the periods that are laid out; output 0 belongs at `target` + `offset`.
  @_specialize(where Sample == Float)
  @_specialize(where Sample == Double)
  private func compute(
    _ outputs: Range<Int>, periods: Int, to target: UnsafeMutablePointer<Sample>, from offset: Int
  ) {
    let height = FilterTiles<Sample>.height
    let vector = laneCount(of: Sample.self)
    let vectors = (periods * channelCount + vector - 1) / vector
    for cycle in 0..<period.outputCount / period.cycleCount {
      for tile in 0..<tiles.count {
        let output =
          cycle * period.cycleCount + FilterTiles<Sample>.firstOutput(of: tile, in: period)
        guard isNeeded(output, outputs, periods) else { continue }
        let origin = TileOrigin(
          row: cycle * period.cycleLength + period.point(ofOutput: output % period.cycleCount),
          rowCount: period.inputCount, rowLength: rowLength, step: channelCount,
          centre: tiles.centre)
        for number in 0..<vectors {
          unsafe sumTile(
            tiles.coefficients(of: tile), tiles.span, rows + number * vector, origin,
            to: sums + number * vector, every: lanes)
        }
        for row in 0..<height {
          unsafe gather(
            sums + row * lanes, output + row, outputs, periods, to: target, from: offset)
        }
      }
    }
  }

  /// Whether any of the four outputs from `output` on, in any period, is among `outputs`.
  private func isNeeded(_ output: Int, _ outputs: Range<Int>, _ periods: Int) -> Bool {
    let four = Range(output...output + FilterTiles<Sample>.height - 1)
    let last = (periods - 1) * period.outputCount
    return periods > 2 || four.overlaps(outputs)
      || outputs.overlaps(four.lowerBound + last..<four.upperBound + last)
  }

  /// Puts the sums of one output, which stands at `output` in each period, where they belong.
  private func gather(
    _ sums: UnsafePointer<Sample>, _ output: Int, _ outputs: Range<Int>, _ periods: Int,
    to target: UnsafeMutablePointer<Sample>, from offset: Int
  ) {
    let last = output + (periods - 1) * period.outputCount
    let first = output >= outputs.lowerBound ? 0 : 1
    let end = last < outputs.upperBound ? periods : periods - 1
    guard first < end else { return }
    let start = offset + (output + first * period.outputCount) * channelCount
    unsafe spread(
      sums + first * channelCount, end - first, channelCount, to: target + start,
      every: period.outputCount * channelCount)
  }
}

/// Copies `count` sample frames that lie one after the other to where the next is `stride` samples away.
@_specialize(where Sample == Float)
@_specialize(where Sample == Double)
private func spread<Sample: AudioSample>(
  _ source: UnsafePointer<Sample>, _ count: Int, _ channelCount: Int,
  to target: UnsafeMutablePointer<Sample>, every stride: Int
) {
  switch channelCount {
  case 1: for index in 0..<count { unsafe target[index &* stride] = source[index] }
  case 2:
    for index in 0..<count {
      unsafe target[index &* stride] = source[index &* 2]
      unsafe target[index &* stride &+ 1] = source[index &* 2 &+ 1]
    }
  default:
    for index in 0..<count {
      for channel in 0..<channelCount {
        unsafe target[index &* stride &+ channel] = source[index &* channelCount &+ channel]
      }
    }
  }
}

/// A filter's coefficients, laid out so that four output samples that follow one another are computed
/// together.
///
/// A tile holds the rows of four outputs, each moved to where its first sample lies, tap after tap: four
/// coefficients that all belong to the same input sample lie side by side. Immutable, so all channels
/// and threads share it.
@safe
final class FilterTiles<Sample: AudioSample>: Sendable {
  let period: ResamplingPeriod
  /// Input samples that an output reaches over.
  let taps: Int
  /// Input samples that a tile reaches over.
  let span: Int
  /// Where the large coefficients are: eight periods of the lower rate to both sides of the middle, moved
  /// as the rows are.
  let centre: Range<Int>
  /// Tiles in a cycle of the period.
  let count: Int
  private nonisolated(unsafe) let storage: UnsafeMutablePointer<Sample>

  /// Output samples in a tile.
  static var height: Int { 4 }

  init(_ filter: PolyphaseFilter<Sample>, _ period: ResamplingPeriod) {
    precondition(!filter.isGrid)
    self.period = period
    let height = Self.height
    count = (period.cycleCount + height - 1) / height
    let reach = (height * period.ratio.step + period.ratio.phaseCount - 1) / period.ratio.phaseCount
    taps = filter.taps
    span = filter.taps + reach
    let half = min(filter.taps / 2, Int((8 / period.ratio.bandwidth).rounded(.up)))
    centre = filter.taps / 2 - half..<filter.taps / 2 + half + reach
    let size = count * span * height
    unsafe storage = .allocate(capacity: size)
    unsafe storage.initialize(repeating: 0, count: size)
    let rows = filter.coefficients
    for tile in 0..<count {
      let first = Self.firstOutput(of: tile, in: period)
      for output in 0..<height {
        let shift = period.point(ofOutput: first + output) - period.point(ofOutput: first)
        let row = period.phase(ofOutput: first + output) * filter.taps
        let target = unsafe storage + (tile * span + shift) * height + output
        for tap in 0..<filter.taps { unsafe target[tap * height] = rows[row + tap] }
      }
    }
  }

  deinit { unsafe storage.deallocate() }

  /// The first of the four output samples of a tile, from the start of its cycle. The last tile reaches
  /// back where the cycle has no whole fours.
  static func firstOutput(of tile: Int, in period: ResamplingPeriod) -> Int {
    min(tile * height, period.cycleCount - height)
  }

  /// The `span` × 4 coefficients of a tile.
  func coefficients(of tile: Int) -> UnsafePointer<Sample> {
    precondition(tile >= 0 && tile < count)
    return unsafe UnsafePointer(storage + tile * span * Self.height)
  }
}
