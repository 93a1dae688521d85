// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// Decides which parts of a recording stay on the disk. The oldest go first; the last one never does.
public struct PartRetention: Sendable, Hashable {
  /// Parts that ended longer ago are removed; nil = none for their age.
  public var age: Duration?
  /// Parts are removed while all complete ones together have more bytes; nil = none for their size.
  public var size: Int64?
  /// Parts are removed while the disk has less room than these bytes; nil = none for that.
  public var free: Int64?

  public init(age: Duration? = nil, size: Int64? = nil, free: Int64? = nil) {
    self.age = age
    self.size = size
    self.free = free
  }
}

/// A part that a ``PartRetention`` removed or failed to remove.
public struct PartRemoval: Sendable, Hashable {
  @nonexhaustive
  public enum Cause: String, Sendable, Hashable {
    case age
    /// All parts together were too large.
    case size
    /// The disk had too little room.
    case free
  }

  public var path: String
  public var bytes: Int64
  public var cause: Cause
  /// The reason for which it stays; nil if it is gone.
  public var failure: String?
}

/// Removes the parts that are not kept, those of earlier runs first.
///
/// A clock that is wrong makes no part old: parts of this run age by elapsed time, earlier ones by the clock while the
/// system reports that it follows another one.
struct PartKeeper {
  /// What the system tells, and how it removes a file. Tests replace it.
  struct System {
    /// Whether the clock of the day is set by another one.
    var isClockSynchronized: () -> Bool = { rawaudio_clock_is_synchronized() != 0 }
    /// The room on the disk of a folder, in bytes; nil if unknown.
    var room: (Pathname) -> Int64? = PartKeeper.room
    /// Removes a file and returns the system's error.
    var remove: (PartMatching, PartFile) -> Int32 = { $0.remove($1) }
  }

  private let matching: PartMatching
  private let retention: PartRetention
  /// Whether other work still needs a part.
  private let spares: (String) -> Bool
  private let system: System
  /// When parts of this run ended.
  private var ends: [String: MonotonicTime] = [:]
  /// The failures already reported: a reason and a folder.
  private var told: Set<String> = []

  /// - Parameter spares: whether other work still needs the part of a path, which then stays.
  /// - Throws: `invalidParameter` if files of that pattern could not be found again.
  init(
    _ names: PartNames, _ retention: PartRetention,
    sparing spares: @escaping (String) -> Bool = { _ in false }, system: System = System()
  ) throws(AudioError) {
    matching = PartMatching(names)
    self.retention = retention
    self.spares = spares
    self.system = system
    guard matching.isKnown else {
      throw AudioError(
        .invalidParameter, cannot: "keep only some parts of", names.pattern,
        because: "names from its conversions cannot be told from other names",
        advice: "write them without flags and widths")
    }
  }

  mutating func completed(_ path: String, at moment: RecordingClock.Moment) {
    ends[path] = moment.monotonic
  }

  /// Removes parts that are too old or too large in total, or for which the disk has no room.
  ///
  /// - Parameters:
  ///   - current: the part being written; nil = none.
  ///   - isFull: whether the disk has just had no room, whatever it reports.
  /// - Returns: the removed parts, and failures that were not reported before.
  mutating func clear(
    beside current: String?, at moment: RecordingClock.Moment, isFull: Bool = false
  ) -> [PartRemoval] {
    let files = matching.files().filter { $0.path != current }.sorted {
      order(of: $0) < order(of: $1)
    }
    let present = Set(files.map(\.path))
    ends = ends.filter { present.contains($0.key) }
    var total = files.reduce(0) { $0 + $1.size }
    // Some file systems give the room of a removed file back only later.
    var room = roomLeft ?? 0
    if isFull { room = 0 }
    var removals: [PartRemoval] = []
    for file in files.dropLast() {
      let age = isTooOld(file, at: moment)
      let cause: PartRemoval.Cause
      if age == .yes {
        cause = .age
      } else if let size = retention.size, total > size {
        cause = .size
      } else if let free = retention.free, room < free {
        cause = .free
      } else if age == .byUnsynchronizedClock {
        cause = .age
      } else {
        continue
      }
      if matching.isWritten(file) { continue }
      var removal = PartRemoval(path: file.path, bytes: file.size, cause: cause)
      let isByClock = cause == .age && age == .byUnsynchronizedClock
      if spares(file.path) {
        removal.failure = "its command of --on-part has not succeeded"
      } else if isByClock {
        removal.failure = "the clock, by which it is old, is not synchronised"
      } else {
        let code = system.remove(matching, file)
        if code == 0 {
          total -= file.size
          room = max(roomLeft ?? 0, room + file.size)
        } else {
          removal.failure = AudioError.reason(systemCode: code)
        }
      }
      if let reason = removal.failure {
        // The clock is one for all folders.
        let folder = isByClock ? "" : Pathname(file.path).directory.text
        guard told.insert("\(reason) \(folder)").inserted else { continue }
      }
      removals.append(removal)
    }
    return removals
  }

  /// Parts of this run come behind earlier ones, whatever clock those had.
  private func order(of file: PartFile) -> (Int, Int64, String) {
    let end = ends[file.path].map { Int64($0.nanoseconds) }
    return (end == nil ? 0 : 1, end ?? file.modified, file.path)
  }

  /// Nil without a limit.
  private var roomLeft: Int64? {
    retention.free == nil ? nil : system.room(matching.folder)
  }

  /// The room that the user may fill, in bytes. The corresponding C function is `statvfs`.
  static func room(_ folder: Pathname) -> Int64? {
    var status = statvfs()
    guard unsafe statvfs(folder.cString, &status) == 0 else { return nil }
    return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }

  private enum Oldness {
    case no
    case yes
    case byUnsynchronizedClock
  }

  private func isTooOld(_ file: PartFile, at moment: RecordingClock.Moment) -> Oldness {
    guard let age = retention.age else { return .no }
    let limit = Int64(age.inNanoseconds)
    if let end = ends[file.path] {
      return Int64(moment.monotonic.nanoseconds(since: end)) > limit ? .yes : .no
    }
    guard moment.realTime - file.modified > limit else { return .no }
    return system.isClockSynchronized() ? .yes : .byUnsynchronizedClock
  }
}
