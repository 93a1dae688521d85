// SPDX-License-Identifier: Apache-2.0
/// The K-weighted energy of all channels of a stream, two at a time.
struct WeightedChannels {
  private struct Pair {
    var first: Int
    var second: Int
    var weights: SIMD2<Double>
    var state = KWeighting.State()
  }

  private let weighting: KWeighting
  private var pairs: [Pair] = []

  init(_ weighting: KWeighting, _ weights: ChannelWeights) {
    self.weighting = weighting
    let heard = weights.values.indices.filter { weights.values[$0] > 0 }
    for place in stride(from: 0, to: heard.count, by: 2) {
      let hasSecond = place + 1 < heard.count
      let (first, second) = (heard[place], heard[hasSecond ? place + 1 : place])
      pairs.append(
        Pair(
          first: first, second: second,
          weights: SIMD2(weights.values[first], hasSecond ? weights.values[second] : 0)))
    }
  }

  /// Returns the weighted sum of the squares of the next samples.
  ///
  /// - Parameter samples: the channels lie `stride` samples apart.
  mutating func energy(
    _ samples: UnsafePointer<Double>, stride: Int, count: Int
  ) -> Double {
    var energy = 0.0
    for index in pairs.indices {
      let pair = pairs[index]
      let energies = unsafe weighting.energies(
        samples + pair.first * stride, samples + pair.second * stride, count: count,
        &pairs[index].state)
      pairs[index].state.settle()
      energy += (energies * pair.weights).sum()
    }
    return energy
  }
}
