// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

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
