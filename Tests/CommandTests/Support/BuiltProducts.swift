// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The executables of the tested build.
enum BuiltProducts {
  /// The executable `rawaudio` beside the running test bundle; `COMMAND_UNDER_TEST` names another one.
  static let rawaudio: URL = {
    if let path = ProcessInfo.processInfo.environment["COMMAND_UNDER_TEST"] {
      return URL(fileURLWithPath: path)
    }
    let neighbours = candidates.map { $0.deletingLastPathComponent().appending(path: "rawaudio") }
    let existing = neighbours.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    guard let existing else {
      fatalError("no executable 'rawaudio' beside \(candidates.map(\.path)); run 'swift build'")
    }
    return existing
  }()

  /// Files of the test bundle: the running executable, and the files in its arguments.
  private static var candidates: [URL] {
    let running = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return [running] + CommandLine.arguments.map { URL(fileURLWithPath: $0) }
  }
}
