// SPDX-License-Identifier: Apache-2.0
/// The pace at which the samples of a source or a sink can move.
///
/// A source or sink in front of another passes on the other's pace, so a session still follows the device behind it.
public enum Pace: Sendable {
  /// Samples move as fast as the session does, as with a file.
  case unpaced
  /// Samples come or go irregularly, as with a program that sends them; there is no clock.
  case arrival
  /// A device moves samples at a steady rate: a clock for the session, which other streams can follow.
  case device(any PacingClock)

  /// Whether samples move at a pace of their own and must not be delayed.
  public var isLive: Bool { if case .unpaced = self { false } else { true } }

  /// The clock that sets the pace, if any.
  public var clock: (any PacingClock)? {
    if case .device(let clock) = self { clock } else { nil }
  }
}

/// The observable clock of a device that paces a source or a sink.
///
/// Only the session thread calls it, after the `initialize` of its source or sink. Sendable, because the description of
/// a source carries its pace.
public protocol PacingClock: AnyObject, Sendable {
  /// The identity of the clock: two ends whose clocks share a name never drift apart.
  var name: String { get }

  /// The timing that the device agreed to; nil before the source or sink is initialised.
  var timing: ClockTiming? { get }

  /// Asks for readings; called before `start`. Until then ``reading()`` may return nil.
  func watch()

  /// Returns the latest reading; nil while there is none.
  ///
  /// The position of a sink counts the samples per channel that were written. The position of a source counts those that
  /// were read and those that wait to be read.
  func reading() -> ClockReading?

  /// Samples per channel that `read` or `write` has moved.
  var exchangedSamplesPerChannel: Int64 { get }
}

/// How a device divides time. Lengths are in samples per channel.
public struct ClockTiming: Sendable, Hashable {
  /// The sample rate in hertz.
  public var sampleRate: Int
  /// The length that the device moves at a time.
  public var periodSize: Int
  /// The length of the device's buffer.
  public var bufferSize: Int

  public init(sampleRate: Int, periodSize: Int, bufferSize: Int) {
    self.sampleRate = sampleRate
    self.periodSize = periodSize
    self.bufferSize = bufferSize
  }
}

/// The position of a device at an instant of the machine's clock.
public struct ClockReading: Sendable, Hashable, BitwiseCopyable {
  /// When the device was asked.
  public var time: MonotonicTime
  /// Samples per channel that have passed the converter: captured, read by the thread or not; or played.
  public var position: Int64
  /// How often the device has been interrupted: by an xrun, a suspend or a fault.
  public var interruptions: Int
  /// Whether samples pass the converter; not before the start, nor between an underrun and the next one.
  public var isRunning: Bool

  @_noAllocation @_noLocks
  public init(time: MonotonicTime, position: Int64, interruptions: Int, isRunning: Bool) {
    self.time = time
    self.position = position
    self.interruptions = interruptions
    self.isRunning = isRunning
  }
}
