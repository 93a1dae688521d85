// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc

/// The folders in which plug-ins lie.
package enum PluginFolders {
  /// A word that changes with every file in these folders: names, sizes and times. Libraries that plug-ins need count,
  /// too, and so does this program. Nil if a path depends on the environment otherwise.
  package static var state: String? {
    var facts: [UInt8] = []
    func add(_ path: String, depth: Int) {
      var status = stat()
      let isThere = unsafe stat(Pathname(path).cString, &status) == 0
      let (size, time, number) =
        isThere ? (status.st_size, status.st_mtim, status.st_ino) : (-1, timespec(), 0)
      facts += "\(path)\0\(size) \(time.tv_sec) \(time.tv_nsec) \(number)\0".utf8
      guard isThere, status.st_mode & S_IFMT == S_IFDIR, depth > 0 else { return }
      for name in FolderEntries.names(in: path).sorted() {
        add("\(path)/\(name)", depth: depth - 1)
      }
    }
    guard let folders = lv2Folders else { return nil }
    // The dynamic linker's list changes with each installed library.
    for path in ["/proc/self/exe", "/etc/ld.so.cache"] { add(path, depth: 0) }
    for folder in folders { add(folder, depth: 3) }
    for library in PluginShelf.libraries.paths { add(library.path, depth: 0) }
    return Pathname.hash(of: facts)
  }

  /// As lilv 0.24 looks for them. Nil if it expands a variable in LV2_PATH.
  private static var lv2Folders: [String]? {
    let usual =
      "~/.lv2:/usr/lib/x86_64-linux-gnu/lv2:/usr/lib/aarch64-linux-gnu/lv2:/usr/lib/lv2:/usr/lib64/lv2"
      + ":/usr/local/lib/lv2:/usr/local/lib64/lv2"
    let path = unsafe getenv("LV2_PATH").map { unsafe String(cString: $0) } ?? usual
    guard !path.utf8.contains(UInt8(ascii: "$")) else { return nil }
    let home = unsafe getenv("HOME").map { unsafe String(cString: $0) } ?? ""
    return path.split(separator: ":").map {
      $0.hasPrefix("~") ? home + $0.dropFirst() : String($0)
    }
  }
}
