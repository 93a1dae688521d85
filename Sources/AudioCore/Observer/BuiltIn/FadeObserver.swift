// SPDX-License-Identifier: Apache-2.0
/// A read-write observer that fades streams in and out. It holds a stream back by the length of the fade-out.
///
/// Sample n of a fade-in of N samples is multiplied by the curve at n ⁄ N, sample k of the last N of a stream by the
/// curve at 1 − k ⁄ N. A fade-out and a fade-in of equal length, laid over each other, make a crossfade. A stream that
/// is shorter than a fade gets a part of it. Samples behind a fade-in and in front of a fade-out pass unchanged. A
/// session with a fade computes in double precision:
///
/// ```swift
/// try session.register(FadeObserver(.record, in: .time(.seconds(1)), out: .time(.seconds(3))))
/// ```
///
/// An observer that is unregistered during its stream ends the fade-out there.
public final class FadeObserver: AudioObserver {
  public let positions: ObservationPositions
  private let fadeIn: TimePosition
  private let fadeOut: TimePosition
  private let curve: FadeCurve
  private let asked: FrameParameters

  /// - Parameters:
  ///   - positions: the positions of the faded streams.
  ///   - fadeIn: the length of the fade-in from a stream's beginning; in samples, at the rate of the observer.
  ///   - fadeOut: the length of the fade-out before a stream's end, whenever that comes.
  ///   - curve: the curve of both fades.
  ///   - parameters: the shape of the stream, read-write unless they set a mode. There are no frames.
  public init(
    _ positions: ObservationPositions, in fadeIn: TimePosition = .samples(0),
    out fadeOut: TimePosition = .samples(0),
    curve: FadeCurve = .linear,
    parameters: FrameParameters = .readWrite
  ) {
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
    self.curve = curve
    self.positions = positions
    asked = parameters
  }

  /// A product has more bits than a sample.
  public var neededPrecision: SamplePrecision { .double }

  public func parameters(at position: ObservationPosition) -> FrameParameters {
    asked.completed(by: .readWrite)
  }
}

extension FadeObserver: EditingObserver {
  package func holdBack(_ shape: FrameShape) -> Int {
    Int(clamping: max(0, fadeOut.samples(at: shape.format.sampleRate)))
  }

  func appendEdit<Sample: AudioSample>(
    to chain: Chain<Sample>, _ shape: FrameShape, _ layout: Metadata.ChannelLayout?
  ) throws(AudioError) {
    let rate = shape.format.sampleRate
    chain.append(
      FadeStage<Sample>(
        format: shape.format, fadeIn: try fadeIn.length(at: rate, as: "fade-in"),
        fadeOut: try fadeOut.length(at: rate, as: "fade-out"), curve: curve))
  }
}
