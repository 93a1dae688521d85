// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension VoiceModel {
  /// Reads the installed file: the first of that name in ``folders``.
  ///
  /// - Throws: `notFound`, with the way to get the file; else as ``init(path:)``.
  public convenience init() throws(AudioError) {
    for folder in Self.folders {
      do throws(AudioError) {
        try self.init(path: "\(folder)/\(Self.fileName)")
        return
      } catch  where error.kind == .notFound {}
    }
    throw AudioError(
      .notFound, cannot: "tell speech from other sounds without", Self.fileName,
      because: "it is in none of the folders \(Self.folders.joined(separator: ", "))",
      advice: "install rawaudio's package, or in its sources say 'make voice-data install'")
  }

  /// The folders in which the file may lie: one beside the program, then those of the XDG Base Directory Specification
  /// for data.
  public static var folders: [String] {
    var folders: [String] = []
    if let program = installationFolder { folders.append("\(program)/share/rawaudio") }
    if let home = variable("XDG_DATA_HOME") ?? variable("HOME").map({ "\($0)/.local/share" }) {
      folders.append("\(home)/rawaudio")
    }
    let shared = variable("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share"
    return folders + shared.split(separator: ":").map { "\($0)/rawaudio" }
  }

  /// Nil if it is empty or a relative path, too, as the specification says.
  private static func variable(_ name: String) -> String? {
    let text = unsafe getenv(name).map { unsafe Pathname(cString: $0).text }
    return text?.hasPrefix("/") == true ? text : nil
  }

  /// The folder that holds that of the program, such as `/usr`.
  private static var installationFolder: String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
    let path = bytes[..<max(0, count)].map { UInt8(bitPattern: $0) }
    let slash = UInt8(ascii: "/")
    guard let end = path.lastIndex(of: slash), let parent = path[..<end].lastIndex(of: slash) else {
      return nil
    }
    return Pathname(bytes: path[..<parent]).text
  }
}
