// SPDX-License-Identifier: Apache-2.0
/// The behaviour if a device does not give the requested rate.
@nonexhaustive
public enum RatePolicy: String, Sendable, Hashable, CaseIterable {
  /// Initialising fails with an error that names the available rates.
  case fail
  /// The device runs at its nearest rate, which becomes the stream's; the session converts to a sink's rate.
  case resample
}

/// The behaviour at a gap in a capture.
@nonexhaustive
public enum GapPolicy: Sendable, Hashable {
  /// Silence of equal length replaces the lost samples.
  case fill
  /// Reading fails with an error of kind `inputOutput`, after the last sample before the gap.
  case fail
}

/// The behaviour of a capture whose device is lost: unplugged, stalled, failing repeatedly.
@nonexhaustive
public enum LossPolicy: Sendable, Hashable {
  /// Reading fails with an error of kind `deviceLost`, after the last sample before the loss.
  case fail
  /// The device is waited for and reopened with its parameters; meanwhile the stream is silent. With
  /// ``GapPolicy/fail`` reading fails.
  case reopen
}
