// SPDX-License-Identifier: Apache-2.0
/// What decides when the samples of a source or a sink can move.
///
/// A source or sink that stands in front of another one passes the other's pace on: a session follows the
/// device behind it all the same.
public enum Pace: Sendable {
  /// Nothing: samples move as fast as the session does, as with a file.
  case unpaced
  /// Samples come or go irregularly, as with a program that sends them; there is no clock.
  case arrival
  /// A device moves samples at a steady rate: a clock for the session, which other streams can follow.
  case device(any PacingClock)

  /// Whether samples move at a pace of their own, so that nothing may hold them up.
  public var isLive: Bool {
    switch self {
    case .unpaced: false
    case .arrival, .device: true
    }
  }

  /// The clock that sets the pace; nil where there is none.
  public var clock: (any PacingClock)? {
    if case .device(let clock) = self { clock } else { nil }
  }
}

/// The clock of a device that paces a source or a sink, as far as it can be observed.
///
/// Only the session thread calls it, after the `initialize` of its source or sink. Sendable, so that a pace
/// may be passed on with the description of a source.
public protocol PacingClock: AnyObject, Sendable {
  /// What tells clocks apart: two ends whose clocks have one name never drift apart.
  var name: String { get }

  /// What the device agreed to; nil before the source or sink is initialised.
  var timing: ClockTiming? { get }

  /// Asks for readings; before `start`. Until then ``reading()`` may answer nil.
  func watch()

  /// The latest reading: of a sink its position among all samples per channel that were written; of a
  /// source among all that were or will be read. Nil while there is none.
  func reading() -> ClockReading?

  /// Samples per channel that `read` or `write` has moved.
  var samplesExchanged: Int64 { get }
}

/// How a device divides time. Lengths are in samples per channel.
public struct ClockTiming: Sendable, Hashable {
  /// In hertz.
  public var sampleRate: Int
  /// How much the device moves at a time.
  public var periodSize: Int
  /// How much the device holds.
  public var bufferSize: Int

  public init(sampleRate: Int, periodSize: Int, bufferSize: Int) {
    self.sampleRate = sampleRate
    self.periodSize = periodSize
    self.bufferSize = bufferSize
  }
}

/// How far a device had come at an instant of the machine's clock. To follow the device is to work from
/// these.
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
