// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// A file that is written under another name and gets its own on completion.
///
/// Until then it is called `.NAME.rawaudio-partial`. A killed program leaves it behind, and the next one that writes to
/// NAME removes it: a writer holds the file's lock (flock(2)), which ends with the process. (An unnamed file,
/// O_TMPFILE, would leave nothing. But some file systems lack it, it cannot replace an old file in a single step, and
/// it would hide the progress of a long conversion.)
final class PartialFile {
  let descriptor: FileDescriptor
  private let path: Pathname
  private let target: Pathname
  /// Whether a file that has the name by then is replaced.
  private let replaces: Bool
  private let permissions: FilePermissions?
  private var isThere = true

  private static let suffix = Array(".rawaudio-partial".utf8)
  private static let mostAttempts = 100

  /// - Parameters:
  ///   - target: absolute, and no link.
  ///   - name: the file's name in errors.
  /// - Throws: `unavailable` if another run is writing to `target`.
  init(
    for target: Pathname, name: String, replaces: Bool, _ permissions: FilePermissions?
  ) throws(AudioError) {
    self.target = target
    self.replaces = replaces
    self.permissions = permissions
    path = Self.path(beside: target)
    descriptor = try Self.open(path, name, isPrivate: permissions != nil)
  }

  deinit { discard() }

  /// Closes the file and gives it its name.
  ///
  /// - Throws: `alreadyExists` if a file has that name by now and must not be replaced.
  func commit() throws(AudioError) {
    permissions?.apply(to: descriptor)
    // Keeps the lock until the file has its name.
    let lock = fcntl(descriptor.number, F_DUPFD_CLOEXEC, 0)
    defer {
      if lock >= 0 {
        flock(lock, LOCK_UN)
        Glibc.close(lock)
      }
    }
    try descriptor.close()
    guard try renameToTarget() else {
      throw AudioError(
        systemCode: errno, cannot: replaces ? "replace" : "write to", descriptor.name)
    }
    isThere = false
  }

  /// Removes the file. Does nothing after `commit`.
  func discard() {
    guard isThere else { return }
    isThere = false
    unsafe unlink(path.cString)
  }

  /// - Returns: whether it has its name now; if not, `errno` gives the reason.
  private func renameToTarget() throws(AudioError) -> Bool {
    let (from, to) = (path.cString, target.cString)
    if !replaces {
      if unsafe rawaudio_rename_to_new(from, to) == 0 { return true }
      guard errno == EINVAL || errno == ENOSYS else { return false }
      // If the file system lacks this, an empty file reserves the name.
      let number = unsafe Glibc.open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard number >= 0 else { return false }
      Glibc.close(number)
    }
    return unsafe rename(from, to) == 0
  }

  /// Makes the file; removes a remainder of a killed program.
  private static func open(
    _ path: Pathname, _ name: String, isPrivate: Bool
  ) throws(AudioError) -> FileDescriptor {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
    for _ in 0..<mostAttempts {
      do throws(AudioError) {
        let file = try FileDescriptor(
          opening: path, flags: flags, mode: isPrivate ? 0o600 : 0o666,
          action: isPrivate ? "write beside" : "write to", name: name)
        guard rawaudio_lock(file.number) != 0 else { throw isBusy(name) }
        var status = stat()
        // Between the two calls another run may have removed it as a remainder.
        if unsafe lstat(path.cString, &status) == 0, FileIdentity(status) == file.identity {
          return file
        }
      } catch {
        guard error.kind == .alreadyExists else { throw error }
        try removeRemainder(path, name)
      }
    }
    throw isBusy(name)
  }

  private static func removeRemainder(_ path: Pathname, _ name: String) throws(AudioError) {
    let number = unsafe Glibc.open(
      path.cString, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    defer { if number >= 0 { Glibc.close(number) } }
    if number >= 0, rawaudio_lock(number) == 0 { throw isBusy(name) }
    if number < 0, errno == ENOENT { return }
    guard unsafe unlink(path.cString) == 0 || errno == ENOENT else {
      throw AudioError(systemCode: errno, cannot: "remove", path.text)
    }
  }

  static func isBusy(_ name: String) -> AudioError {
    AudioError(
      .unavailable, cannot: "write to", name, because: "another run is writing to it",
      advice: "wait for that one, or write to another file")
  }

  /// The name of the file while it is written. A name that is too long is cut, and gets a hash of all its bytes.
  private static func path(beside target: Pathname) -> Pathname {
    let longest = unsafe pathconf(target.directory.cString, Int32(_PC_NAME_MAX))
    let limit = longest > 0 ? longest : 255
    let name = Array(target.name)
    func named(_ middle: [UInt8]) -> Pathname {
      target.directory.appending([UInt8(ascii: ".")] + middle + suffix)
    }
    guard name.count + suffix.count + 1 > limit else { return named(name) }
    let number = Array("-\(Pathname.hash(of: name))".utf8)
    var start = name.prefix(max(0, limit - number.count - suffix.count - 1))
    // Some file systems refuse a part of a character.
    while let byte = start.last, byte & 0xC0 == 0x80 { start.removeLast() }
    if let byte = start.last, byte >= 0xC0 { start.removeLast() }
    return named(start + number)
  }
}

/// The permissions of a file, for the file that replaces it.
struct FilePermissions {
  private let mode: mode_t
  private let owner: uid_t
  private let group: gid_t
  /// The access control list (acl(5)) as the system stores it; empty if there is none.
  private let accessList: [UInt8]

  /// Reads the permissions of the file at `path`, whose status is `status`.
  init(_ status: stat, at path: Pathname) {
    // Never set-user-ID, set-group-ID or sticky: bytes that we wrote would run with the owner's rights.
    mode = status.st_mode & 0o777
    owner = status.st_uid
    group = status.st_gid
    var list = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe rawaudio_get_access_list(path.cString, &list, list.count)
    accessList = Array(list.prefix(max(0, count)))
  }

  /// Applies them to an open file if the process may. If the file cannot get the group, its new group gets no more
  /// rights than others have.
  func apply(to file: FileDescriptor) {
    // First, because a change of owner changes the mode.
    let keepsGroup =
      fchown(file.number, owner, group) == 0 || fchown(file.number, uid_t.max, group) == 0
    let everybody = mode & 0o007
    let narrow = mode & 0o707 | mode & (everybody << 3)
    guard keepsGroup else {
      rawaudio_remove_access_list(file.number)
      fchmod(file.number, narrow)
      return
    }
    if accessList.isEmpty {
      // The file may have inherited a list from its folder.
      rawaudio_remove_access_list(file.number)
      fchmod(file.number, mode)
    } else if unsafe rawaudio_set_access_list(file.number, accessList, accessList.count) != 0 {
      // With a list, the group bits would be the upper limit of its entries.
      fchmod(file.number, narrow)
    }
  }
}
