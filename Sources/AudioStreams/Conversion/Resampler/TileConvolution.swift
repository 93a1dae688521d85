// SPDX-License-Identifier: Apache-2.0
/// A convolution that computes many output samples at once, each in its own lane.
///
/// Outputs a whole period apart have equal coefficients. So the periods are laid side by side: each input sample of the
/// period has a row, which holds that sample of all channels, period after period. Four outputs, for as many periods
/// and channels as lanes, are then sums of rows: each row is loaded once and multiplied by four coefficients. Nothing
/// is added across lanes, and the four outputs share each load, so almost only arithmetic remains.
@safe
final class TileConvolution<Sample: AudioSample>: Convolution {
  private let tiles: FilterTiles<Sample>
  private let period: ResamplingPeriod
  private let channelCount: Int
  /// The most periods computed together.
  private let mostPeriods: Int
  /// The periods behind them that the last outputs reach into.
  private let reach: Int
  private let rowLength: Int
  /// Lanes of all vectors of one output.
  private let lanes: Int
  private let rows: UnsafeMutablePointer<Sample>
  private let sums: UnsafeMutablePointer<Sample>
  /// The offsets of the samples for a tile that begins with row 0; a tile that begins with a later row starts at a
  /// later entry.
  private let offsets: UnsafeMutablePointer<Int>

  /// The samples that are laid out at a time, if a few periods have as many: the size of a core's nearest cache.
  private static var mostSamples: Int { 4_096 }

  init(_ tiles: FilterTiles<Sample>, channelCount: Int) {
    self.tiles = tiles
    self.channelCount = channelCount
    period = tiles.period
    let vector = laneCount(of: Sample.self)
    var width = 1
    while width * channelCount % (2 * vector) != 0 { width *= 2 }
    mostPeriods =
      width * max(1, Self.mostSamples / (period.inputCount * width * channelCount))
    lanes = mostPeriods * channelCount
    reach = (period.inputCount + tiles.span - 2) / period.inputCount
    // Whole vectors align the rows, and many of the vectors, with cache lines.
    rowLength = (lanes + reach * channelCount + vector - 1) / vector * vector
    let size = period.inputCount * rowLength
    unsafe rows = allocateLines(size)
    unsafe rows.initialize(repeating: 0, count: size)
    unsafe sums = .allocate(capacity: FilterTiles<Sample>.height * lanes)
    unsafe sums.initialize(repeating: 0, count: FilterTiles<Sample>.height * lanes)
    unsafe offsets = .allocate(capacity: period.inputCount + tiles.span)
    for index in 0..<period.inputCount + tiles.span {
      let (further, row) = index.quotientAndRemainder(dividingBy: period.inputCount)
      unsafe (offsets + index).initialize(to: row * rowLength + further * channelCount)
    }
  }

  deinit {
    unsafe rows.deallocate()
    unsafe sums.deallocate()
    unsafe offsets.deallocate()
  }

  func firstSample(forOutput index: Int64) -> Int64 { period.ratio.point(ofOutput: index).sample }

  func outputCount(before end: Int64, inWholeBatches: Bool) -> Int64 {
    period.ratio.outputLength(of: max(0, end - Int64(tiles.taps) + 1))
  }

  func convolve(
    _ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    to target: UnsafeMutablePointer<Sample>
  ) {
    unsafe samples.withUnsafeBufferPointer { source in
      guard let from = source.baseAddress else { return }
      let view = unsafe FrameView(from, count: source.count / channelCount)
      unsafe convolve(outputs, from: view, startingAt: start, to: target)
    }
  }

  private func convolve(
    _ outputs: Range<Int64>, from samples: FrameView<Sample>, startingAt start: Int64,
    to target: UnsafeMutablePointer<Sample>
  ) {
    let isFinite = unsafe sum(outputs, from: samples, startingAt: start, to: target)
    if isFinite { return }
    unsafe confine(outputs, from: samples, startingAt: start, in: target)
  }

  /// Undoes the effect of samples that are not finite beyond an output's own taps: their product with a tile's
  /// coefficient of 0 is NaN.
  private func confine(
    _ outputs: Range<Int64>, from samples: FrameView<Sample>, startingAt start: Int64,
    in target: UnsafeMutablePointer<Sample>
  ) {
    // The first tap of each output.
    let firsts = outputs.map { Int(period.ratio.point(ofOutput: $0).sample - start) }
    let window = InputWindow(firsts: firsts, taps: tiles.taps, channelCount: channelCount)
    unsafe window.confine(samples, in: target) { finite, others in
      _ = unsafe sum(outputs, from: finite, startingAt: start, to: others)
    }
  }

  /// - Returns: whether all samples that it read are finite.
  @_specialize(where Sample == Float)
  @_specialize(where Sample == Double)
  private func sum(
    _ outputs: Range<Int64>, from samples: FrameView<Sample>, startingAt start: Int64,
    to target: UnsafeMutablePointer<Sample>
  ) -> Bool {
    guard !outputs.isEmpty else { return true }
    var isFinite = true
    let length = Int64(period.outputCount)
    var first = period.number(ofOutput: outputs.lowerBound)
    let end = period.number(ofOutput: outputs.upperBound - 1) + 1
    while first < end {
      let count = Int(min(Int64(mostPeriods), end - first))
      let offset = Int(first * Int64(period.inputCount) - start)
      lay(samples, from: offset, periods: count + reach)
      // Output numbers within the group, from its first period on.
      let begin = Int(max(0, outputs.lowerBound - first * length))
      let stop = Int(min(Int64(count) * length, outputs.upperBound - first * length))
      let origin = Int(first * length - outputs.lowerBound)
      let areFinite = unsafe compute(begin..<stop, periods: count, to: target, from: origin)
      isFinite = isFinite && areFinite
      first += Int64(count)
    }
    return isFinite
  }

  /// Lays `periods` periods of the input side by side. Samples outside the input only meet coefficients of zero, or
  /// outputs that are dropped.
  @inline(__always)
  private func lay(_ samples: FrameView<Sample>, from offset: Int, periods: Int) {
    let length = period.inputCount
    // This many periods stay in the nearest cache until all rows are copied.
    let few = max(16, 1_024 / length)
    var first = 0
    while first < periods {
      let count = min(few, periods - first)
      for row in 0..<length {
        let start = offset + row + first * length
        let begin = min(count, start >= 0 ? 0 : (length - 1 - start) / length)
        let rest = samples.count - start
        let end = max(begin, min(count, rest <= 0 ? 0 : (rest + length - 1) / length))
        let target = unsafe rows + row * rowLength + first * channelCount
        for index in 0..<begin * channelCount { unsafe target[index] = 0 }
        unsafe collect(
          samples.base + (start + begin * length) * channelCount,
          every: length * channelCount, end - begin, channelCount, to: target + begin * channelCount
        )
        for index in end * channelCount..<count * channelCount { unsafe target[index] = 0 }
      }
      first += count
    }
  }

  /// Computes `outputs` of the laid-out periods; output 0 belongs `offset` samples per channel behind `target`.
  @inline(__always)
  private func compute(
    _ outputs: Range<Int>, periods: Int, to target: UnsafeMutablePointer<Sample>,
    from offset: Int
  ) -> Bool {
    var isFinite = true
    let height = FilterTiles<Sample>.height
    let vector = laneCount(of: Sample.self)
    let vectors = (periods * channelCount + vector - 1) / vector
    for tile in 0..<tiles.count {
      let output = FilterTiles<Sample>.firstOutput(of: tile, in: period)
      guard isNeeded(output, outputs, periods) else { continue }
      let way = unsafe TileLayout(
        offsets: UnsafePointer(offsets + period.point(ofOutput: output)),
        pieceCount: tiles.span / TileLayout.pieceLength, centre: tiles.centre)
      let areFinite = unsafe sumTile(
        tiles.coefficients(of: tile), way, rows, vectors: vectors, to: sums, every: lanes)
      isFinite = isFinite && areFinite
      for row in 0..<height {
        unsafe gather(
          sums + row * lanes, output + row, outputs, periods, to: target, from: offset)
      }
    }
    return isFinite
  }

  /// Whether any of the four outputs from `output` on, in any period, is among `outputs`.
  private func isNeeded(_ output: Int, _ outputs: Range<Int>, _ periods: Int) -> Bool {
    let four = Range(output...output + FilterTiles<Sample>.height - 1)
    let last = (periods - 1) * period.outputCount
    return periods > 2 || four.overlaps(outputs)
      || outputs.overlaps(four.lowerBound + last..<four.upperBound + last)
  }

  /// Writes the sums of one output, number `output` of each period, to their places in `target`.
  @inline(__always)
  private func gather(
    _ sums: UnsafePointer<Sample>, _ output: Int, _ outputs: Range<Int>, _ periods: Int,
    to target: UnsafeMutablePointer<Sample>, from offset: Int
  ) {
    let last = output + (periods - 1) * period.outputCount
    let first = output >= outputs.lowerBound ? 0 : 1
    let end = last < outputs.upperBound ? periods : periods - 1
    guard first < end else { return }
    let start = (offset + output + first * period.outputCount) * channelCount
    unsafe spread(
      sums + first * channelCount, end - first, channelCount, to: target + start,
      every: period.outputCount * channelCount)
  }
}

/// Allocates memory for `count` samples, aligned to a cache line.
private func allocateLines<Sample>(_ count: Int) -> UnsafeMutablePointer<Sample> {
  let memory = UnsafeMutableRawPointer.allocate(
    byteCount: count * MemoryLayout<Sample>.stride, alignment: 64)
  return unsafe memory.bindMemory(to: Sample.self, capacity: count)
}

/// Copies `count` sample frames that lie `stride` samples apart to contiguous memory.
@_specialize(where Sample == Float)
@_specialize(where Sample == Double)
private func collect<Sample: AudioSample>(
  _ source: UnsafePointer<Sample>, every stride: Int, _ count: Int, _ channelCount: Int,
  to target: UnsafeMutablePointer<Sample>
) {
  switch channelCount {
  case 1: for index in 0..<count { unsafe target[index] = source[index &* stride] }
  case 2:
    for index in 0..<count {
      unsafe target[index &* 2] = source[index &* stride]
      unsafe target[index &* 2 &+ 1] = source[index &* stride &+ 1]
    }
  default:
    for index in 0..<count {
      for channel in 0..<channelCount {
        unsafe target[index &* channelCount &+ channel] = source[index &* stride &+ channel]
      }
    }
  }
}

/// Copies `count` contiguous sample frames to places `stride` samples apart.
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

/// The number of sums of one output in a vector of 64 bytes.
func laneCount<Sample: AudioSample>(of _: Sample.Type) -> Int { 64 / MemoryLayout<Sample>.stride }

/// Calls the kernel `sumTile` of the processor.
func sumTile<Sample: AudioSample>(
  _ coefficients: UnsafePointer<Sample>, _ way: TileLayout, _ samples: UnsafePointer<Sample>,
  vectors: Int, to sums: UnsafeMutablePointer<Sample>, every stride: Int
) -> Bool {
  var way = way
  return unsafe KernelTable.current.samples.sumTile(
    Sample.isDouble, coefficients, &way, samples, vectors, sums, stride)
}
