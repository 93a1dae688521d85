// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// Who may do what with a file, to be given to the file that replaces it.
struct FilePermissions {
  private let mode: mode_t
  private let owner: uid_t
  private let group: gid_t
  /// The access control list (acl(5)) as the system stores it; empty where there is none.
  private let accessList: [UInt8]

  /// Those of the file at `path`, whose status is `status`.
  init(_ status: stat, at path: Pathname) {
    // Never set-user-ID, set-group-ID or sticky: whoever owned the file would run what we wrote.
    mode = status.st_mode & 0o777
    owner = status.st_uid
    group = status.st_gid
    var list = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe rawaudio_get_access_list(path.cString, &list, list.count)
    accessList = Array(list.prefix(max(0, count)))
  }

  /// Gives them to an open file, as far as the process may: a file that cannot be the group's is no more open to
  /// its new group than to everybody.
  func apply(to file: FileDescriptor) {
    // First of all: a change of owner changes the mode.
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
      // It may have one of its folder's.
      rawaudio_remove_access_list(file.number)
      fchmod(file.number, mode)
    } else if unsafe rawaudio_set_access_list(file.number, accessList, accessList.count) != 0 {
      // Where there is a list, the bits of the group are the most that anybody on it may.
      fchmod(file.number, narrow)
    }
  }
}
