// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The folders that a pattern names behind its first conversion.
package struct PartFolders: Sendable, Equatable {
  private let fixedFolders: Int
  /// The number of folders in front that the user typed: these may be links.
  private let typedFolders: Int
  private let isSynchronizing: Bool

  /// - Parameter isSynchronizing: whether the names of new folders are forced onto the disk.
  init(_ names: NamePattern, synchronizing isSynchronizing: Bool) {
    fixedFolders = names.fixedFolders
    typedFolders = names.fixedFolders
    self.isSynchronizing = isSynchronizing
  }

  /// - Parameters:
  ///   - fixedFolders: the number of folders in front, which must exist.
  ///   - typedFolders: the number of those that may be links; nil for a name that was checked already.
  package init(fixedFolders: Int, typedFolders: Int? = nil) {
    self.fixedFolders = fixedFolders
    self.typedFolders = typedFolders ?? .max
    isSynchronizing = false
  }

  /// Creates the missing folders. The corresponding C function is `mkdir`.
  ///
  /// - Returns: the created folders, the outermost first.
  /// - Throws: `notFound` if the folder in front of the first conversion is missing; `unavailable`, `inputOutput`.
  @discardableResult
  package func make(for path: String) throws(AudioError) -> [Pathname] {
    var made: [Pathname] = []
    for (index, folder) in folders(of: path) {
      if try exists(folder, isTyped: index < typedFolders) { continue }
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
    for (index, folder) in folders(of: path)
    where try !exists(folder, isTyped: index < typedFolders) {
      if unsafe access(folder.directory.cString, W_OK | X_OK) == 0 { return false }
      let code = errno
      if code == ENOENT { throw OutputTarget.missingDirectory(path) }
      throw AudioError(systemCode: code, cannot: "make the folder", folder.text)
    }
    return true
  }

  private func exists(_ folder: Pathname, isTyped: Bool) throws(AudioError) -> Bool {
    var status = stat()
    return try isTyped
      ? unsafe stat(folder.cString, &status) == 0 : OutputTarget.requireOwnFolder(folder)
  }

  /// Removes the empty folders created for a part that was never written.
  static func remove(_ made: [Pathname]) {
    for folder in made.reversed() { unsafe _ = rmdir(folder.cString) }
  }

  /// The folders without trailing slashes and their numbers from 0, the outermost first.
  private func folders(of path: String) -> [(Int, Pathname)] {
    OutputTarget.folders(of: path, behind: fixedFolders).enumerated()
      .map { ($0 + fixedFolders, $1) }.filter { !$1.bytes.isEmpty }
  }
}
