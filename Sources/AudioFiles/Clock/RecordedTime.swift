// SPDX-License-Identifier: Apache-2.0
/// The time of a file's first sample, as the file or its name states it.
package struct RecordedTime: Sendable, Hashable {
  /// The time that a clock in the recorder's zone showed, as the nanoseconds since 1970 at which UTC shows it.
  package var wall: Int64
  /// The offset of that zone from UTC, in seconds. Nil if it is not stated.
  package var offset: Int?
  /// Whether it is stated to more than a second.
  package var isExact: Bool

  /// All moments that it may mean, in nanoseconds since 1970 and in order: two if clocks were put back over it, none if
  /// they were put forward over it.
  ///
  /// - Parameter civilTime: the zone if none is stated.
  package func times(in civilTime: CivilTime) -> [Int64] {
    let second = wall.dividedDown(by: TimeOfDay.perSecond)
    let rest = wall - second * TimeOfDay.perSecond
    let times = offset.map { [Int(second) - $0] } ?? civilTime.times(showing: Int(second))
    return times.map { Int64($0) * TimeOfDay.perSecond + rest }
  }

  /// The first moment that it may mean. A time over which clocks are put forward is read by the offset before.
  package func time(in civilTime: CivilTime) -> Int64 {
    let second = wall.dividedDown(by: TimeOfDay.perSecond)
    return times(in: civilTime).first
      ?? Int64(civilTime.time(showing: Int(second))) * TimeOfDay.perSecond
      + (wall - second * TimeOfDay.perSecond)
  }

  /// Returns this time, in the zone of another statement if this one states none.
  package func inZone(of other: RecordedTime?) -> RecordedTime {
    var time = self
    time.offset = offset ?? other?.offset
    return time
  }

  /// The time that a name states, to the second.
  package init?(inName name: String) {
    guard let stated = TimeOfDay(inName: name)?.stated else { return nil }
    self = stated
    isExact = false
  }

  init(wall: Int64, offset: Int?, isExact: Bool) {
    (self.wall, self.offset, self.isExact) = (wall, offset, isExact)
  }
}
