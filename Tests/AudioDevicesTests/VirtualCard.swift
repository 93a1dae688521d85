// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// The software sound card built by `make virtual-card`; see Tests/VirtualCard/README.md.
enum VirtualCard {
  /// The file beside the card's library; used after the configuration of ``AlsaConfiguration``.
  static let configuration: URL = {
    let named = ProcessInfo.processInfo.environment["VIRTUAL_CARD_DIRECTORY"]
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let directory =
      named.map { URL(fileURLWithPath: $0) } ?? package.appending(path: ".build/virtual-card")
    let folder = URL(fileURLWithPath: pathWithoutSpaces(directory.path))
    return folder.appending(path: "virtual-card.conf")
  }()

  static var isBuilt: Bool { FileManager.default.fileExists(atPath: configuration.path) }

  /// Returns the name of a card without a clock, with its own settings instead of the environment's.
  static func device(_ settings: String) -> String { "card:SPEED=0,\(settings)" }
}

extension Trait where Self == ConditionTrait {
  /// Skips the tests if the card was not built.
  static var needsVirtualCard: Self {
    .enabled(if: VirtualCard.isBuilt, "the virtual card is not built; run 'make virtual-card'")
  }
}
