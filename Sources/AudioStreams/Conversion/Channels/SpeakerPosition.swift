// SPDX-License-Identifier: Apache-2.0
/// The loudspeaker position of a channel; the raw values are the names that users type.
enum SpeakerPosition: String, CaseIterable {
  case frontLeft = "L"
  case frontRight = "R"
  case frontCentre = "C"
  case lowFrequency = "LFE"
  case backLeft = "Lb"
  case backRight = "Rb"
  case frontLeftOfCentre = "Lc"
  case frontRightOfCentre = "Rc"
  case backCentre = "Cs"
  case sideLeft = "Ls"
  case sideRight = "Rs"
  case topCentre = "Tc"
  case topFrontLeft = "Tfl"
  case topFrontCentre = "Tfc"
  case topFrontRight = "Tfr"
  case topBackLeft = "Tbl"
  case topBackCentre = "Tbc"
  case topBackRight = "Tbr"

  /// The positions of a stream of `channelCount` channels, in WAV's order (the bits of `dwChannelMask`); nil beyond
  /// 7.1, as such channels are just tracks.
  static func positions(channelCount: Int) -> [SpeakerPosition]? {
    Metadata.ChannelLayout.usualSpeakers(channelCount).map { mask in
      positions(channelCount: channelCount, layout: .speakers(mask)).compactMap(\.self)
    }
  }

  /// The positions of a stream's channels; nil for a channel without a position here.
  ///
  /// - Parameter layout: the layout of the stream; nil = the usual positions.
  /// - Returns: an empty array if the channels are just tracks.
  static func positions(
    channelCount: Int, layout: Metadata.ChannelLayout?
  ) -> [SpeakerPosition?] {
    guard case .speakers(var mask)? = layout else {
      return positions(channelCount: channelCount) ?? []
    }
    var positions: [SpeakerPosition?] = []
    while positions.count < channelCount {
      let bit = mask.trailingZeroBitCount
      positions.append(mask == 0 || bit >= allCases.count ? nil : allCases[bit])
      if mask != 0 { mask &= mask - 1 }
    }
    return positions
  }

  /// The positions of a stream's channels for a conversion. A channel without a position goes to the centre, so that it
  /// is not lost.
  ///
  /// - Returns: nil if the channels are just tracks.
  static func heard(channelCount: Int, _ layout: Metadata.ChannelLayout?) -> [SpeakerPosition]? {
    guard case .speakers(let mask)? = layout, mask != 0 else {
      return positions(channelCount: channelCount)
    }
    return positions(channelCount: channelCount, layout: layout).map { $0 ?? .frontCentre }
  }
}

extension SpeakerPosition {
  /// Returns the destinations of this position's sound in a stream that has only `present`, with their factors.
  ///
  /// - ITU-R BS.775-3, annex 4, table 2: the centre goes into left and right at √½, a surround channel into the front of
  ///   its side at √½, the one surround channel of 3/1 into both at ½; left and right go into one channel at √½, and
  ///   surround channels at ½. The low-frequency channel is left out.
  /// - Beyond BS.775-3: side and back stand in for each other at 1; if the stream has both and the result only one, the
  ///   other is added at √½, back channels to a back centre if there is one. Left and right of centre go into left and
  ///   right at 1. A top channel goes to the one below it at √½, the top centre to the front at ½.
  ///
  /// - Parameter others: all positions of the converted stream.
  func destinations(
    among present: Set<SpeakerPosition>, beside others: Set<SpeakerPosition>
  ) -> [(position: SpeakerPosition, factor: Double)] {
    if present.contains(self) { return [(self, 1)] }
    return substitutes(among: present, beside: others).flatMap { substitute in
      substitute.position.destinations(among: present, beside: others).map {
        (position: $0.position, factor: $0.factor * substitute.factor)
      }
    }
  }

  private func substitutes(
    among present: Set<SpeakerPosition>, beside others: Set<SpeakerPosition>
  ) -> [(position: SpeakerPosition, factor: Double)] {
    let less = 0.5.squareRoot()
    switch self {
    case .lowFrequency: return []
    case .frontLeft, .frontRight: return [(.frontCentre, less)]
    case .frontCentre: return [(.frontLeft, less), (.frontRight, less)]
    case .frontLeftOfCentre: return [(.frontLeft, 1)]
    case .frontRightOfCentre: return [(.frontRight, 1)]
    case .backCentre where present.contains(.backLeft):
      return [(.backLeft, less), (.backRight, less)]
    case .backCentre where present.contains(.sideLeft):
      return [(.sideLeft, less), (.sideRight, less)]
    case .backCentre where present.contains(.frontLeft):
      return [(.frontLeft, 0.5), (.frontRight, 0.5)]
    case .backCentre: return [(.frontCentre, 0.5)]
    case .backLeft: return Self.surround(.sideLeft, .frontLeft, present, others)
    case .backRight: return Self.surround(.sideRight, .frontRight, present, others)
    case .sideLeft: return Self.surround(.backLeft, .frontLeft, present, others)
    case .sideRight: return Self.surround(.backRight, .frontRight, present, others)
    case .topCentre: return [(.frontLeft, 0.5), (.frontRight, 0.5)]
    case .topFrontLeft: return [(.frontLeft, less)]
    case .topFrontCentre: return [(.frontCentre, less)]
    case .topFrontRight: return [(.frontRight, less)]
    case .topBackLeft: return [(.backLeft, less)]
    case .topBackCentre: return [(.backCentre, less)]
    case .topBackRight: return [(.backRight, less)]
    }
  }

  /// Returns the destination of a surround channel that the result lacks.
  ///
  /// - Parameters:
  ///   - neighbour: the other surround channel of its side.
  ///   - front: the front channel of its side.
  private static func surround(
    _ neighbour: SpeakerPosition, _ front: SpeakerPosition, _ present: Set<SpeakerPosition>,
    _ others: Set<SpeakerPosition>
  ) -> [(position: SpeakerPosition, factor: Double)] {
    let less = 0.5.squareRoot()
    if present.contains(neighbour), !others.contains(neighbour) { return [(neighbour, 1)] }
    if present.contains(.backCentre), !others.contains(.backCentre) { return [(.backCentre, less)] }
    return [(present.contains(neighbour) ? neighbour : front, less)]
  }
}
