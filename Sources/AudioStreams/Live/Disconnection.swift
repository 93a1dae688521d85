// SPDX-License-Identifier: Apache-2.0
/// The absence of a lost device that is to come back, ``LossPolicy/reopen``, or of one that is not needed for a while.
public enum Disconnection: Sendable {
  /// The device was lost, for this reason; the stream is silent from this position on, in samples per
  /// channel.
  case began(AudioError, position: Int64)
  /// The device is still away: another search found nothing, or it is still not needed.
  case lasts
  /// The device was found repeatedly but cannot be used as before, for this reason. Sent once for each
  /// reason.
  case unusable(AudioError)
  /// The device delivers samples again, or the session has ended; the gap spans the absence. If the device is
  /// back, its first sample follows.
  case ended(DeviceGap, isBack: Bool)
  /// The device was closed because it is not needed; the stream is silent from this position on, in samples per channel.
  /// Nothing is lost.
  case paused(position: Int64)
  /// The device that was not needed delivers samples again, from this position on, or is lost. The silence began at
  /// `since`.
  case resumed(since: Int64, position: Int64)
}
