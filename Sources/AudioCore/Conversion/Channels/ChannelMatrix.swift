// SPDX-License-Identifier: Apache-2.0
/// The factors by which each channel of a stream goes into each channel of another.
///
/// Channels stand in WAV's order: front left, front right, centre, low frequency, back left, back
/// right, side left, side right (a device that orders them otherwise is the endpoint's concern).
///
/// - Equal counts: every channel is copied.
/// - One channel to two: to both at unity. Two to one: ½ + ½.
/// - Other counts up to 8: by speaker position and ITU-R BS.775-3 (``SpeakerPosition``). A matrix in
///   which the factors of an output channel add up to more than 1 is scaled down as a whole, so that
///   a conversion never makes a stream clip (5.1 → stereo: −7.7 dB).
/// - Beyond 8 channels, where positions mean nothing: channel i goes to channel i modulo the output's
///   count, and each output channel is the mean of what goes there; one channel goes to all.
struct ChannelMatrix {
  /// `factors[output][input]`.
  let factors: [[Double]]

  init(from inputCount: Int, to outputCount: Int) {
    if inputCount == outputCount {
      factors = (0..<outputCount).map { output in
        (0..<inputCount).map { $0 == output ? 1 : 0 }
      }
    } else if inputCount == 1, outputCount == 2 || outputCount > 8 {
      factors = Array(repeating: [1], count: outputCount)
    } else if let inputs = SpeakerPosition.positions(channelCount: inputCount),
      let outputs = SpeakerPosition.positions(channelCount: outputCount)
    {
      factors = Self.factors(from: inputs, to: outputs)
    } else {
      factors = (0..<outputCount).map { output in
        let sources = stride(from: output, to: inputCount, by: outputCount)
        return (0..<inputCount).map { input in
          sources.contains(input) ? 1 / Double(Array(sources).count) : 0
        }
      }
    }
  }

  private static func factors(
    from inputs: [SpeakerPosition], to outputs: [SpeakerPosition]
  ) -> [[Double]] {
    let destinations = inputs.map { $0.destinations(among: Set(outputs)) }
    let sums = outputs.map { output in
      destinations.map { $0.reduce(0) { $1.position == output ? $0 + $1.factor : $0 } }
    }
    let largest = sums.map { $0.reduce(0, +) }.max() ?? 1
    return largest > 1 ? sums.map { $0.map { $0 / largest } } : sums
  }
}

/// Where a channel is meant to be heard.
enum SpeakerPosition: Hashable {
  case frontLeft
  case frontRight
  case frontCentre
  case lowFrequency
  case backLeft
  case backRight
  case backCentre
  case sideLeft
  case sideRight

  /// The positions of a stream of `channelCount` channels, in WAV's order (the bits of
  /// `dwChannelMask`); nil beyond 7.1, where channels are just tracks.
  static func positions(channelCount: Int) -> [SpeakerPosition]? {
    switch channelCount {
    case 1: [.frontCentre]
    case 2: [.frontLeft, .frontRight]
    case 3: [.frontLeft, .frontRight, .frontCentre]
    case 4: [.frontLeft, .frontRight, .backLeft, .backRight]
    case 5: [.frontLeft, .frontRight, .frontCentre, .backLeft, .backRight]
    case 6: [.frontLeft, .frontRight, .frontCentre, .lowFrequency, .backLeft, .backRight]
    case 7:
      [
        .frontLeft, .frontRight, .frontCentre, .lowFrequency, .backCentre, .sideLeft, .sideRight,
      ]
    case 8:
      [
        .frontLeft, .frontRight, .frontCentre, .lowFrequency, .backLeft, .backRight, .sideLeft,
        .sideRight,
      ]
    default: nil
    }
  }
}

extension SpeakerPosition {
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
      positions.append(mask == 0 ? nil : byBit[mask & (~mask + 1)])
      if mask != 0 { mask &= mask - 1 }
    }
    return positions
  }

  /// Source: as ``Metadata/ChannelLayout``.
  private static let byBit: [UInt32: SpeakerPosition] = [
    0x1: .frontLeft, 0x2: .frontRight, 0x4: .frontCentre, 0x8: .lowFrequency, 0x10: .backLeft,
    0x20: .backRight, 0x100: .backCentre, 0x200: .sideLeft, 0x400: .sideRight,
  ]
}

extension SpeakerPosition {
  /// Where the sound of this position goes in a stream that has only `present`, each with its factor.
  ///
  /// ITU-R BS.775-3, annex 4, table 2: the centre and each surround channel go into left and right at
  /// √½, left and right go into one channel at √½, the low-frequency channel is left out. A back
  /// channel takes the place of a side channel and the other way round.
  func destinations(
    among present: Set<SpeakerPosition>
  ) -> [(position: SpeakerPosition, factor: Double)] {
    if present.contains(self) { return [(self, 1)] }
    let substitutes: [(position: SpeakerPosition, factor: Double)] =
      switch self {
      case .lowFrequency: []
      case .frontLeft, .frontRight: [(.frontCentre, 0.5.squareRoot())]
      case .frontCentre: [(.frontLeft, 0.5.squareRoot()), (.frontRight, 0.5.squareRoot())]
      case .backCentre where present.contains(.sideLeft):
        [(.sideLeft, 0.5.squareRoot()), (.sideRight, 0.5.squareRoot())]
      case .backCentre: [(.backLeft, 0.5.squareRoot()), (.backRight, 0.5.squareRoot())]
      case .backLeft where present.contains(.sideLeft): [(.sideLeft, 1)]
      case .backRight where present.contains(.sideRight): [(.sideRight, 1)]
      case .sideLeft where present.contains(.backLeft): [(.backLeft, 1)]
      case .sideRight where present.contains(.backRight): [(.backRight, 1)]
      case .backLeft, .sideLeft: [(.frontLeft, 0.5.squareRoot())]
      case .backRight, .sideRight: [(.frontRight, 0.5.squareRoot())]
      }
    return substitutes.flatMap { substitute in
      substitute.position.destinations(among: present).map {
        (position: $0.position, factor: $0.factor * substitute.factor)
      }
    }
  }
}
