// SPDX-License-Identifier: Apache-2.0
/// A read-write observer that filters streams without a delay and keeps their length.
///
/// The filters are at rest at a stream's first sample, and their decay behind its last sample is cut off. A session
/// with filters computes in double precision. A NaN sample spoils at most 256 sample frames.
///
/// ```swift
/// let rumble = try SoundFilter(.highpass(order: 2), frequency: 80)
/// try session.register(FilterObserver(.record, [rumble]))
/// ```
public final class FilterObserver: AudioObserver {
  public let positions: ObservationPositions
  private let filters: [SoundFilter]
  private let asked: FrameParameters

  /// - Parameters:
  ///   - positions: the positions of the filtered streams.
  ///   - filters: the filters in series. A frequency not below half the rate of the stream ends the session with an
  ///     error before it begins.
  ///   - parameters: the shape of the stream, read-write unless they set a mode. There are no frames.
  public init(
    _ positions: ObservationPositions, _ filters: [SoundFilter],
    parameters: FrameParameters = .readWrite
  ) {
    self.filters = filters
    self.positions = positions
    asked = parameters
  }

  /// A sum of products has more bits than a sample.
  public var neededPrecision: SamplePrecision { .double }

  public func parameters(at position: ObservationPosition) -> FrameParameters {
    asked.completed(by: .readWrite)
  }
}

extension FilterObserver: EditingObserver {
  func appendEdit<Sample: AudioSample>(
    to chain: Chain<Sample>, _ shape: FrameShape, _ layout: Metadata.ChannelLayout?
  ) throws(AudioError) {
    chain.append(try FilterStage<Sample>(format: shape.format, filters))
  }
}
