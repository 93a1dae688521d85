// SPDX-License-Identifier: Apache-2.0
/// The size of a terminal. Unknown values are 0.
struct TerminalSize: Sendable, Hashable {
  var columns: Int
  var rows: Int
  /// In pixels.
  var width: Int
  var height: Int
}
