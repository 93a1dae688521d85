// SPDX-License-Identifier: Apache-2.0
/// A few consecutive readings of a device's clock, reduced to the earliest *beginning*: the time of a reading
/// less the time that the device ran.
///
/// A reading may be late and is never early. So the earliest of a few is nearly free of chance, and a reading
/// of a device about to fail changes nothing.
///
/// Device thread only.
struct ReadingWindow {
  /// The readings in a window.
  private static var length: Int {
    @_noAllocation @_noLocks get { 8 }
  }

  /// The earliest beginning, in seconds.
  private(set) var earliest = 0.0
  /// The device's running time at the earliest reading, in seconds.
  private(set) var elapsed = 0.0
  /// The device's running time at the first reading, in seconds.
  private(set) var since = 0.0
  private var latest = 0.0
  private var count = 0

  @_noAllocation @_noLocks
  init() {}

  var isFull: Bool {
    @_noAllocation @_noLocks get { count >= Self.length }
  }

  /// The spread of the beginnings, in seconds.
  var range: Double {
    @_noAllocation @_noLocks get { latest - earliest }
  }

  @_noAllocation @_noLocks
  mutating func add(_ beginning: Double, elapsed: Double) {
    if count == 0 {
      since = elapsed
      latest = beginning
    }
    if count == 0 || beginning < earliest {
      earliest = beginning
      self.elapsed = elapsed
    }
    latest = max(latest, beginning)
    count += 1
  }
}
