// SPDX-License-Identifier: Apache-2.0
/// Changes the level: an ordinary read-write observer.
///
/// A session with a gain computes in double precision, so that an output is within half a unit of its
/// last bit of the exact product, also of several gains in a row:
///
/// ```swift
/// try session.register(GainObserver(.record, decibels: -6))
/// ```
public final class GainObserver: GenericObserver {
  public let positions: ObservationPositions
  private let factor: Double
  private let asked: FrameParameters

  /// - Parameters:
  ///   - positions: where it is called.
  ///   - factor: what every sample is multiplied by.
  ///   - parameters: the shape of its frames; the mode is read-write unless they say otherwise.
  public init(
    _ positions: ObservationPositions, factor: Double, parameters: FrameParameters = .readWrite
  ) {
    self.factor = factor
    self.positions = positions
    asked = parameters
  }

  /// - Parameters:
  ///   - positions: where it is called.
  ///   - decibels: 20 · log₁₀ of the factor.
  ///   - parameters: the shape of its frames; the mode is read-write unless they say otherwise.
  public convenience init(
    _ positions: ObservationPositions, decibels: Double, parameters: FrameParameters = .readWrite
  ) {
    self.init(
      positions, factor: Decibels.factor(decibels), parameters: parameters)
  }

  /// A product has more bits than the sample, unless the factor is 1, or −1, which inverts.
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
