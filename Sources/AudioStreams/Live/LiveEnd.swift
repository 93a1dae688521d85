// SPDX-License-Identifier: Apache-2.0
/// The account of an end that moves at its own pace: a device, a network. Session thread only.
package protocol LiveEnd: AnyObject {
  /// Its name in notes.
  var device: String { get }
  /// The agreed format and buffers. Nil before the session runs.
  var parameters: DeviceParameters? { get }
  /// The counts so far.
  var statistics: DeviceStatistics { get }
  /// One of its ``DeviceStatistics/xruns``; nil = an overrun of a source, an underrun of a sink.
  var xrunNoun: String? { get }
  /// The real-time priority of its thread. Nil if none was requested.
  var priority: RealTimePriority? { get }
  /// Called for a connection, a changed period and the like.
  var onNotice: ((LiveNotice) -> Void)? { get set }
}

/// A live end that gives samples and reports lost ones.
package protocol LiveSource: LiveEnd, AudioSource {
  /// The gaps that reading has reached. Positions count samples of the stream.
  var gaps: DeviceGaps { get }
  /// The pauses so far, in order; the first ``DeviceGaps/longestList`` of them.
  var pauses: [DevicePause] { get }
  /// The drift of its clock after the end. Nil if it is unknown.
  var clockDrift: ClockDrift? { get }
  /// The time of day of its sender. Nil if none can state one.
  var statedTime: StatedTime? { get }
  /// The capacity of the ring between the end and the session, in samples per channel. Nil without a ring.
  var ringSize: Int? { get }
  /// Called for each gap, when the first samples after it are read.
  var onGap: ((DeviceGap) -> Void)? { get set }
  /// Called while the end is lost, until it returns.
  var onAbsence: ((Disconnection) -> Void)? { get set }
}

/// A live end that takes samples.
package protocol LiveSink: LiveEnd, AudioSink {}

extension LiveEnd {
  package var xrunNoun: String? { nil }
  package var priority: RealTimePriority? { nil }
  /// An end without news.
  package var onNotice: ((LiveNotice) -> Void)? {
    get { nil }
    set {}
  }
}

/// A live source without a clock of its own, a ring or a program that stops it.
extension LiveSource {
  package var pauses: [DevicePause] { [] }
  package var clockDrift: ClockDrift? { nil }
  package var statedTime: StatedTime? { nil }
  package var ringSize: Int? { nil }
}
