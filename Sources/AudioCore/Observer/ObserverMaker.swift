/// Makes an observer once the session knows in which precision it computes, and says which precision
/// the observer's edits need.
///
/// ```swift
/// session.register(matching: GainObserver.make(decibels: -6, positions: .record))
/// ```
public struct ObserverMaker {
  /// The precision that the session has to compute in, or a wider one.
  public let neededPrecision: SamplePrecision
  let make: (SamplePrecision) -> any AudioFrameObserver

  /// - Parameters:
  ///   - precision: what the observer's edits need: `double` where it leaves samples that have more
  ///     significant bits than those it got, and these are to be rounded only once.
  ///   - make: called once on the session thread, with the session's precision.
  public init(
    needing precision: SamplePrecision = .single,
    _ make: @escaping (SamplePrecision) -> any AudioFrameObserver
  ) {
    neededPrecision = precision
    self.make = make
  }
}
