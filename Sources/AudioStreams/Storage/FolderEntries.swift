// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The names in a folder, in no order and without `.` and `..`. Any thread.
package enum FolderEntries {
  /// Returns the names in the folder of this path; none if it cannot be read.
  package static func names(in path: String) -> [String] {
    guard let stream = unsafe opendir(path) else { return [] }
    return unsafe names(closing: stream).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the names as bytes. The corresponding C functions are `readdir` and `closedir`.
  package static func names(closing stream: OpaquePointer) -> [[UInt8]] {
    defer { unsafe _ = closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { bytes in
        unsafe Pathname(
          cString: UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
        ).bytes
      }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    return names
  }
}
