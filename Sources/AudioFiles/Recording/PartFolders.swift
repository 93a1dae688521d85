// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The folders that a pattern names behind its first conversion.
struct PartFolders {
  private let fixedFolders: Int
  private let isSynchronizing: Bool

  /// - Parameter isSynchronizing: whether the names of new folders are forced onto the disk.
  init(_ names: PartNames, synchronizing isSynchronizing: Bool) {
    fixedFolders = names.fixedFolders
    self.isSynchronizing = isSynchronizing
  }

  /// Creates the missing folders. The corresponding C function is `mkdir`.
  ///
  /// - Returns: the created folders, the outermost first.
  /// - Throws: `notFound` if the folder in front of the first conversion is missing; `unavailable`, `inputOutput`.
  func make(for path: String) throws(AudioError) -> [Pathname] {
    var made: [Pathname] = []
    for folder in folders(of: path) {
      if try OutputTarget.requireOwnFolder(folder) { continue }
      guard unsafe mkdir(folder.cString, 0o777) != 0 else {
        made.append(folder)
        if isSynchronizing { FileDescriptor.synchronizeDirectory(of: folder) }
        continue
      }
      let code = errno
      // Another process may have been faster.
      if code == EEXIST { continue }
      Self.remove(made)
      if code == ENOENT { throw OutputTarget.missingDirectory(path) }
      throw AudioError(systemCode: code, cannot: "make the folder", folder.text)
    }
    return made
  }

  /// Checks, without creating anything, whether a part could be written.
  ///
  /// - Returns: whether its folder exists.
  /// - Throws: `notFound`, `unavailable` if a folder could not be created.
  func check(for path: String) throws(AudioError) -> Bool {
    for folder in folders(of: path) where try !OutputTarget.requireOwnFolder(folder) {
      if unsafe access(folder.directory.cString, W_OK | X_OK) == 0 { return false }
      let code = errno
      if code == ENOENT { throw OutputTarget.missingDirectory(path) }
      throw AudioError(systemCode: code, cannot: "make the folder", folder.text)
    }
    return true
  }

  /// Removes the empty folders created for a part that was never written.
  static func remove(_ made: [Pathname]) {
    for folder in made.reversed() { unsafe _ = rmdir(folder.cString) }
  }

  /// The folders without trailing slashes, the outermost first.
  private func folders(of path: String) -> [Pathname] {
    OutputTarget.folders(of: path, behind: fixedFolders)
  }
}
