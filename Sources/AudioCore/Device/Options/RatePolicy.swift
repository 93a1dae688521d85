/// What happens where a device does not give the rate that was asked for.
public enum RatePolicy: String, Sendable, Hashable, CaseIterable {
  /// Initialising fails with an error that names the rates there are.
  case fail
  /// The device runs at the nearest rate that it has, which is then the stream's; a sink that was given a
  /// rate makes the session convert to it.
  case resample
}
