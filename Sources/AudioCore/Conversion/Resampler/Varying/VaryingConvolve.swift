/// Writes `count` output samples of one channel, each `stride` after the one before.
///
/// One call for each block, so that the loop inside is the specialised one.
@_specialize(where Sample == Float)
@_specialize(where Sample == Double)
func convolve<Sample: AudioSample>(
  _ filter: PolyphaseFilter<Sample>, _ history: ChannelHistory<Sample>, _ channel: Int,
  from start: VaryingPlace, _ count: Int, to target: UnsafeMutablePointer<Sample>,
  every stride: Int
) {
  let samples = history.samples(of: channel)
  let taps = filter.taps
  let rows = filter.coefficients
  var place = start
  for output in 0..<count {
    let (first, weights) = place.rows(of: filter.phaseCount)
    var sum: Sample = 0
    for number in 0..<4 {
      let row = rows.extracting((first + number) * taps..<(first + number + 1) * taps)
      sum += Sample(weights[number]) * Sample.dotProduct(row, samples, from: place.index)
    }
    unsafe (target + output &* stride).initialize(to: sum)
    place.advance()
  }
}

/// The same for channels `first` and `first` + 1, which share the loads of the coefficients; each is
/// bit for bit what the form for one channel gives.
@_specialize(where Sample == Float)
@_specialize(where Sample == Double)
func convolvePair<Sample: AudioSample>(
  _ filter: PolyphaseFilter<Sample>, _ history: ChannelHistory<Sample>, _ first: Int,
  from start: VaryingPlace, _ count: Int, to target: UnsafeMutablePointer<Sample>,
  every stride: Int
) {
  let left = history.samples(of: first)
  let right = history.samples(of: first + 1)
  let taps = filter.taps
  let rows = filter.coefficients
  var place = start
  for output in 0..<count {
    let (first, weights) = place.rows(of: filter.phaseCount)
    var sums = (left: 0 as Sample, right: 0 as Sample)
    for number in 0..<4 {
      let row = rows.extracting((first + number) * taps..<(first + number + 1) * taps)
      let parts = Sample.dotProducts(row, left, right, from: place.index)
      sums.left += Sample(weights[number]) * parts.left
      sums.right += Sample(weights[number]) * parts.right
    }
    let to = unsafe target + output &* stride
    unsafe to.initialize(to: sums.left)
    unsafe (to + 1).initialize(to: sums.right)
    place.advance()
  }
}

extension VaryingPlace {
  /// The first of the four rows around the place in a grid of `rowCount` rows a sample, and Lagrange's
  /// weights for them.
  ///
  /// A place is known to 2^-53 of a sample here, which moves nothing above −300 dB; the rounding is not
  /// carried on.
  fileprivate func rows(of rowCount: Int) -> (first: Int, weights: SIMD4<Double>) {
    let position = Double(phase) / Double(scale) * Double(rowCount)
    // Rounding may take the last place up to the next sample, where no four rows are left.
    let row = min(Int(position), rowCount - 1)
    let x = position - Double(row)
    return (
      row,
      [
        -x * (x - 1) * (x - 2) / 6, (x + 1) * (x - 1) * (x - 2) / 2,
        -(x + 1) * x * (x - 2) / 2, (x + 1) * x * (x - 1) / 6,
      ]
    )
  }
}
