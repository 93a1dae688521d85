// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioCore
internal import CLADSPA
internal import Glibc

/// The LADSPA libraries of this machine.
struct LadspaLibraries {
  /// Names without folder and `.so`, each with its path; the first library of a name counts.
  let paths: [(name: String, path: String)]

  /// - Parameter variable: folders separated by colons, as in LADSPA_PATH; nil means the usual folders.
  init(_ variable: String?) {
    var paths: [(name: String, path: String)] = []
    var names: Set<String> = []
    for folder in variable.map({ $0.split(separator: ":").map(String.init) }) ?? Self.usualFolders {
      for file in FolderEntries.names(in: folder).sorted() where file.hasSuffix(".so") {
        let name = String(file.dropLast(3))
        if names.insert(name).inserted { paths.append((name, "\(folder)/\(file)")) }
      }
    }
    self.paths = paths
  }

  /// The folders of Debian and other systems; Debian's `ladspa.h` names none.
  private static var usualFolders: [String] {
    [
      "/usr/local/lib/ladspa", "/usr/lib/ladspa", "/usr/lib64/ladspa",
      "/usr/lib/x86_64-linux-gnu/ladspa", "/usr/lib/aarch64-linux-gnu/ladspa",
    ]
  }

  /// Loads a library and reads its plug-ins. It stays loaded until the end of this process.
  ///
  /// The corresponding C functions are `dlopen` and `ladspa_descriptor`.
  static func plugins(of library: (name: String, path: String)) -> [LadspaPlugin] {
    guard let handle = unsafe dlopen(library.path, RTLD_NOW | RTLD_LOCAL),
      let symbol = unsafe dlsym(handle, "ladspa_descriptor")
    else { return [] }
    typealias Function = @convention(c) (UInt) -> UnsafePointer<LADSPA_Descriptor>?
    let descriptor = unsafe unsafeBitCast(symbol, to: Function.self)
    var plugins: [LadspaPlugin] = []
    while let next = unsafe descriptor(UInt(plugins.count)) {
      plugins.append(unsafe LadspaPlugin(next, in: library.name))
    }
    return plugins
  }
}
