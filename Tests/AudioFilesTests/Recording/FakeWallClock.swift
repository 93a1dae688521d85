// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import AudioFiles

/// A wall clock and a monotonic clock set by a test.
final class FakeWallClock: Sendable {
  private let moment: Mutex<RecordingClock.Moment>

  /// - Parameter time: the first time, in seconds since 1970.
  init(at time: Int) {
    moment = Mutex(
      .init(
        realTime: Int64(time) * 1_000_000_000,
        monotonic: MonotonicTime(nanoseconds: 5_000_000_000_000)))
  }

  var clock: RecordingClock { .live { self.now } }

  var now: RecordingClock.Moment { moment.withLock { $0 } }

  /// Advances both clocks.
  func pass(nanoseconds: Int64) {
    moment.withLock {
      $0.realTime += nanoseconds
      $0.monotonic.nanoseconds += Int(nanoseconds)
    }
  }

  /// Sets the wall clock alone.
  func set(by nanoseconds: Int64) { moment.withLock { $0.realTime += nanoseconds } }
}

extension CivilTime {
  /// Berlin in 2026: summer time from 29 March to 25 October, 01:00 UTC.
  static let berlin = CivilTime(
    offset: 3_600,
    then: [.init(time: 1_774_746_000, offset: 7_200), .init(time: 1_792_890_000, offset: 3_600)])

  /// Returns the seconds since 1970 of a time of 2026 in UTC.
  static func utc2026(_ month: Int, _ day: Int, _ hour: Int, _ minute: Int = 0, _ second: Int = 0)
    -> Int
  {
    let days = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
    return 1_767_225_600 + ((days[month - 1] + day - 1) * 24 + hour) * 3_600 + minute * 60 + second
  }
}
