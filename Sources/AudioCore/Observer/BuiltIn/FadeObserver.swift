// SPDX-License-Identifier: Apache-2.0
/// Fades streams in and out: a read-write observer, which holds a stream back by the length of its fade-out.
///
/// Sample n of a fade-in of N samples is multiplied by the curve at n ⁄ N, sample k of the last N of a stream by the
/// curve at 1 − k ⁄ N: a fade-in followed by a fade-out of the same length, laid over each other, make a crossfade.
/// A stream that is shorter than a fade has the part of it that is there. Behind a fade-in, and in front of a
/// fade-out, samples pass as they are. A session with a fade computes in double precision:
///
/// ```swift
/// try session.register(FadeObserver(.record, in: .time(.seconds(1)), out: .time(.seconds(3))))
/// ```
///
/// An observer that is unregistered while its stream goes on ends the fade-out there.
public final class FadeObserver: AudioObserver {
  public let positions: ObservationPositions
  private let fadeIn: TimePosition
  private let fadeOut: TimePosition
  private let curve: FadeCurve
  private let asked: FrameParameters

  /// - Parameters:
  ///   - positions: where it is heard.
  ///   - fadeIn: how long a stream is faded in from its beginning; in samples, at the rate of the observer.
  ///   - fadeOut: how long it is faded out before its end, whenever that comes.
  ///   - curve: of both.
  ///   - parameters: the shape of the stream; the mode is read-write unless they say otherwise. There are no
  ///     frames.
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

  /// A product has more bits than the sample.
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
