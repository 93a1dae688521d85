// SPDX-License-Identifier: Apache-2.0
import Glibc
internal import Synchronization

/// Finds the process groups with a running member.
///
/// kill(2) finds zombies, too. A program's orphans go to the system's first process, which in many containers never
/// collects their status.
enum ProcessGroups {
  /// The result of a scan of all processes.
  private struct Scan {
    var living: Set<pid_t> = []
    var begin = MonotonicTime(nanoseconds: 0)
    var expiry = MonotonicTime(nanoseconds: 0)
  }

  /// The last scan, which serves several groups: it takes longer the more processes there are.
  private static let last = Mutex(Scan())

  /// Whether `group` has a running member, or had one a moment ago. Any thread.
  ///
  /// - Parameter start: of the group. An older scan knows nothing of it.
  static func isAlive(_ group: pid_t, since start: MonotonicTime) -> Bool {
    last.withLock { last in
      let now = MonotonicTime.now
      if now >= last.expiry || last.begin < start {
        last.living = living()
        last.begin = now
        let end = MonotonicTime.now
        last.expiry = MonotonicTime(nanoseconds: end.nanoseconds + 10 * end.nanoseconds(since: now))
      }
      return last.living.contains(group)
    }
  }

  private static func living() -> Set<pid_t> {
    let processes = FolderEntries.names(in: "/proc").filter { pid_t($0) != nil }
    return Set(processes.compactMap(livingGroup))
  }

  /// proc_pid_stat(5): the state, the parent and the group follow the name, which stands in parentheses and may contain
  /// some.
  private static func livingGroup(ofProcess name: String) -> pid_t? {
    guard let file = unsafe fopen("/proc/\(name)/stat", "re") else { return nil }
    defer { unsafe _ = fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    guard let end = bytes.prefix(count).lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(end + 1)..<count].split(separator: UInt8(ascii: " "))
    guard fields.count > 2, !fields[0].elementsEqual("Z".utf8), !fields[0].elementsEqual("X".utf8)
    else { return nil }
    return pid_t(String(decoding: fields[2], as: UTF8.self))
  }
}
