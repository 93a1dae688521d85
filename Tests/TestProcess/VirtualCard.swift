// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The tested package.
package enum Package {
  package static let folder = URL(filePath: #filePath).appending(path: "../../..").standardized

  /// Returns the text of a file of the package.
  package static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }
}

/// The software sound card built by `make virtual-card`; see Tests/VirtualCard/README.md.
package enum VirtualCard {
  /// The folder of the card's library. `VIRTUAL_CARD_DIRECTORY` names another one.
  package static let folder: URL = {
    let named = ProcessInfo.processInfo.environment["VIRTUAL_CARD_DIRECTORY"]
    let folder =
      named.map { URL(filePath: $0) } ?? Package.folder.appending(path: ".build/virtual-card")
    return URL(filePath: pathWithoutSpaces(folder.path))
  }()

  /// The configuration of ALSA, beside the card's library.
  package static let configuration = folder.appending(path: "virtual-card.conf")

  package static var isBuilt: Bool {
    FileManager.default.fileExists(atPath: configuration.path)
  }

  /// Returns the folder, or a link to it if its path has a space or a colon: variables such as `LD_PRELOAD` and
  /// `ALSA_CONFIG_PATH` end a name at these. One folder per process; the link is removed at its end.
  private static func pathWithoutSpaces(_ folder: String) -> String {
    guard folder.contains(where: { " :".contains($0) }) else { return folder }
    // A second call finds the link already there.
    try? FileManager.default.createSymbolicLink(atPath: linkPath, withDestinationPath: folder)
    atexit { _ = try? FileManager.default.removeItem(atPath: linkPath) }
    return linkPath
  }
}

private var linkPath: String { "/tmp/rawaudio-tests-\(getpid())" }
