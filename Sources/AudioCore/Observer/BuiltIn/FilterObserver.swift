// SPDX-License-Identifier: Apache-2.0
/// Filters streams: a read-write observer that delays nothing and leaves the length as it is.
///
/// A stream begins and ends in silence: its first sample meets filters at rest, and what would ring on behind its last one is
/// not there. A session with filters computes in double precision. After a sample that is not a number at most 256 sample
/// frames are spoilt.
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
  ///   - positions: where they are heard.
  ///   - filters: one behind the other. A frequency that is not below half the rate of the stream ends the session with an
  ///     error before it begins.
  ///   - parameters: the shape of the stream; the mode is read-write unless they say otherwise. There are no frames.
  public init(
    _ positions: ObservationPositions, _ filters: [SoundFilter],
    parameters: FrameParameters = .readWrite
  ) {
    self.filters = filters
    self.positions = positions
    asked = parameters
  }

  /// Sums of products have more bits than the sample.
  public var neededPrecision: SamplePrecision { .double }

  public func parameters(at position: ObservationPosition) -> FrameParameters {
    asked.completed(by: .readWrite)
  }
}

extension FilterObserver: EditingObserver {
  package func holdBack(_ shape: FrameShape) -> Int { 0 }

  func appendEdit<Sample: AudioSample>(
    to chain: Chain<Sample>, _ shape: FrameShape, _ layout: Metadata.ChannelLayout?
  ) throws(AudioError) {
    chain.append(try FilterStage<Sample>(format: shape.format, filters))
  }
}
