// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The folders that a pattern names behind its first conversion.
package struct PartFolders {
  private let fixedFolders: Int
  private let isSynchronizing: Bool

  /// - Parameter isSynchronizing: whether the names of new folders are forced onto the disk.
  init(_ names: NamePattern, synchronizing isSynchronizing: Bool) {
    self.init(fixedFolders: names.fixedFolders, synchronizing: isSynchronizing)
  }

  /// - Parameter fixedFolders: the number of folders in front, which must exist.
  package init(fixedFolders: Int, synchronizing isSynchronizing: Bool = false) {
    self.fixedFolders = fixedFolders
    self.isSynchronizing = isSynchronizing
  }

  /// Creates the missing folders. The corresponding C function is `mkdir`.
  ///
  /// - Returns: the created folders, the outermost first.
  /// - Throws: `notFound` if the folder in front of the first conversion is missing; `unavailable`, `inputOutput`.
  @discardableResult
  package func make(for path: String) throws(AudioError) -> [Pathname] {
    var made: [Pathname] = []
    for folder in folders(of: path) {
      var status = stat()
      if unsafe stat(folder.cString, &status) == 0 { continue }
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
    var status = stat()
    guard let missing = folders(of: path).first(where: { unsafe stat($0.cString, &status) != 0 })
    else { return true }
    if unsafe access(missing.directory.cString, W_OK | X_OK) != 0 {
      let code = errno
      if code == ENOENT { throw OutputTarget.missingDirectory(path) }
      throw AudioError(systemCode: code, cannot: "make the folder", missing.text)
    }
    return false
  }

  /// Removes the empty folders created for a part that was never written.
  static func remove(_ made: [Pathname]) {
    for folder in made.reversed() { unsafe _ = rmdir(folder.cString) }
  }

  /// The folders without trailing slashes, the outermost first.
  private func folders(of path: String) -> [Pathname] {
    let bytes = Pathname(path).bytes
    let slashes = bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }
    return slashes.dropFirst(fixedFolders).filter { $0 > 0 }.map { Pathname(bytes: bytes[..<$0]) }
  }
}
