/// A source or a sink that a device paces, and whose clock can be watched. Session thread only.
protocol ClockedDevice: AnyObject {
  /// The device's name: two ends of one name have one clock.
  var device: String { get }
  /// What was agreed on with the device; nil before `initialize`.
  var parameters: AlsaParameters? { get }

  /// Asks for readings; before `start`.
  func watchClock()

  /// The latest reading: of a sink its position among all samples per channel that were written; of a
  /// source among all that were or will be read. Nil while there is none.
  func clockReading() -> ClockReading?

  /// Samples per channel that `read` or `write` has moved.
  var samplesExchanged: Int64 { get }
}

extension AudioSource {
  /// The device behind the source, where it is one or a part of one.
  var clockedDevice: (any ClockedDevice)? {
    (self as? any ClockedDevice) ?? (self as? TrimmedSource)?.base.clockedDevice
  }
}
