// SPDX-License-Identifier: Apache-2.0
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
