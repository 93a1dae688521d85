// SPDX-License-Identifier: Apache-2.0
/// A read-write observer that delays single channels of streams, bit for bit.
///
/// ```swift
/// // The right channel comes 3 ms later.
/// try session.register(DelayObserver(.record, [.samples(0), .time(.milliseconds(3))]))
/// ```
///
/// Observers behind it, sinks and sums see a stream that is longer by the longest delay. If a stream has fewer channels
/// than there are delays, or the delayed samples need more than half a GiB, the session ends with `invalidParameter`.
public final class DelayObserver: AudioObserver {
  public let positions: ObservationPositions
  private let delays: [TimePosition]
  private let asked: FrameParameters

  /// - Parameters:
  ///   - positions: the positions of the delayed streams.
  ///   - delays: of the first channels, in order; the others are not delayed. In samples, at the rate of the observer.
  ///   - parameters: the shape of the stream, read-write unless they set a mode. There are no frames.
  public init(
    _ positions: ObservationPositions, _ delays: [TimePosition],
    parameters: FrameParameters = .readWrite
  ) {
    self.delays = delays
    self.positions = positions
    asked = parameters
  }

  public func parameters(at position: ObservationPosition) -> FrameParameters {
    asked.completed(by: .readWrite)
  }
}

extension DelayObserver: EditingObserver {
  func appendEdit<Sample: AudioSample>(
    to chain: Chain<Sample>, _ shape: FrameShape, _ layout: Metadata.ChannelLayout?
  ) throws(AudioError) {
    let rate = shape.format.sampleRate
    let lengths = try delays.map { (delay) throws(AudioError) in
      try delay.length(at: rate, as: "delay")
    }
    chain.append(try DelayStage<Sample>(format: shape.format, delays: lengths))
  }
}
