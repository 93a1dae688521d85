// SPDX-License-Identifier: Apache-2.0
/// The loudspeakers that the channels of a file or a device belong to, in the order in which it holds them.
package struct StoredChannels: Sendable, Hashable {
  /// For each channel a bit of ``Metadata/ChannelLayout/speakers(_:)``.
  let speakers: [UInt32]

  /// - Returns: nil where a channel has no loudspeaker, or two have the same.
  package init?(_ speakers: [UInt32]) {
    guard speakers.allSatisfy({ $0.nonzeroBitCount == 1 }), Set(speakers).count == speakers.count
    else { return nil }
    self.speakers = speakers
  }

  package var layout: Metadata.ChannelLayout { .speakers(speakers.reduce(0, |)) }

  /// The same in streams, whose channels stand in the order of the bits.
  package var order: ChannelOrder? {
    let sorted = speakers.sorted()
    return ChannelOrder(speakers.compactMap { sorted.firstIndex(of: $0) })
  }

  private static let lowFrequency: UInt32 = 0x8

  /// Which channel of a stream in the usual order goes into the place of low frequencies, from 1; nil = there is none.
  package var lowFrequencyChannel: Int? {
    speakers.sorted().firstIndex(of: Self.lowFrequency).map { $0 + 1 }
  }
}

extension StoredChannels {
  /// Those of Vorbis, and of Opus with channel mapping family 1; nil for numbers of channels that have none.
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

  /// How the channels of a stream go into these places: each to its own loudspeaker, else from the side to the back or
  /// the other way round, else where something is left. Low frequencies have a place of their own: what a codec takes
  /// for them it cuts off above some hundred hertz.
  ///
  /// - Parameter layout: that of the stream, which has as many channels; nil = the usual one.
  /// - Returns: nil where another channel would have to stand in the place of low frequencies.
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
