// SPDX-License-Identifier: Apache-2.0
/// Where a channel is meant to be heard.
enum SpeakerPosition: Hashable, CaseIterable {
  case frontLeft
  case frontRight
  case frontCentre
  case lowFrequency
  case backLeft
  case backRight
  case frontLeftOfCentre
  case frontRightOfCentre
  case backCentre
  case sideLeft
  case sideRight
  case topCentre
  case topFrontLeft
  case topFrontCentre
  case topFrontRight
  case topBackLeft
  case topBackCentre
  case topBackRight

  /// The positions of a stream of `channelCount` channels, in WAV's order (the bits of
  /// `dwChannelMask`); nil beyond 7.1, where channels are just tracks.
  static func positions(channelCount: Int) -> [SpeakerPosition]? {
    Metadata.ChannelLayout.usualSpeakers(channelCount).map { mask in
      positions(channelCount: channelCount, layout: .speakers(mask)).compactMap(\.self)
    }
  }

  /// The positions of a stream's channels; nil for those that have no name here.
  ///
  /// - Parameter layout: what the stream says of them; nil = the usual ones, as many as there are.
  /// - Returns: nothing where the channels are just tracks.
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

  /// Where each channel is heard when the stream is converted. One that belongs nowhere is heard in the centre, so that it
  /// is not lost.
  ///
  /// - Returns: nil where the channels are just tracks.
  static func heard(channelCount: Int, _ layout: Metadata.ChannelLayout?) -> [SpeakerPosition]? {
    guard case .speakers(let mask)? = layout, mask != 0 else {
      return positions(channelCount: channelCount)
    }
    return positions(channelCount: channelCount, layout: layout).map { $0 ?? .frontCentre }
  }
}

extension SpeakerPosition {
  /// Where the sound of this position goes in a stream that has only `present`, each with its factor.
  ///
  /// - ITU-R BS.775-3, annex 4, table 2: the centre goes into left and right at √½, a surround channel into the front of
  ///   its side at √½, the one surround channel of 3/1 into both at ½; left and right go into one channel at √½, and
  ///   surround channels at ½. The low-frequency channel is left out.
  /// - Not in it: side and back stand in for each other at 1; where the stream has both and the result one of them, the
  ///   other is added at √½, back channels to a back centre if there is one. Left and right of centre go into left
  ///   and right at 1. A channel above is heard below at √½, the one overhead in front at ½.
  ///
  /// - Parameter others: all positions of the stream that is converted.
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

  /// Where a surround channel goes that the result has not.
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
