// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioCore

/// The account of an end that moves at its own pace. Session thread only.
protocol LiveEnd: AnyObject {
  /// Its name in notes.
  var device: String { get }
  /// The agreed format and buffers. Nil before the session runs.
  var parameters: AlsaParameters? { get }
  /// Running counts.
  var statistics: DeviceStatistics { get }
  /// The real-time priority of its thread. Nil if none was requested.
  var priority: RealTimePriority? { get }
}

/// A live end that gives samples and reports lost ones.
protocol LiveSource: LiveEnd, AudioSource {
  var gaps: DeviceGaps { get }
  var pauses: [DevicePause] { get }
  var clockDrift: ClockDrift? { get }
  /// The capacity of the ring between the end and the session, in samples per channel.
  var ringSize: Int? { get }
  /// Called for each gap, when the first samples after it are read.
  var onGap: ((DeviceGap) -> Void)? { get set }
  /// Called while the end is lost, until it returns.
  var onAbsence: ((Disconnection) -> Void)? { get set }
}

/// A live end that takes samples.
protocol LiveSink: LiveEnd, AudioSink {}
