import Foundation

/// A new directory. It is removed with all its contents when the test releases it.
final class TemporaryDirectory {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "rawaudio-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appending(path: name) }
}

extension TemporaryDirectory {
  /// The sorted names of its files, hidden ones included.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }

  func write(_ bytes: [UInt8], _ name: String) throws {
    try Data(bytes).write(to: file(name))
  }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: file(name)))
  }
}
