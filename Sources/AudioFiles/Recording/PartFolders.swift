// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The folders that a pattern names behind its first conversion.
struct PartFolders {
  private let fixedFolders: Int
  private let isSynchronizing: Bool

  /// - Parameter isSynchronizing: whether their names are forced onto the disk.
  init(_ names: PartNames, synchronizing isSynchronizing: Bool) {
    fixedFolders = names.fixedFolders
    self.isSynchronizing = isSynchronizing
  }

  /// Makes what is missing. The corresponding C function is `mkdir`.
  ///
  /// - Returns: what was made, in order.
  /// - Throws: `notFound` where the folder in front of the first conversion is missing; `unavailable`, `inputOutput`.
  func make(for path: String) throws(AudioError) -> [Pathname] {
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
      // Somebody else may have been faster.
      if code == EEXIST { continue }
      Self.remove(made)
      if code == ENOENT { throw OutputTarget.missingDirectory(path) }
      throw AudioError(systemCode: code, cannot: "make the folder", folder.text)
    }
    return made
  }

  /// Looks whether a part could be written, as far as that shows without making anything.
  ///
  /// - Returns: whether its folder is there.
  /// - Throws: `notFound`, `unavailable` where a folder could not be made.
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

  /// Removes folders that were made for a part that there is not, as far as they are empty.
  static func remove(_ made: [Pathname]) {
    for folder in made.reversed() { unsafe _ = rmdir(folder.cString) }
  }

  /// Without slashes at their ends, the outermost first.
  private func folders(of path: String) -> [Pathname] {
    let bytes = Pathname(path).bytes
    let slashes = bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }
    return slashes.dropFirst(fixedFolders).map { Pathname(bytes: bytes[..<$0]) }
  }
}
