// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioPlugins
internal import AudioPrograms
internal import AudioCore
internal import Glibc

/// The descriptions of this machine's plug-ins in a file, because lilv takes seconds to read those of hundreds.
///
/// The first line is the state of the plug-ins' folders, the next ones are the descriptions, the last one is their number.
/// A description stands without its controls, which are most of it, and behind a tab with them. A file of another state, of
/// another user, or with another content is ignored.
enum PluginCache {
  /// The plug-ins by the file, else by their own descriptions, which go into the file.
  ///
  /// - Parameter needsControls: whether the controls of a plug-in are needed.
  static func catalogue(
    _ host: PluginHostProgram, needsControls: (PluginDescription) -> Bool
  ) throws(AudioError) -> PluginCatalogue {
    let state = PluginFolders.state
    if let state, let path, let known = read(path, state, needsControls) {
      return PluginCatalogue(known)
    }
    let found = try PluginCatalogue(host)
    // A library that fails may do better the next time.
    guard let state, let path, found.faulty.isEmpty, PluginFolders.state == state else {
      return found
    }
    // The file is never needed.
    try? write(found.plugins, path, state)
    return found
  }

  /// Source: XDG Base Directory Specification 0.8.
  private static var path: String? {
    func variable(_ name: String) -> String? {
      let text = unsafe getenv(name).map { unsafe String(cString: $0) }
      return text?.hasPrefix("/") == true ? text : nil
    }
    let folder = variable("XDG_CACHE_HOME") ?? variable("HOME").map { $0 + "/.cache" }
    return folder.map { $0 + "/rawaudio/plugins.jsonl" }
  }

  private static let largest: Int64 = 64 << 20

  private static func read(
    _ path: String, _ state: String, _ needsControls: (PluginDescription) -> Bool
  ) -> [PluginDescription]? {
    var status = stat()
    guard unsafe lstat(Pathname(path).cString, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_mode & 0o022 == 0, status.st_size <= largest,
      let file = try? FileDescriptor(reading: path),
      let bytes = try? file.bytes(Int(status.st_size), at: 0)
    else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard lines.count >= 2, lines[0].elementsEqual(state.utf8),
      lines[lines.count - 1].elementsEqual("\(lines.count - 2)".utf8)
    else { return nil }
    let plugins = lines.dropFirst().dropLast().compactMap { line -> PluginDescription? in
      let forms = line.split(separator: UInt8(ascii: "\t"))
      func description(_ form: ArraySlice<UInt8>?) -> PluginDescription? {
        form.flatMap { try? JSONValue(reading: $0) }.flatMap(PluginDescription.init)
      }
      guard forms.count == 2, let short = description(forms.first) else { return nil }
      return needsControls(short) ? description(forms.last) : short
    }
    return plugins.count == lines.count - 2 ? plugins : nil
  }

  private static func write(
    _ plugins: [PluginDescription], _ path: String, _ state: String
  ) throws(AudioError) {
    let descriptions = plugins.map { plugin in
      var short = plugin
      short.ports = []
      return short.json.compact + "\t" + plugin.json.compact
    }
    let lines = [state] + descriptions + ["\(plugins.count)", ""]
    try PartFolders(fixedFolders: 0).make(for: path)
    // The rights of a file that is ignored would stay.
    unsafe _ = unlink(Pathname(path).cString)
    let destination = FileDestination(path: path, overwrites: true)
    let output = try destination.open(Wakeup())
    _ = try output.descriptor.write(Array(lines.joined(separator: "\n").utf8))
    try destination.commit(output)
  }
}
