// SPDX-License-Identifier: Apache-2.0
/// A source or a sink that moves at its own pace: a device, a sound server, a network. Session thread only.
public protocol LiveEnd: AnyObject {
  /// Its name in notes and errors.
  var device: String { get }
  /// The agreed format and buffers. Nil before the session runs.
  var parameters: DeviceParameters? { get }
  /// The counts so far.
  var statistics: DeviceStatistics { get }
  /// One of its ``DeviceStatistics/xruns``; nil = an overrun of a source, an underrun of a sink.
  var xrunNoun: String? { get }
  /// The real-time priority of its thread. Nil if none was requested.
  var priority: RealTimePriority? { get }
  /// The gaps that reading or writing has reached. Positions count samples of the stream.
  var gaps: DeviceGaps { get }
  /// Called for each gap: by a source when the first samples after it are read.
  var onGap: ((DeviceGap) -> Void)? { get set }
  /// Called for a connection, a changed period and the like.
  var onNotice: ((LiveNotice) -> Void)? { get set }
}

/// A live end that gives samples.
public protocol LiveSource: LiveEnd, AudioSource {
  /// The capacity of the ring between the end and the session, in samples per channel. Nil before `initialize`.
  var ringSize: Int? { get }
  /// Called while the end is lost, until it returns.
  var onAbsence: ((Disconnection) -> Void)? { get set }
}

/// A live end that takes samples.
public protocol LiveSink: LiveEnd, AudioSink {}

extension LiveEnd {
  /// An overrun or an underrun.
  public var xrunNoun: String? { nil }
  /// An end without a thread of its own.
  public var priority: RealTimePriority? { nil }
  /// An end without news.
  public var onNotice: ((LiveNotice) -> Void)? {
    get { nil }
    set {}
  }
}
