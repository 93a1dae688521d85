// SPDX-License-Identifier: Apache-2.0
/// The channels of a stream that make up another stream, in order.
///
/// ```swift
/// ChannelMap([.channel(2), .channel(1)])  // left and right change places
/// ```
public struct ChannelMap: Sendable, Hashable {
  /// The origin of one channel of the result.
  public enum Origin: Sendable, Hashable {
    /// A channel by its number, from 1; bit for bit.
    case channel(Int)
    /// A channel by its loudspeaker; bit for bit. A stream without ``Metadata/channelLayout`` has the usual
    /// loudspeakers.
    case speaker(Speaker)
    /// The mix of all channels, as in a conversion to one channel: half of each of two.
    case mix
  }

  /// The loudspeaker of a channel. Streams of up to eight channels usually have them in WAV's order.
  public enum Speaker: String, Sendable, Hashable, CaseIterable {
    case left = "L"
    case right = "R"
    case centre = "C"
    case lowFrequency = "LFE"
    /// The left side; the left back in a stream without side channels.
    case leftSurround = "Ls"
    case rightSurround = "Rs"
    case leftBack = "Lb"
    case rightBack = "Rb"
    case backCentre = "Cs"
  }

  /// The origins of the result's channels; 1 to 64.
  public let origins: [Origin]

  /// - Throws: `invalidParameter` for 0 or more than 64 channels, and for a number below 1.
  public init(_ origins: [Origin]) throws(AudioError) {
    guard StreamFormat.channelCounts.contains(origins.count) else {
      throw AudioError(
        .invalidParameter, cannot: "map to", "\(origins.count) channels",
        because: "a stream has 1 to \(StreamFormat.channelCounts.upperBound)")
    }
    for case .channel(let number) in origins where number < 1 {
      throw AudioError(
        .invalidParameter, cannot: "map channel", "\(number)", because: "channels count from 1")
    }
    self.origins = origins
  }

  /// Whether the result has sums of channels, which may need more bits than a sample.
  package var sums: Bool { origins.contains(.mix) }

  /// `factors[output][input]` for a stream of `channelCount` channels.
  ///
  /// - Parameter layout: their loudspeakers; nil = the usual ones.
  /// - Throws: `invalidParameter` if the stream lacks a channel.
  package func factors(
    channelCount: Int, layout: Metadata.ChannelLayout? = nil
  ) throws(AudioError) -> [[Double]] {
    let positions = SpeakerPosition.positions(channelCount: channelCount, layout: layout)
    var rows: [[Double]] = []
    for origin in origins {
      switch origin {
      case .channel(let number):
        guard number <= channelCount else {
          throw missing("\(number)", in: channelCount, positions)
        }
        rows.append(Self.row(number - 1, channelCount))
      case .speaker(let speaker):
        guard let index = speaker.index(in: positions) else {
          throw missing(speaker.rawValue, in: channelCount, positions)
        }
        rows.append(Self.row(index, channelCount))
      case .mix: rows += ChannelMatrix(from: channelCount, layout, to: 1).factors
      }
    }
    return rows
  }

  private static func row(_ input: Int, _ channelCount: Int) -> [Double] {
    (0..<channelCount).map { $0 == input ? 1 : 0 }
  }

  private func missing(
    _ name: String, in channelCount: Int, _ positions: [SpeakerPosition?]
  ) -> AudioError {
    let names = positions.map { $0?.rawValue ?? "–" }
    let list = names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
    return AudioError(
      .invalidParameter, cannot: "take channel", name,
      because: "the stream has \(channelCount) channel\(channelCount == 1 ? "" : "s")\(list)")
  }
}

extension ChannelMap.Speaker {
  fileprivate func index(in positions: [SpeakerPosition?]) -> Int? {
    for candidate in candidates {
      if let index = positions.firstIndex(of: candidate) { return index }
    }
    return nil
  }

  private var candidates: [SpeakerPosition] {
    switch self {
    case .left: [.frontLeft]
    case .right: [.frontRight]
    case .centre: [.frontCentre]
    case .lowFrequency: [.lowFrequency]
    case .leftSurround: [.sideLeft, .backLeft]
    case .rightSurround: [.sideRight, .backRight]
    case .leftBack: [.backLeft]
    case .rightBack: [.backRight]
    case .backCentre: [.backCentre]
    }
  }
}
