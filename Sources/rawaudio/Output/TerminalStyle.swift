// SPDX-License-Identifier: Apache-2.0
/// The highlighting of texts on a terminal.
struct TerminalStyle: Sendable {
  var isColoured: Bool

  /// Coloured on a terminal, unless `NO_COLOR` is set (https://no-color.org).
  static func of(_ stream: StandardStream) -> TerminalStyle {
    let isRefused = environmentVariable("NO_COLOR").map { !$0.isEmpty } ?? false
    let isDumb = environmentVariable("TERM") == "dumb"
    return TerminalStyle(isColoured: stream.isTerminal && !isRefused && !isDumb)
  }

  func error(_ text: String) -> String {
    isColoured ? "\u{1B}[1;31m\(text)\u{1B}[0m" : text
  }
}
