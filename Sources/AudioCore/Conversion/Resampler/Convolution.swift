/// Computes the output samples of a rate conversion from a piece of its input.
///
/// The stream that it works on is the input with taps/2 − 1 zeros before it, so that output n reads the
/// `taps` samples from ⌊n × step / phase count⌋ on. What an output is does not depend on which others
/// are computed with it. Owns memory to work in: one thread at a time.
protocol Convolution<Sample>: AnyObject {
  associatedtype Sample: AudioSample

  /// The first sample per channel that has to be there for output `index` and all after it.
  func firstSample(forOutput index: Int64) -> Int64

  /// Writes interleaved output samples.
  ///
  /// - Parameters:
  ///   - outputs: which, from the start of the stream.
  ///   - samples: a piece of the stream, interleaved, that has all samples which they need.
  ///   - start: where it begins, in samples per channel.
  ///   - target: has room for them.
  func convolve(
    _ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    to target: UnsafeMutablePointer<Sample>)
}

extension Convolution {
  /// The same, appended to a queue.
  func append(
    _ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    channelCount: Int, to queue: SampleQueue<Sample>
  ) {
    let count = outputs.count * channelCount
    queue.append(atMost: count) { target in
      unsafe target.appendSamples(count) { first in
        unsafe convolve(outputs, from: samples, startingAt: start, to: first)
      }
    }
  }
}

/// A convolution whose outputs are computed one after the other: for ratios whose coefficients repeat too late,
/// or never, for ``TileConvolution``.
final class RowConvolution<Sample: AudioSample>: Convolution {
  private let filter: PolyphaseFilter<Sample>
  private let ratio: ResamplingRatio
  private let channelCount: Int
  private var history: ChannelHistory<Sample>
  private let row: InterpolatedRow<Sample>

  init(_ filter: PolyphaseFilter<Sample>, _ ratio: ResamplingRatio, channelCount: Int) {
    self.filter = filter
    self.ratio = ratio
    self.channelCount = channelCount
    history = ChannelHistory(channelCount: channelCount, capacity: 0)
    row = InterpolatedRow(taps: filter.taps)
  }

  func firstSample(forOutput index: Int64) -> Int64 { ratio.point(ofOutput: index).sample }

  func convolve(
    _ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    to target: UnsafeMutablePointer<Sample>
  ) {
    let length = samples.count / channelCount
    history.drop(history.count)
    if history.room < length {
      history = ChannelHistory(channelCount: channelCount, capacity: length)
    }
    history.append(samples)
    let (sample, phase) = ratio.point(ofOutput: outputs.lowerBound)
    let point = RationalPoint(ratio: ratio, index: Int(sample - start), phase: phase)
    unsafe AudioCore.convolve(filter, history, row, from: point, outputs.count, to: target)
  }
}

/// Writes `count` interleaved output samples, of all channels of `history`.
///
/// One call for each block, so that the loop inside is the specialised one. Channels are taken in pairs, which
/// share the loads of the coefficients; each is bit for bit what it is alone.
@_specialize(where Sample == Float, Point == RationalPoint)
@_specialize(where Sample == Double, Point == RationalPoint)
@_specialize(where Sample == Float, Point == VaryingPoint)
@_specialize(where Sample == Double, Point == VaryingPoint)
func convolve<Sample: AudioSample, Point: OutputPoint>(
  _ filter: PolyphaseFilter<Sample>, _ history: ChannelHistory<Sample>,
  _ row: InterpolatedRow<Sample>,
  from start: Point, _ count: Int, to target: UnsafeMutablePointer<Sample>
) {
  let channelCount = history.channelCount
  let taps = filter.taps
  let rows = filter.coefficients
  var point = start
  for output in 0..<count {
    let to = unsafe target + output &* channelCount
    if filter.isGrid {
      let (first, rest) = point.gridPoint(rowCount: filter.phaseCount)
      row.interpolate(rows.extracting(first * taps..<(first + 4) * taps), at: rest)
      unsafe sum(row.coefficients, history, from: point.index, to: to)
    } else {
      let coefficients = rows.extracting(point.phase * taps..<(point.phase + 1) * taps)
      unsafe sum(coefficients, history, from: point.index, to: to)
    }
    point.advance()
  }
}

/// One output of all channels.
@inline(__always)
private func sum<Sample: AudioSample>(
  _ coefficients: Span<Sample>, _ history: ChannelHistory<Sample>, from index: Int,
  to target: UnsafeMutablePointer<Sample>
) {
  let channelCount = history.channelCount
  var channel = 0
  while channel &+ 1 < channelCount {
    let sums = Sample.dotProducts(
      coefficients, history.samples(of: channel), history.samples(of: channel &+ 1), from: index)
    unsafe (target + channel).initialize(to: sums.left)
    unsafe (target + (channel &+ 1)).initialize(to: sums.right)
    channel &+= 2
  }
  if channel < channelCount {
    let sum = Sample.dotProduct(coefficients, history.samples(of: channel), from: index)
    unsafe (target + channel).initialize(to: sum)
  }
}

/// The coefficients of an output that stands between the rows of a grid.
@safe
final class InterpolatedRow<Sample: AudioSample> {
  private let storage: UnsafeMutableBufferPointer<Sample>

  /// - Parameter taps: coefficients in a row.
  init(taps: Int) {
    unsafe storage = .allocate(capacity: taps)
    unsafe storage.initialize(repeating: 0)
  }

  deinit { unsafe storage.deallocate() }

  var coefficients: Span<Sample> {
    @_lifetime(borrow self)
    borrowing get {
      let span = unsafe Span(_unsafeElements: UnsafeBufferPointer(storage))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Computes them from `rows`, four that follow one another, at `x` from 0 to 1 between the second and the
  /// third.
  @inline(__always)
  func interpolate(_ rows: Span<Sample>, at x: Double) {
    let taps = unsafe storage.count
    precondition(rows.count == 4 * taps)
    // Lagrange's weights for rows that stand at −1, 0, 1 and 2. The table's first row stands at −1
    // (`PolyphaseFilter.isGrid`), so that the four begin with the row of the point's own number.
    let weight0 = Sample(-x * (x - 1) * (x - 2) / 6)
    let weight1 = Sample((x + 1) * (x - 1) * (x - 2) / 2)
    let weight2 = Sample(-(x + 1) * x * (x - 2) / 2)
    let weight3 = Sample((x + 1) * x * (x - 1) / 6)
    unsafe rows.withUnsafeBufferPointer { source in
      guard let row0 = source.baseAddress, let target = unsafe storage.baseAddress else { return }
      let (row1, row2, row3) = unsafe (row0 + taps, row0 + 2 * taps, row0 + 3 * taps)
      for tap in 0..<taps {
        let outer = unsafe weight0 * row0[tap] + weight3 * row3[tap]
        unsafe target[tap] = (weight1 * row1[tap] + weight2 * row2[tap]) + outer
      }
    }
  }
}
