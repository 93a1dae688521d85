// SPDX-License-Identifier: Apache-2.0
/// The channels of a stream, or sums of them, that make up another stream, in order.
///
/// ```swift
/// ChannelMap([.channel(2), .channel(1)])  // left and right change places
/// ChannelMap([.sum([.init(0.5, .speaker(.left)), .init(-0.5, .speaker(.right))])])  // the side signal
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
    /// The sum of channels, each multiplied by its factor; silence without terms.
    case sum([Term])
  }

  /// A channel of a sum.
  public struct Term: Sendable, Hashable {
    /// The channel by its number, from 1, or by its loudspeaker.
    public enum Channel: Sendable, Hashable {
      case number(Int)
      case speaker(Speaker)
    }

    /// A finite factor.
    public var factor: Double
    public var channel: Channel

    public init(_ factor: Double, _ channel: Channel) {
      self.factor = factor
      self.channel = channel
    }
  }

  /// The loudspeaker of a channel. Streams of up to eight channels usually have them in WAV's order.
  @nonexhaustive
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

  /// - Throws: `invalidParameter` for 0 or more than 64 channels, for a number below 1, and for a factor that is not
  ///   finite.
  public init(_ origins: [Origin]) throws(AudioError) {
    guard StreamFormat.channelCounts.contains(origins.count) else {
      throw AudioError(
        .invalidParameter, cannot: "map to", "\(origins.count) channels",
        because: "a stream has 1 to \(StreamFormat.channelCounts.upperBound)")
    }
    for term in origins.flatMap(\.terms) {
      if case .number(let number) = term.channel, number < 1 {
        throw AudioError(
          .invalidParameter, cannot: "map channel", "\(number)", because: "channels count from 1")
      }
      try AudioError.require(
        term.factor.isFinite, "factor", "\(term.factor)", because: "it must be finite")
    }
    self.origins = origins
  }

  /// Whether the result has sums or products, which may need more bits than a sample.
  package var sums: Bool {
    origins.contains { origin in
      let terms = origin.terms
      return origin == .mix || terms.count > 1 || terms.contains { abs($0.factor) != 1 }
    }
  }

  /// The loudspeakers' names of a stream's channels; nil for a channel without one.
  ///
  /// - Parameter layout: the loudspeakers; nil = the usual ones.
  package static func speakerNames(
    channelCount: Int, layout: Metadata.ChannelLayout?
  ) -> [String?] {
    let positions = SpeakerPosition.positions(channelCount: channelCount, layout: layout)
    return (0..<channelCount).map { $0 < positions.count ? positions[$0]?.rawValue : nil }
  }

  /// `factors[output][input]` for a stream of `channelCount` channels.
  ///
  /// - Parameter layout: their loudspeakers; nil = the usual ones.
  /// - Throws: `invalidParameter` if the stream lacks a channel; `unsupported` for the mix of ambisonic channels.
  package func factors(
    channelCount: Int, layout: Metadata.ChannelLayout? = nil
  ) throws(AudioError) -> [[Double]] {
    let positions = SpeakerPosition.positions(channelCount: channelCount, layout: layout)
    var rows: [[Double]] = []
    for origin in origins {
      if origin == .mix {
        rows += try ChannelMatrix.converting(from: channelCount, layout, to: 1).factors
        continue
      }
      var row = Array(repeating: 0.0, count: channelCount)
      for term in origin.terms {
        let index = try index(of: term.channel, in: positions, channelCount)
        row[index] += term.factor
      }
      rows.append(row)
    }
    return rows
  }

  private func index(
    of channel: Term.Channel, in positions: [SpeakerPosition?], _ channelCount: Int
  ) throws(AudioError) -> Int {
    switch channel {
    case .number(let number) where number <= channelCount: return number - 1
    case .number(let number): throw missing("\(number)", in: channelCount, positions)
    case .speaker(let speaker):
      guard let index = speaker.index(in: positions) else {
        throw missing(speaker.rawValue, in: channelCount, positions)
      }
      return index
    }
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

extension ChannelMap.Origin {
  /// The channels that make it up; none for ``mix``.
  fileprivate var terms: [ChannelMap.Term] {
    switch self {
    case .channel(let number): [ChannelMap.Term(1, .number(number))]
    case .speaker(let speaker): [ChannelMap.Term(1, .speaker(speaker))]
    case .sum(let terms): terms
    case .mix: []
    }
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
