// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess

/// The report of `Tests/Terminal` on a command that ran there.
struct TerminalReport: Decodable {
  struct Frame: Decodable {
    var columns: Int
    var screen: [String]
    var attributes: String
  }

  var frames: [Frame]
  var last: [String]
  var attributes: String
  var isRestored: Bool
  var text: String
  var exit: Int32?

  static let program = Package.folder.appending(path: "Tests/Terminal").path
}
