/// Changes the level: an ordinary read-write observer.
///
/// ``make(decibels:positions:parameters:)`` sees to it that an output is within half a unit of its last
/// bit of the exact product, also of several gains in a row:
///
/// ```swift
/// session.register(matching: GainObserver.make(decibels: -6, positions: .record))
/// ```
public final class GainObserver<Sample: AudioSample>: AudioFrameObserver {
  public let positions: ObservationPositions
  private let factor: Double
  private let asked: FrameParameters

  /// - Parameters:
  ///   - factor: what every sample is multiplied by.
  ///   - positions: where it is called.
  ///   - parameters: the shape of its frames; the mode is read-write unless they say read-only.
  public init(
    factor: Double, positions: ObservationPositions, parameters: FrameParameters = .readWrite
  ) {
    self.factor = factor
    self.positions = positions
    asked = parameters
  }

  public func parameters(at position: ObservationPosition) -> FrameParameters { asked }

  public func record(_ frame: inout AudioFrame<Sample>) -> Bool { scale(&frame) }
  public func playback(_ frame: inout AudioFrame<Sample>) -> Bool { scale(&frame) }
  public func mixed(_ frame: inout AudioFrame<Sample>) -> Bool { scale(&frame) }

  public func beforeMixing(_ frame: inout AudioFrame<Sample>, from source: SourceID) -> Bool {
    scale(&frame)
  }

  private func scale(_ frame: inout AudioFrame<Sample>) -> Bool {
    Sample.scale(&frame.samples, by: factor)
    return true
  }
}

extension GainObserver where Sample == Float {
  /// Makes the gain of a session, which then computes in double precision, so that a product is rounded
  /// to the output and not before.
  ///
  /// - Parameters:
  ///   - decibels: 20 · log₁₀ of the factor.
  ///   - positions: where it is called.
  ///   - parameters: the shape of its frames; the mode is read-write unless they say read-only.
  public static func make(
    decibels: Double, positions: ObservationPositions, parameters: FrameParameters = .readWrite
  ) -> ObserverMaker {
    let factor = Decibels.factor(decibels)
    return ObserverMaker(needing: factor == 1 ? .single : .double) { precision in
      switch precision {
      case .single:
        GainObserver<Float>(factor: factor, positions: positions, parameters: parameters)
      case .double:
        GainObserver<Double>(factor: factor, positions: positions, parameters: parameters)
      }
    }
  }
}

extension FrameParameters {
  /// Everything native, in frames of 10 ms, and what is left in a frame goes on.
  public static let readWrite = FrameParameters(mode: .readWrite)
}
