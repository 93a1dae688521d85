// SPDX-License-Identifier: Apache-2.0
/// A read-write observer that changes the level.
///
/// A session with a gain computes in double precision, so an output is within half a unit of its last bit of the exact
/// product, also of several gains in a row:
///
/// ```swift
/// try session.register(GainObserver(.record, decibels: -6))
/// ```
public final class GainObserver: GenericObserver {
  public let positions: ObservationPositions
  private let factor: Double
  private let asked: FrameParameters

  /// - Parameters:
  ///   - positions: the positions to observe at.
  ///   - factor: the factor of every sample.
  ///   - parameters: the shape of the frames, read-write unless they set a mode.
  public init(
    _ positions: ObservationPositions, factor: Double, parameters: FrameParameters = .readWrite
  ) {
    self.factor = factor
    self.positions = positions
    asked = parameters
  }

  /// - Parameters:
  ///   - positions: the positions to observe at.
  ///   - decibels: 20 · log₁₀ of the factor.
  ///   - parameters: the shape of the frames, read-write unless they set a mode.
  public convenience init(
    _ positions: ObservationPositions, decibels: Double, parameters: FrameParameters = .readWrite
  ) {
    self.init(
      positions, factor: Decibels.factor(decibels), parameters: parameters)
  }

  /// A product has more bits than a sample, unless the factor is 1 or −1.
  public var neededPrecision: SamplePrecision { abs(factor) == 1 ? .single : .double }

  public func parameters(at position: ObservationPosition) -> FrameParameters {
    asked.completed(by: .readWrite)
  }

  public func observe<Sample: AudioSample>(
    _ frame: inout AudioFrame<Sample>, at position: ObservationPosition
  ) -> Bool {
    Sample.scale(&frame.samples, by: factor)
    return true
  }
}
