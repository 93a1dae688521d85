// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// The places of the channels.
  @nonexhaustive
  public enum ChannelLayout: Sendable, Hashable {
    /// The loudspeakers of the channels, in the order of the bits: 1 = front left, 2 = front right, 4 = front centre,
    /// 8 = low frequencies, 0x10 and 0x20 = back left and right, 0x200 and 0x400 = side left and right. Channels
    /// without a bit come last.
    ///
    /// Source: Microsoft, "Multiple Channel Audio Data and WAVE Files".
    case speakers(UInt32)
    /// No loudspeakers.
    case discrete
    /// B-format.
    case ambisonic

    /// The usual loudspeakers of one to eight channels: mono, stereo, with a centre, quadraphonic, 5.0, 5.1, 6.1, 7.1.
    /// Nil for more.
    ///
    /// Source: RFC 9639, section 9.1.3. `ChannelMatrix` uses these orders, too.
    package static func usualSpeakers(_ channelCount: Int) -> UInt32? {
      let all: [UInt32] = [0x4, 0x3, 0x7, 0x33, 0x37, 0x3F, 0x70F, 0x63F]
      return all.indices.contains(channelCount - 1) ? all[channelCount - 1] : nil
    }
  }
}

/// The loudspeakers of the channels of a file or a device, in its own order.
package struct StoredChannels: Sendable, Hashable {
  /// For each channel a bit of ``Metadata/ChannelLayout/speakers(_:)``.
  let speakers: [UInt32]

  /// - Returns: nil if a channel has no loudspeaker, or if two share one.
  package init?(_ speakers: [UInt32]) {
    guard speakers.allSatisfy({ $0.nonzeroBitCount == 1 }), Set(speakers).count == speakers.count
    else { return nil }
    self.speakers = speakers
  }

  package var layout: Metadata.ChannelLayout { .speakers(speakers.reduce(0, |)) }

  /// The order of these channels relative to a stream, whose channels stand in the order of the bits.
  package var order: ChannelOrder? {
    let sorted = speakers.sorted()
    return ChannelOrder(speakers.compactMap { sorted.firstIndex(of: $0) })
  }

  private static let lowFrequency: UInt32 = 0x8

  /// The number, from 1, of the low-frequency channel in a stream in the usual order; nil if there is none.
  package var lowFrequencyChannel: Int? {
    speakers.sorted().firstIndex(of: Self.lowFrequency).map { $0 + 1 }
  }
}

extension StoredChannels {
  /// Returns the channels of Vorbis, and of Opus with channel mapping family 1; nil for undefined channel counts.
  ///
  /// Sources: the Vorbis I specification, section 4.3.9; RFC 7845, section 5.1.1.2.
  package static func ofXiphCodecs(_ channelCount: Int) -> StoredChannels? {
    let (left, right, centre): (UInt32, UInt32, UInt32) = (0x1, 0x2, 0x4)
    let (backLeft, backRight, backCentre): (UInt32, UInt32, UInt32) = (0x10, 0x20, 0x100)
    let (sideLeft, sideRight): (UInt32, UInt32) = (0x200, 0x400)
    let front = [left, centre, right]
    return switch channelCount {
    case 1: StoredChannels([centre])
    case 2: StoredChannels([left, right])
    case 3: StoredChannels(front)
    case 4: StoredChannels([left, right, backLeft, backRight])
    case 5: StoredChannels(front + [backLeft, backRight])
    case 6: StoredChannels(front + [backLeft, backRight, lowFrequency])
    case 7: StoredChannels(front + [sideLeft, sideRight, backCentre, lowFrequency])
    case 8: StoredChannels(front + [sideLeft, sideRight, backLeft, backRight, lowFrequency])
    default: nil
    }
  }

  /// Assigns the channels of a stream to these places: each to its own loudspeaker, otherwise from the side to the back
  /// or the other way round, otherwise to a free place. The low-frequency place takes no other channel, because a codec
  /// cuts that off above some hundred hertz.
  ///
  /// - Parameter layout: the stream's layout, with as many channels; nil = the usual one.
  /// - Returns: for each place the index of its channel; nil if another channel would have to take the low-frequency
  ///   place.
  package func places(of layout: Metadata.ChannelLayout?) -> [Int]? {
    guard case .speakers(let mask)? = layout else {
      let usual = speakers.sorted()
      return speakers.compactMap { usual.firstIndex(of: $0) }
    }
    var channels = [UInt32](repeating: 0, count: speakers.count)
    var rest = mask
    for index in channels.indices where rest != 0 {
      channels[index] = rest & (~rest + 1)
      rest &= rest - 1
    }
    var places = [Int?](repeating: nil, count: speakers.count)
    var free = Set(channels.indices)
    func fill(_ isMatch: (_ channel: UInt32, _ place: UInt32) -> Bool) {
      for place in places.indices where places[place] == nil {
        let match = free.sorted().first { isMatch(channels[$0], speakers[place]) }
        guard let match else { continue }
        places[place] = match
        free.remove(match)
      }
    }
    fill { $0 == $1 }
    fill { Self.isNeighbour($0, $1) }
    fill { $1 != Self.lowFrequency || $0 == $1 }
    return free.isEmpty ? places.compactMap { $0 } : nil
  }

  /// Whether one is at the side and the other at the back.
  private static func isNeighbour(_ first: UInt32, _ second: UInt32) -> Bool {
    [(0x10, 0x200), (0x20, 0x400)].contains { $0 == (first, second) || $0 == (second, first) }
  }
}
