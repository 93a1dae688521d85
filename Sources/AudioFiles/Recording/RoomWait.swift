// SPDX-License-Identifier: Apache-2.0
/// News of a full disk under a recording in parts that waits for room.
package enum FullDisk: Sendable, Equatable {
  /// The write that failed.
  case began(AudioError)
  /// The samples per channel of the stream that are not written, and the time of the first one in nanoseconds since 1970:
  /// the disk has room again, or the recording ends.
  case ended(Range<Int64>, sampleRate: Int, time: Int64)
}

/// The wait for room on a full disk: the first missing sample, and when to try again.
struct RoomWait {
  /// The least room for another part, in bytes: less would make a crowd of small parts.
  static let leastRoom: Int64 = 1 << 20
  private static let shortest = Duration.milliseconds(500)

  /// In samples per channel of the stream; nil if nothing is waited for.
  private(set) var start: Int64?
  private var triedAt: MonotonicTime?
  private var toldAt: MonotonicTime?
  private var pause = shortest
  /// Whether the present try came at once, after parts were removed.
  private(set) var isHurried = false

  /// Begins at a position, unless it has begun before.
  ///
  /// - Returns: whether this is news: a disk that is full again and again is reported once a minute.
  mutating func begin(at position: Int64, at now: MonotonicTime) -> Bool {
    triedAt = now
    guard start == nil else { return false }
    start = position
    if let toldAt, now.elapsed(since: toldAt) < .seconds(60) { return false }
    toldAt = now
    return true
  }

  /// Lets the next sample be tried at once.
  mutating func hurry() {
    triedAt = nil
    isHurried = true
  }

  /// Whether it is time to try again. A quota tells nothing of its room.
  mutating func isDue(at now: MonotonicTime) -> Bool {
    if let triedAt {
      guard now.elapsed(since: triedAt) >= pause else { return false }
      pause = min(pause * 2, .seconds(2))
      isHurried = false
    }
    triedAt = now
    return true
  }

  /// Ends the wait, and returns its beginning; nil if nothing was waited for.
  mutating func end() -> Int64? {
    defer { start = nil }
    return start
  }

  /// A part has samples: the next wait begins with short pauses.
  mutating func succeeded() {
    pause = Self.shortest
    isHurried = false
  }
}
