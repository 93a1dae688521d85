// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// Decides which parts of a recording stay on the disk. The oldest go first; the last one never does.
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

/// A part that a ``PartRetention`` removed or failed to remove.
package struct PartRemoval: Sendable, Hashable {
  package enum Cause: String, Sendable, Hashable {
    case age
    /// All parts together were too large.
    case size
  }

  package var path: String
  package var bytes: Int64
  package var cause: Cause
  /// The system's reason for a failed removal; nil if the part is gone.
  package var failure: String?
}

/// Removes the parts that are not kept.
///
/// A clock that is set makes no part old. Parts of this run age by elapsed time. Earlier parts age by the clock before
/// the step, until the system reports that it follows another clock.
struct PartKeeper {
  private let matching: PartMatching
  private let retention: PartRetention
  /// Removes a file and returns the system's error.
  private let remove: (PartFile) -> Int32
  private let isClockSynchronized: () -> Bool
  /// When parts of this run ended.
  private var ends: [String: MonotonicTime] = [:]
  /// The lead of the clock of the day over the monotonic one when it was last trusted, in nanoseconds.
  private var trusted: Int64?
  /// The failures already reported: a reason and a folder.
  private var told: Set<String> = []

  /// - Parameters:
  ///   - isClockSynchronized: whether the clock of the day is set by another one. Nil = asks the system.
  ///   - remove: removes a file and returns the system's error. Nil = from the disk.
  /// - Throws: `invalidParameter` if files of that pattern could not be found again.
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
        because: "names from its conversions cannot be told from other names",
        advice: "write them without flags and widths")
    }
  }

  /// Notes the clock at the beginning of the recording. A later step is then detected even if the first part comes
  /// late.
  mutating func begin(at moment: RecordingClock.Moment) { _ = trustedTime(at: moment) }

  mutating func completed(_ path: String, at moment: RecordingClock.Moment) {
    ends[path] = moment.monotonic
  }

  /// Removes parts that are too old or too large in total.
  ///
  /// - Parameter current: the part being written; nil = none.
  /// - Returns: the removed parts, and failures that were not reported before.
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

  /// The time of day without forward steps since the clock was last trusted, in nanoseconds since 1970.
  private mutating func trustedTime(at moment: RecordingClock.Moment) -> Int64 {
    let difference = moment.realTime - Int64(moment.monotonic.nanoseconds)
    let trusted = isClockSynchronized() ? difference : self.trusted ?? difference
    self.trusted = trusted
    return moment.realTime - max(0, difference - trusted)
  }

  /// - Parameter now: the trusted time of day.
  private func isTooOld(
    _ file: PartFile, at moment: RecordingClock.Moment, _ now: Int64
  ) -> Bool {
    guard let age = retention.age else { return false }
    let limit = Int64(age.inNanoseconds)
    if let end = ends[file.path] { return Int64(moment.monotonic.nanoseconds(since: end)) > limit }
    return now - file.modified > limit
  }
}
