// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// A file on the disk whose name comes from a pattern.
struct PartFile {
  /// The folders behind the fixed one, and the file.
  let names: [[UInt8]]
  let path: String
  /// The part's number; 0 if names have none.
  let number: Int
  let identity: FileIdentity
  let size: Int64
  /// The time of the last write, in nanoseconds since 1970.
  let modified: Int64
}

extension PartMatching {
  /// All files whose names come from the pattern, in no order; empty if the folder cannot be read.
  ///
  /// Links to files or to folders behind the fixed one are not followed.
  func files() -> [PartFile] {
    var found: [PartFile] = []
    guard let fixed = OpenFolder(folder) else { return [] }
    collect(in: fixed, [], 0, into: &found)
    return found
  }

  private func collect(
    in folder: OpenFolder, _ names: [[UInt8]], _ number: Int, into found: inout [PartFile]
  ) {
    let component = components[names.count]
    let isFile = names.count == components.count - 1
    for name in component.text.map({ [$0] }) ?? folder.entries() {
      guard let own = self.number(in: name, of: component, isFile: isFile) else { continue }
      let number = max(number, own)
      if isFile {
        guard let status = folder.status(of: name), status.st_mode & S_IFMT == S_IFREG else {
          continue
        }
        found.append(
          PartFile(
            names: names + [name], path: path(of: names + [name]), number: number,
            identity: FileIdentity(status), size: Int64(status.st_size),
            modified: WallTime.nanoseconds(status.st_mtim)))
      } else if let next = folder.folder(named: name) {
        collect(in: next, names + [name], number, into: &found)
      }
    }
  }

  private func path(of names: [[UInt8]]) -> String {
    let bytes = names.joined(separator: [UInt8(ascii: "/")])
    return (namesFolder ? folder.appending(bytes) : Pathname(bytes: bytes)).text
  }

  /// Whether a recorder is writing the file: this one or another, which holds its lock (flock(2)).
  func isWritten(_ file: PartFile) -> Bool {
    guard var folder = OpenFolder(folder) else { return false }
    for name in file.names.dropLast() {
      guard let next = folder.folder(named: name) else { return false }
      folder = next
    }
    return file.names.last.map(folder.isLocked) ?? false
  }

  /// Removes a file unless it was replaced, and then the folders of the pattern that are left empty.
  ///
  /// - Returns: the system's error; 0 on success or if the file is gone already.
  func remove(_ file: PartFile) -> Int32 {
    guard let fixed = OpenFolder(folder) else { return errno }
    var chain = [fixed]
    for name in file.names.dropLast() {
      guard let next = chain.last?.folder(named: name) else { return errno == ENOENT ? 0 : errno }
      chain.append(next)
    }
    guard let folder = chain.last, let name = file.names.last else { return 0 }
    guard let status = folder.status(of: name) else { return errno == ENOENT ? 0 : errno }
    guard FileIdentity(status) == file.identity else { return 0 }
    let code = folder.remove(name, isFolder: false)
    guard code == 0 else { return code }
    for index in chain.indices.dropFirst().reversed() {
      // Stop at a folder that all parts share, or one that is not empty.
      guard components[index - 1].text == nil,
        chain[index - 1].remove(file.names[index - 1], isFolder: true) == 0
      else { break }
    }
    return 0
  }
}

/// An open folder. Operations stay in it, even if its name leads elsewhere meanwhile.
@safe
final class OpenFolder {
  private let descriptor: Int32

  /// - Returns: nil if it cannot be opened; `errno` says why.
  init?(_ path: Pathname) {
    descriptor = unsafe open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 { return nil }
  }

  private init?(_ name: [UInt8], in folder: OpenFolder) {
    descriptor = unsafe openat(
      folder.descriptor, Pathname(bytes: name).cString,
      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// A folder in this one; nil if the name is a link or no folder.
  func folder(named name: [UInt8]) -> OpenFolder? { OpenFolder(name, in: self) }

  /// The status of an entry, or of the link itself; nil if there is no entry. The corresponding C function is
  /// `fstatat`.
  func status(of name: [UInt8]) -> stat? {
    var status = stat()
    let code = unsafe fstatat(
      descriptor, Pathname(bytes: name).cString, &status, AT_SYMLINK_NOFOLLOW)
    return code == 0 ? status : nil
  }

  func isLocked(_ name: [UInt8]) -> Bool {
    let file = unsafe openat(
      descriptor, Pathname(bytes: name).cString, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    return rawaudio_is_locked(file) != 0
  }

  /// - Returns: the system's error; 0 on success. The corresponding C function is `unlinkat`.
  func remove(_ name: [UInt8], isFolder: Bool) -> Int32 {
    let code = unsafe unlinkat(
      descriptor, Pathname(bytes: name).cString, isFolder ? AT_REMOVEDIR : 0)
    return code == 0 ? 0 : errno
  }

  /// The names in it, in no order.
  func entries() -> [[UInt8]] {
    let copy = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return [] }
    guard let stream = unsafe fdopendir(copy) else {
      close(copy)
      return []
    }
    return unsafe FolderEntries.names(closing: stream)
  }
}
