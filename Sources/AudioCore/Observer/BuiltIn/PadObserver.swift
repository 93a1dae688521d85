// SPDX-License-Identifier: Apache-2.0
/// Puts silence in front of streams and behind them.
///
/// ```swift
/// try session.register(PadObserver(.record, behind: .time(.seconds(2))))
/// ```
///
/// Observers behind it, sinks and sums see the longer stream.
public final class PadObserver: AudioObserver {
  public let positions: ObservationPositions
  private let before: TimePosition
  private let behind: TimePosition
  private let asked: FrameParameters

  /// - Parameters:
  ///   - positions: the positions of the padded streams.
  ///   - before: the silence in front of a stream; in samples, at the rate of the observer.
  ///   - behind: the silence behind a stream.
  ///   - parameters: the shape of the stream, read-write unless they set a mode. There are no frames.
  public init(
    _ positions: ObservationPositions, before: TimePosition = .samples(0),
    behind: TimePosition = .samples(0), parameters: FrameParameters = .readWrite
  ) {
    self.before = before
    self.behind = behind
    self.positions = positions
    asked = parameters
  }

  public func parameters(at position: ObservationPosition) -> FrameParameters {
    asked.completed(by: .readWrite)
  }
}

extension PadObserver: EditingObserver {
  package func adapt(_ metadata: Metadata, at sampleRate: Int) -> Metadata {
    metadata.delayed(by: before.samples(at: metadata.sampleRate ?? sampleRate))
  }

  package func holdBack(_ shape: FrameShape) -> Int {
    Int(clamping: max(0, before.samples(at: shape.format.sampleRate)))
  }

  func appendEdit<Sample: AudioSample>(
    to chain: Chain<Sample>, _ shape: FrameShape, _ layout: Metadata.ChannelLayout?
  ) throws(AudioError) {
    let rate = shape.format.sampleRate
    chain.append(
      PadStage<Sample>(
        format: shape.format, before: try before.length(at: rate, as: "padding"),
        behind: try behind.length(at: rate, as: "padding")))
  }
}
