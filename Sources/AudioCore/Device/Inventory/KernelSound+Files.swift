internal import Glibc

extension KernelSound {
  /// The names in a directory, in no order; none where it cannot be read.
  static func entries(of directory: String) -> [String] {
    guard let stream = unsafe opendir(directory) else { return [] }
    defer { unsafe _ = closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { bytes in
        unsafe String(cString: UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// nil where the file is empty or cannot be read.
  static func firstLine(of path: String) -> String? { lines(of: path).first }

  /// What follows `key:` in a file of such lines.
  static func value(of key: String, in path: String) -> String? {
    for line in lines(of: path) {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, words(parts[0]) == key else { continue }
      return words(parts[1])
    }
    return nil
  }

  private static func words(_ text: Substring) -> String {
    text.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
  }

  /// The lines of a small file.
  private static func lines(of path: String) -> [String] {
    guard let file = unsafe fopen(path, "re") else { return [] }
    defer { unsafe _ = fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
      .split(whereSeparator: \.isNewline).map { String($0) }
  }
}
