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

/// A convolution whose outputs are computed one after the other, two channels at a time: for ratios whose
/// coefficients repeat too late, or never, for ``TileConvolution``.
final class RowConvolution<Sample: AudioSample>: Convolution {
  private let filter: PolyphaseFilter<Sample>
  private let ratio: ResamplingRatio
  private let channelCount: Int
  private var history: ChannelHistory<Sample>

  init(_ filter: PolyphaseFilter<Sample>, _ ratio: ResamplingRatio, channelCount: Int) {
    self.filter = filter
    self.ratio = ratio
    self.channelCount = channelCount
    history = ChannelHistory(channelCount: channelCount, capacity: 0)
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
    for channel in stride(from: 0, to: channelCount - 1, by: 2) {
      unsafe convolvePair(
        filter, history, channel, from: point, outputs.count, to: target + channel,
        every: channelCount)
    }
    if channelCount % 2 == 1 {
      unsafe AudioCore.convolve(
        filter, history, channelCount - 1, from: point, outputs.count,
        to: target + (channelCount - 1), every: channelCount)
    }
  }
}

/// Writes `count` output samples of one channel, each `stride` after the one before.
///
/// One call for each block, so that the loop inside is the specialised one.
@_specialize(where Sample == Float, Point == RationalPoint)
@_specialize(where Sample == Double, Point == RationalPoint)
@_specialize(where Sample == Float, Point == VaryingPoint)
@_specialize(where Sample == Double, Point == VaryingPoint)
func convolve<Sample: AudioSample, Point: OutputPoint>(
  _ filter: PolyphaseFilter<Sample>, _ history: ChannelHistory<Sample>, _ channel: Int,
  from start: Point, _ count: Int, to target: UnsafeMutablePointer<Sample>, every stride: Int
) {
  let samples = history.samples(of: channel)
  let taps = filter.taps
  let rows = filter.coefficients
  var point = start
  for output in 0..<count {
    var sum: Sample = 0
    if filter.isGrid {
      let (first, rest) = point.gridPoint(rowCount: filter.phaseCount)
      sum = interpolatedProduct(
        rows.extracting(first * taps..<(first + 4) * taps), cubicWeights(at: rest), samples,
        from: point.index)
    } else {
      let row = rows.extracting(point.phase * taps..<(point.phase + 1) * taps)
      sum = Sample.dotProduct(row, samples, from: point.index)
    }
    unsafe (target + output &* stride).initialize(to: sum)
    point.advance()
  }
}

/// The same for channels `first` and `first` + 1, which share the loads of the coefficients; each is
/// bit for bit what the form for one channel gives.
@_specialize(where Sample == Float, Point == RationalPoint)
@_specialize(where Sample == Double, Point == RationalPoint)
@_specialize(where Sample == Float, Point == VaryingPoint)
@_specialize(where Sample == Double, Point == VaryingPoint)
func convolvePair<Sample: AudioSample, Point: OutputPoint>(
  _ filter: PolyphaseFilter<Sample>, _ history: ChannelHistory<Sample>, _ first: Int,
  from start: Point, _ count: Int, to target: UnsafeMutablePointer<Sample>, every stride: Int
) {
  let left = history.samples(of: first)
  let right = history.samples(of: first + 1)
  let taps = filter.taps
  let rows = filter.coefficients
  var point = start
  for output in 0..<count {
    var sums = (left: 0 as Sample, right: 0 as Sample)
    if filter.isGrid {
      let (first, rest) = point.gridPoint(rowCount: filter.phaseCount)
      sums = interpolatedProducts(
        rows.extracting(first * taps..<(first + 4) * taps), cubicWeights(at: rest), left, right,
        from: point.index)
    } else {
      let row = rows.extracting(point.phase * taps..<(point.phase + 1) * taps)
      sums = Sample.dotProducts(row, left, right, from: point.index)
    }
    let to = unsafe target + output &* stride
    unsafe to.initialize(to: sums.left)
    unsafe (to + 1).initialize(to: sums.right)
    point.advance()
  }
}

/// Lagrange's weights, at `x` from 0 to 1, for rows that stand at −1, 0, 1 and 2. The table's first row
/// stands at −1 (``PolyphaseFilter/isGrid``), so that the four begin with the row of the point's own
/// number.
private func cubicWeights(at x: Double) -> SIMD4<Double> {
  [
    -x * (x - 1) * (x - 2) / 6, (x + 1) * (x - 1) * (x - 2) / 2,
    -(x + 1) * x * (x - 2) / 2, (x + 1) * x * (x - 1) / 6,
  ]
}
