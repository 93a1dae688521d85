// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A directory removed with all its contents at its release.
package final class ScratchDirectory {
  package let path: String

  package init() {
    path = NSTemporaryDirectory() + "rawaudio-test-" + UUID().uuidString
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      fatalError("cannot make \(path): \(error)")
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func file(_ name: String) -> String { path + "/" + name }

  package func write(_ bytes: [UInt8], _ name: String = "in") throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }

  package var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}

package func contents(_ path: String) throws -> [UInt8] {
  Array(try Data(contentsOf: URL(fileURLWithPath: path)))
}
