// SPDX-License-Identifier: Apache-2.0
/// A read-write observer that chooses the channels of a stream. Behind it the stream has the channels of the map.
///
/// Channels that are chosen without a sum stay bit for bit. The session's parameters for the channel count do not
/// apply.
///
/// ```swift
/// try session.register(ChannelMapObserver(.record, ChannelMap([.speaker(.left)])))
/// ```
///
/// If a stream lacks one of the channels, the session ends with `invalidParameter`.
public final class ChannelMapObserver: AudioObserver {
  public let positions: ObservationPositions
  private let map: ChannelMap
  private let asked: FrameParameters

  /// - Parameters:
  ///   - positions: the positions of the edited streams.
  ///   - map: the channels, in order.
  ///   - parameters: the rate of the stream, read-write unless they set a mode. The channel count is that of the map,
  ///     and there are no frames.
  public init(
    _ positions: ObservationPositions, _ map: ChannelMap, parameters: FrameParameters = .readWrite
  ) {
    self.map = map
    self.positions = positions
    asked = parameters
  }

  /// A sum of channels has more bits than a sample.
  public var neededPrecision: SamplePrecision { map.sums ? .double : .single }

  public func parameters(at position: ObservationPosition) -> FrameParameters {
    var parameters = asked.completed(by: .readWrite)
    parameters.channelCount = map.origins.count
    parameters.samplesPerCall = nil
    parameters.interval = nil
    return parameters
  }
}

extension ChannelMapObserver: EditingObserver, TraitedObserver {
  package var traits: ObserverTraits { [.hasOwnShape, .mapsChannels] }

  package func adapt(_ metadata: Metadata, at sampleRate: Int) -> Metadata {
    var metadata = metadata
    let count = metadata.channelCount ?? 0
    let factors = try? map.factors(channelCount: count, layout: metadata.channelLayout)
    metadata.channelLayout = nil
    metadata.channelCount = map.origins.count
    metadata.editor?.editing.moveChannels(
      &metadata, to: (factors ?? []).map { row in row.indices.filter { row[$0] != 0 } }, of: count)
    return metadata
  }

  func appendEdit<Sample: AudioSample>(
    to chain: Chain<Sample>, _ shape: FrameShape, _ layout: Metadata.ChannelLayout?
  ) throws(AudioError) {
    let factors = try map.factors(channelCount: chain.format.channelCount, layout: layout)
    chain.append(try ChannelConversion<Sample>(from: chain.format, by: factors))
  }
}
