import Foundation

/// A new directory that is removed with everything in it when the test lets go of it.
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
  /// What is in it, hidden files included, in order.
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
