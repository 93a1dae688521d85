// SPDX-License-Identifier: Apache-2.0
/// A read-write observer that changes the sample rate and edits nothing. It uses the rate conversion that the session
/// has for every observer.
public final class ResampleObserver: GenericObserver {
  public let positions: ObservationPositions
  private let asked: FrameParameters

  /// - Parameters:
  ///   - positions: the positions to observe at.
  ///   - sampleRate: in hertz; replaces that of `parameters`.
  ///   - parameters: the rest of the shape of the frames, read-write unless they set a mode.
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
