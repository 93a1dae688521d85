// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// Which parts of a recording stay on the disk. The oldest go first; the last one never does.
package struct PartRetention: Sendable, Hashable {
  /// Parts that ended longer ago are removed; nil = none for their age.
  package var age: Duration?
  /// Parts are removed while all complete ones together have more bytes; nil = none for their size.
  package var size: Int64?

  package init(age: Duration? = nil, size: Int64? = nil) {
    self.age = age
    self.size = size
  }
}

/// A part that was removed because of a ``PartRetention``, or could not be.
package struct PartRemoval: Sendable, Hashable {
  package enum Cause: String, Sendable, Hashable {
    /// It was too old.
    case age
    /// All together were too large.
    case size
  }

  /// Its file.
  package var path: String
  package var bytes: Int64
  package var cause: Cause
  /// Why it is still there, as the system says it; nil if it is gone.
  package var failure: String?
}

/// Removes the parts that are not kept.
///
/// A clock that is set makes none of them old: parts of this run age by the time that passes, those of earlier runs by
/// the clock as it was, until the system says that it follows another clock.
struct PartKeeper {
  private let matching: PartMatching
  private let retention: PartRetention
  /// Removes a file; what it returns is the system's error.
  private let remove: (PartFile) -> Int32
  private let isClockSynchronized: () -> Bool
  /// When parts of this run ended.
  private var ends: [String: MonotonicTime] = [:]
  /// How far the clock of the day was ahead of the monotonic one when it was last trusted, in nanoseconds.
  private var trusted: Int64?
  /// What was told of already: a folder, and what is wrong with it.
  private var told: Set<String> = []

  /// - Parameters:
  ///   - names: how parts are called.
  ///   - retention: which of them stay.
  ///   - isClockSynchronized: whether the clock of the day follows another one, which set it. Nil = asks the system.
  ///   - remove: removes a file; what it returns is the system's error. Nil = from the disk.
  /// - Throws: `invalidParameter` where files of that pattern could not be found again.
  init(
    _ names: PartNames, _ retention: PartRetention, isClockSynchronized: (() -> Bool)? = nil,
    removing remove: ((PartFile) -> Int32)? = nil
  ) throws(AudioError) {
    let matching = PartMatching(names)
    self.matching = matching
    self.retention = retention
    self.remove = remove ?? { matching.remove($0) }
    self.isClockSynchronized = isClockSynchronized ?? { rawaudio_clock_is_synchronized() != 0 }
    guard matching.isKnown else {
      throw AudioError(
        .invalidParameter, cannot: "keep only some parts of", names.pattern,
        because: "what its conversions give cannot be told from other names",
        advice: "write them without flags and widths")
    }
  }

  /// The recording is about to begin, at `moment`: from here on it is seen that the clock is set, however late the first
  /// part comes.
  mutating func begin(at moment: RecordingClock.Moment) { _ = trustedTime(at: moment) }

  /// A part of this run has ended.
  mutating func completed(_ path: String, at moment: RecordingClock.Moment) {
    ends[path] = moment.monotonic
  }

  /// Removes what is too old or too much.
  ///
  /// - Parameters:
  ///   - current: the part that is being written; nil where there is none.
  ///   - moment: the present.
  /// - Returns: what was removed, and what for the first time could not be.
  mutating func clear(
    beside current: String?, at moment: RecordingClock.Moment
  ) -> [PartRemoval] {
    let files = matching.files().filter { $0.path != current }
      .sorted { ($0.modified, $0.path) < ($1.modified, $1.path) }
    let present = Set(files.map(\.path))
    ends = ends.filter { present.contains($0.key) }
    let now = trustedTime(at: moment)
    var total = files.reduce(0) { $0 + $1.size }
    var removals: [PartRemoval] = []
    for file in files.dropLast() {
      let cause: PartRemoval.Cause
      if isTooOld(file, at: moment, now) {
        cause = .age
      } else if let size = retention.size, total > size {
        cause = .size
      } else {
        continue
      }
      if matching.isWritten(file) { continue }
      var removal = PartRemoval(path: file.path, bytes: file.size, cause: cause)
      let code = remove(file)
      if code == 0 {
        total -= file.size
      } else {
        let reason = AudioError.reason(systemCode: code)
        removal.failure = reason
        let folder = Pathname(file.path).directory.text
        guard told.insert("\(reason) \(folder)").inserted else { continue }
      }
      removals.append(removal)
    }
    return removals
  }

  /// The time of day, without what the clock was set forward since it was last trusted; in nanoseconds since 1970.
  private mutating func trustedTime(at moment: RecordingClock.Moment) -> Int64 {
    let difference = moment.realTime - Int64(moment.monotonic.nanoseconds)
    let trusted = isClockSynchronized() ? difference : self.trusted ?? difference
    self.trusted = trusted
    return moment.realTime - max(0, difference - trusted)
  }

  /// - Parameter now: the time of day, as far as it is trusted.
  private func isTooOld(
    _ file: PartFile, at moment: RecordingClock.Moment, _ now: Int64
  ) -> Bool {
    guard let age = retention.age else { return false }
    let limit = Int64(age.inNanoseconds)
    if let end = ends[file.path] { return Int64(moment.monotonic.nanoseconds(since: end)) > limit }
    return now - file.modified > limit
  }
}
