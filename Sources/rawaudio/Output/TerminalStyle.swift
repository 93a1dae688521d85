/// How texts on standard error are set off from each other.
struct TerminalStyle: Sendable {
  var isColoured: Bool

  /// Colours on a terminal, unless the user does not want them (https://no-color.org).
  static func forStandardError() -> TerminalStyle {
    let isRefused = environmentVariable("NO_COLOR").map { !$0.isEmpty } ?? false
    let isDumb = environmentVariable("TERM") == "dumb"
    return TerminalStyle(isColoured: StandardStream.error.isTerminal && !isRefused && !isDumb)
  }

  /// `text` in bold red.
  func error(_ text: String) -> String {
    isColoured ? "\u{1B}[1;31m\(text)\u{1B}[0m" : text
  }
}
