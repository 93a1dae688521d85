// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The file system's state at the path of an output before it is opened.
package struct OutputTarget {
  enum Kind {
    /// A path without a file yet.
    case new
    case regular
    /// A pipe, a device; or a folder, which cannot be opened.
    case special
  }

  let kind: Kind
  /// Absolute and without links, if it is for a regular file.
  let path: Pathname
  /// The path to open: the given one, or the target of a dangling link.
  let opened: Pathname
  /// The place of a regular file.
  let place: FilePlace?
  /// The status of an existing file.
  let status: stat?

  /// - Parameter isNameGenerated: whether the user has not typed this name: then a link, a pipe or a device that
  ///   stands there was not meant.
  /// - Throws: `alreadyExists` for a file, or a dangling link, that must not be overwritten, and for anything but a
  ///   regular file at a generated name; `notFound` if the directory is missing; `unavailable`.
  init(
    _ path: String, overwrites: Bool, isNameGenerated: Bool = false
  ) throws(AudioError) {
    let given = Pathname(path)
    try given.check(to: "write to", path)
    var status = stat()
    let code =
      unsafe isNameGenerated ? lstat(given.cString, &status) : stat(given.cString, &status)
    if code == 0 {
      self.status = status
      guard status.st_mode & S_IFMT == S_IFREG else {
        if isNameGenerated { throw Self.refusal(of: path, status.st_mode) }
        kind = .special
        self.path = given
        opened = given
        place = nil
        return
      }
      guard overwrites else { throw AudioError(systemCode: EEXIST, cannot: "write to", path) }
      guard unsafe access(given.cString, W_OK) == 0 else {
        throw AudioError(systemCode: errno, cannot: "write to", path)
      }
      kind = .regular
      self.path = Self.resolved(given) ?? given
      opened = given
    } else {
      guard errno == ENOENT else { throw AudioError(systemCode: errno, cannot: "write to", path) }
      self.status = nil
      kind = .new
      let path = try Self.newPath(given, overwrites: overwrites)
      self.path = path
      opened = Self.linkTarget(given) == nil ? given : path
    }
    place = Self.place(of: self.path)
  }

  /// Returns the path of a new file: the target of a dangling link, if overwriting was asked for.
  private static func newPath(
    _ given: Pathname, overwrites: Bool
  ) throws(AudioError) -> Pathname {
    var path = given
    // The system follows 40 links (path_resolution(7)).
    for _ in 0..<40 {
      guard let folder = resolved(path.directory) else {
        let code = errno
        guard code == ENOENT else {
          throw AudioError(systemCode: code, cannot: "write to", given.text)
        }
        throw missingDirectory(given.text)
      }
      let slash = folder.bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
      let inside = folder.appending(slash)
      path = inside.appending(path.name)
      guard let target = linkTarget(path) else { return path }
      guard overwrites else { throw AudioError(systemCode: EEXIST, cannot: "write to", given.text) }
      path = target.bytes.first == UInt8(ascii: "/") ? target : inside.appending(target.bytes)
    }
    throw AudioError(systemCode: ELOOP, cannot: "write to", given.text)
  }

  /// The folders of a path without trailing slashes, the outermost first, without the `fixed` outermost ones.
  package static func folders(of path: String, behind fixed: Int) -> [Pathname] {
    let bytes = Pathname(path).bytes
    let slashes = bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }
    return slashes.dropFirst(fixed).map { Pathname(bytes: bytes[..<$0]) }
  }

  /// Checks that a folder in a generated name is no link to another one, which may lie anywhere.
  ///
  /// - Returns: whether it exists.
  /// - Throws: `unavailable` for a link.
  package static func requireOwnFolder(_ folder: Pathname) throws(AudioError) -> Bool {
    var status = stat()
    guard unsafe lstat(folder.cString, &status) == 0 else { return false }
    guard status.st_mode & S_IFMT != S_IFLNK else {
      throw AudioError(
        .unavailable, cannot: "write into", folder.text,
        because: "it is a symbolic link, and such folders are followed only if they are typed",
        advice: "put it in front of the name's first field, or remove the link")
    }
    return true
  }

  /// Checks that a regular file, or none yet, has a generated name.
  ///
  /// - Throws: `alreadyExists`.
  package static func requireRegular(_ path: String) throws(AudioError) {
    var status = stat()
    guard unsafe lstat(Pathname(path).cString, &status) == 0,
      status.st_mode & S_IFMT != S_IFREG
    else { return }
    throw refusal(of: path, status.st_mode)
  }

  /// The refusal of a generated name at which no regular file stands.
  private static func refusal(of path: String, _ mode: mode_t) -> AudioError {
    let kind =
      switch mode & S_IFMT {
      case S_IFLNK: "a symbolic link"
      case S_IFIFO: "a named pipe"
      case S_IFSOCK: "a socket"
      case S_IFDIR: "a folder"
      default: "a device"
      }
    return AudioError(
      .alreadyExists, cannot: "write to", path,
      because: "it is \(kind), and names that are not typed are those of regular files",
      advice: "remove it, or write to another folder")
  }

  package static func missingDirectory(_ path: String) -> AudioError {
    AudioError(.notFound, cannot: "write to", path, because: "its directory does not exist")
  }

  /// The corresponding C function is `realpath`.
  private static func resolved(_ path: Pathname) -> Pathname? {
    guard let text = unsafe realpath(path.cString, nil) else {
      // In deep folders only the relative path may be short enough.
      return errno == ENAMETOOLONG ? path : nil
    }
    defer { unsafe free(text) }
    return unsafe Pathname(cString: text)
  }

  /// The target of a symbolic link; nil if the path is no link.
  private static func linkTarget(_ path: Pathname) -> Pathname? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path.cString, &target, target.count)
    return count > 0 ? Pathname(bytes: target.prefix(count).map { UInt8(bitPattern: $0) }) : nil
  }

  private static func place(of path: Pathname) -> FilePlace? {
    var folder = stat()
    guard unsafe stat(path.directory.cString, &folder) == 0 else { return nil }
    return FilePlace(folder: FileIdentity(folder), name: Array(path.name))
  }
}
