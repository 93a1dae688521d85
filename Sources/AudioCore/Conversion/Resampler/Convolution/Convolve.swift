/// Writes `count` output samples of one channel, each `stride` after the one before.
///
/// One call for each block, so that the loop inside is the specialised one.
@_specialize(where Sample == Float, Place == ResamplerPlace)
@_specialize(where Sample == Double, Place == ResamplerPlace)
@_specialize(where Sample == Float, Place == VaryingPlace)
@_specialize(where Sample == Double, Place == VaryingPlace)
func convolve<Sample: AudioSample, Place: OutputPlace>(
  _ filter: PolyphaseFilter<Sample>, _ history: ChannelHistory<Sample>, _ channel: Int,
  from start: Place, _ count: Int, to target: UnsafeMutablePointer<Sample>, every stride: Int
) {
  let samples = history.samples(of: channel)
  let taps = filter.taps
  let rows = filter.coefficients
  var place = start
  for output in 0..<count {
    var sum: Sample = 0
    if filter.isGrid {
      let (first, rest) = place.gridPlace(rowCount: filter.phaseCount)
      let weights = cubicWeights(at: rest)
      for number in 0..<4 {
        let row = rows.extracting((first + number) * taps..<(first + number + 1) * taps)
        sum += Sample(weights[number]) * Sample.dotProduct(row, samples, from: place.index)
      }
    } else {
      let row = rows.extracting(place.phase * taps..<(place.phase + 1) * taps)
      sum = Sample.dotProduct(row, samples, from: place.index)
    }
    unsafe (target + output &* stride).initialize(to: sum)
    place.advance()
  }
}

/// The same for channels `first` and `first` + 1, which share the loads of the coefficients; each is
/// bit for bit what the form for one channel gives.
@_specialize(where Sample == Float, Place == ResamplerPlace)
@_specialize(where Sample == Double, Place == ResamplerPlace)
@_specialize(where Sample == Float, Place == VaryingPlace)
@_specialize(where Sample == Double, Place == VaryingPlace)
func convolvePair<Sample: AudioSample, Place: OutputPlace>(
  _ filter: PolyphaseFilter<Sample>, _ history: ChannelHistory<Sample>, _ first: Int,
  from start: Place, _ count: Int, to target: UnsafeMutablePointer<Sample>, every stride: Int
) {
  let left = history.samples(of: first)
  let right = history.samples(of: first + 1)
  let taps = filter.taps
  let rows = filter.coefficients
  var place = start
  for output in 0..<count {
    var sums = (left: 0 as Sample, right: 0 as Sample)
    if filter.isGrid {
      let (first, rest) = place.gridPlace(rowCount: filter.phaseCount)
      let weights = cubicWeights(at: rest)
      for number in 0..<4 {
        let row = rows.extracting((first + number) * taps..<(first + number + 1) * taps)
        let parts = Sample.dotProducts(row, left, right, from: place.index)
        sums.left += Sample(weights[number]) * parts.left
        sums.right += Sample(weights[number]) * parts.right
      }
    } else {
      let row = rows.extracting(place.phase * taps..<(place.phase + 1) * taps)
      sums = Sample.dotProducts(row, left, right, from: place.index)
    }
    let to = unsafe target + output &* stride
    unsafe to.initialize(to: sums.left)
    unsafe (to + 1).initialize(to: sums.right)
    place.advance()
  }
}

/// Lagrange's weights, at `x` from 0 to 1, for rows that stand at −1, 0, 1 and 2. The table's first row
/// stands at −1 (``PolyphaseFilter/isGrid``), so that the four begin with the row of the place's own
/// number.
private func cubicWeights(at x: Double) -> SIMD4<Double> {
  [
    -x * (x - 1) * (x - 2) / 6, (x + 1) * (x - 1) * (x - 2) / 2,
    -(x + 1) * x * (x - 2) / 2, (x + 1) * x * (x - 1) / 6,
  ]
}
