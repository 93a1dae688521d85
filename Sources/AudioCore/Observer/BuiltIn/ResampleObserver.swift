// SPDX-License-Identifier: Apache-2.0
/// Changes the sample rate: a read-write observer that asks for a rate and edits nothing.
///
/// The conversion is the one that the session does for every observer.
public final class ResampleObserver: GenericObserver {
  public let positions: ObservationPositions
  private let asked: FrameParameters

  /// - Parameters:
  ///   - positions: where it is called.
  ///   - sampleRate: in hertz; wins over that of `parameters`.
  ///   - parameters: the rest of the shape of its frames; the mode is read-write unless they say otherwise.
  public init(
    _ positions: ObservationPositions, sampleRate: Int, parameters: FrameParameters = .readWrite
  ) {
    self.positions = positions
    var parameters = parameters
    parameters.sampleRate = sampleRate
    asked = parameters
  }

  public func parameters(at position: ObservationPosition) -> FrameParameters {
    asked.completed(by: .readWrite)
  }

  public func observe<Sample: AudioSample>(
    _ frame: inout AudioFrame<Sample>, at position: ObservationPosition
  ) -> Bool { true }
}
