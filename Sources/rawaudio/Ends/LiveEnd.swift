// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioCore

/// The account of an end that moves at its own pace, whatever it is. Session thread only.
protocol LiveEnd: AnyObject {
  /// Its name in notes.
  var device: String { get }
  /// The format and the buffers that were agreed on; nil before the session runs.
  var parameters: AlsaParameters? { get }
  /// Running counts.
  var statistics: DeviceStatistics { get }
  /// The real-time priority of its thread; nil where none was asked for.
  var priority: RealTimePriority? { get }
}

/// A live end that gives samples, and tells of those that it lost.
protocol LiveSource: LiveEnd, AudioSource {
  var gaps: DeviceGaps { get }
  var pauses: [DevicePause] { get }
  var clockDrift: ClockDrift? { get }
  /// How much may wait between the end and the session, in samples per channel.
  var ringSize: Int? { get }
  /// Called for each gap when the samples behind it are read.
  var onGap: ((DeviceGap) -> Void)? { get set }
  /// Called while the end is lost and waited for.
  var onAbsence: ((DeviceAbsence) -> Void)? { get set }
}

/// A live end that takes samples.
protocol LiveSink: LiveEnd, AudioSink {}
