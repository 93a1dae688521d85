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
      let first = heard[place]
      let second = heard[hasSecond ? place + 1 : place]
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

/// The weights of the channels' energies in the loudness.
///
/// Source: ITU-R BS.1770-4, annex 1, table 3, and annex 3, table 4: 1.41 (+1.5 dB) for loudspeakers at the sides, from
/// 60° to 120°; 1 for all others; the low-frequency channel is left out.
struct ChannelWeights {
  let values: [Double]

  /// - Parameters:
  ///   - channelCount: the stream's channel count.
  ///   - layout: the loudspeakers of the channels; nil = WAV's usual order for that count.
  init(channelCount: Int, layout: Metadata.ChannelLayout? = nil) {
    var mask: UInt32
    switch layout {
    case .speakers(let bits): mask = bits
    case .discrete, .ambisonic: mask = 0
    case nil: mask = Metadata.ChannelLayout.usualSpeakers(channelCount) ?? 0
    }
    // With both pairs, the one at the back stands at 135° or more.
    let surround: UInt32 = mask & Self.sides != 0 ? Self.sides : Self.backs
    var values: [Double] = []
    while values.count < channelCount, mask != 0 {
      let speaker = mask & (~mask + 1)
      mask ^= speaker
      values.append(speaker == Self.lowFrequency ? 0 : speaker & surround != 0 ? 1.41 : 1)
    }
    self.values = values + Array(repeating: 1, count: channelCount - values.count)
  }

  private static let lowFrequency: UInt32 = 0x8
  private static let backs: UInt32 = 0x30
  private static let sides: UInt32 = 0x600
}
