// SPDX-License-Identifier: Apache-2.0
/// Writes `count` interleaved output samples of every channel.
@_specialize(where Sample == Float, Point == RationalPoint)
@_specialize(where Sample == Double, Point == RationalPoint)
@_specialize(where Sample == Float, Point == VaryingPoint)
@_specialize(where Sample == Double, Point == VaryingPoint)
func convolve<Sample: AudioSample, Point: OutputPoint>(
  _ filter: PolyphaseFilter<Sample>, _ history: ChannelHistory<Sample>, from start: Point,
  _ count: Int, to target: UnsafeMutablePointer<Sample>
) {
  let channelCount = history.channelCount
  let taps = filter.taps
  var point = start
  var first = 0
  // The points of 32 outputs fit on the stack.
  let most = 32
  unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: 2 * most) { places in
    unsafe withUnsafeTemporaryAllocation(of: SIMD4<Double>.self, capacity: most) { weights in
      guard let rows = places.baseAddress, let weights = weights.baseAddress else {
        return
      }
      let starts = unsafe rows + most
      while first < count {
        let number = min(most, count - first)
        for output in 0..<number {
          unsafe (starts + output).initialize(to: point.index)
          if filter.isGrid {
            let (row, rest) = point.gridPoint(rowCount: filter.phaseCount)
            unsafe (rows + output).initialize(to: row * taps)
            unsafe (weights + output).initialize(to: cubicWeights(at: rest))
          } else {
            unsafe (rows + output).initialize(to: point.phase * taps)
          }
          point.advance()
        }
        let points = unsafe RowPoints(
          count: number, rows: rows, starts: starts, stride: channelCount)
        for channel in Swift.stride(from: 0, to: channelCount, by: 2) {
          unsafe sum(
            filter, points, weights, history, channel,
            to: target + (first * channelCount + channel))
        }
        first += number
      }
    }
  }
}

/// Computes the outputs of a channel and of the next one, if any. The two share the loads of the coefficients; each
/// equals its separate result bit for bit.
private func sum<Sample: AudioSample>(
  _ filter: PolyphaseFilter<Sample>, _ points: RowPoints, _ weights: UnsafePointer<SIMD4<Double>>,
  _ history: ChannelHistory<Sample>, _ channel: Int, to target: UnsafeMutablePointer<Sample>
) {
  let taps = filter.taps
  // Points only go forward.
  let (firstStart, lastStart) = unsafe (points.starts[0], points.starts[points.count - 1])
  precondition(firstStart >= 0 && lastStart + taps <= history.count)
  let kernels = KernelTable.current.samples
  var points = points
  let left = history.samples(of: channel)
  let right = history.samples(of: min(channel + 1, history.channelCount - 1))
  unsafe filter.coefficients.withUnsafeBufferPointer { coefficients in
    unsafe left.withUnsafeBufferPointer { left in
      unsafe right.withUnsafeBufferPointer { right in
        guard let factors = coefficients.baseAddress, let first = left.baseAddress else { return }
        let second = channel + 1 < history.channelCount ? right.baseAddress : nil
        if filter.isGrid {
          unsafe kernels.interpolateRows(
            Sample.isDouble, factors, taps, &points, weights, first, second, target)
        } else {
          unsafe kernels.sumRows(Sample.isDouble, factors, taps, &points, first, second, target)
        }
      }
    }
  }
}

/// Lagrange's weights, at `x` from 0 to 1, for rows at −1, 0, 1 and 2. The table's first row stands at −1
/// (``PolyphaseFilter/isGrid``), so the point's number is the index of the first of the four rows.
private func cubicWeights(at x: Double) -> SIMD4<Double> {
  [
    -x * (x - 1) * (x - 2) / 6, (x + 1) * (x - 1) * (x - 2) / 2,
    -(x + 1) * x * (x - 2) / 2, (x + 1) * x * (x - 1) / 6,
  ]
}
