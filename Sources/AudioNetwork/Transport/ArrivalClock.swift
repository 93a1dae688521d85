// SPDX-License-Identifier: Apache-2.0
/// The times of day at which the kernel received packets, as instants of the monotonic clock. A turn reads both clocks
/// once.
struct ArrivalClock {
  /// The rate by which the kernel slews the time of day at most is 500 ppm (adjtimex(2)).
  private static let steepestSlew = 1_000
  /// Nanoseconds by which two readings of both clocks may differ.
  private static let tolerance = 1_000_000
  /// How long packets from before a leap may wait in a socket.
  private static let doubt = Duration.seconds(10)

  private var now = MonotonicTime(nanoseconds: 0)
  /// Nanoseconds from the monotonic clock to the time of day. Nil before the first turn.
  private var offset: Int?
  /// Until then, times of day may be from before a leap of that clock.
  private var doubtEnd = MonotonicTime(nanoseconds: 0)

  /// - Parameter timeOfDay: in nanoseconds since 1970.
  mutating func beginTurn(at now: MonotonicTime, timeOfDay: Int64) {
    let new = Int(timeOfDay) - now.nanoseconds
    let passed = now.nanoseconds(since: self.now)
    if let offset, abs(new - offset) > Self.tolerance + passed / Self.steepestSlew {
      doubtEnd = now.later(by: Self.doubt)
    }
    self.now = now
    offset = new
  }

  /// - Returns: nil if the time of day was set a short while ago. Never later than the turn.
  func instant(of timeOfDay: Int64) -> MonotonicTime? {
    guard let offset, now >= doubtEnd else { return nil }
    return min(MonotonicTime(nanoseconds: Int(timeOfDay) - offset), now)
  }
}
