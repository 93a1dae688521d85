// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The open descriptors of this process. Those of other tests change meanwhile, so a test that compares runs in a process
/// of its own (`#expect(processExitsWith:)`).
///
/// Such a process inherits descriptors of the tests that run at its start. Their names change when those tests remove
/// files, but never their numbers, devices and inodes.
package struct OpenDescriptors: CustomStringConvertible {
  private let files: [Int32: [UInt64]]

  package init() {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: Self.folder)) ?? []
    var files: [Int32: [UInt64]] = [:]
    for number in numbers.compactMap(Int32.init) {
      var status = stat()
      // The folder itself was open during the read.
      guard unsafe fstat(number, &status) == 0 else { continue }
      files[number] = [UInt64(status.st_dev), UInt64(status.st_ino)]
    }
    self.files = files
  }

  /// Waits until all that were opened since are closed: an ending thread closes its own a moment later.
  ///
  /// - Returns: the names of those still open after a minute.
  package func left() -> [String] {
    for _ in 0..<6_000 where !added().isEmpty { usleep(10_000) }
    return added().map(Self.name)
  }

  package var description: String { "\(files.keys.sorted().map(Self.name))" }

  private func added() -> [Int32] {
    Self().files.filter { files[$0.key] != $0.value }.keys.sorted()
  }

  private static let folder = "/proc/self/fd"

  private static func name(of number: Int32) -> String {
    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")
    return "\(number): \(target ?? "closed")"
  }
}
