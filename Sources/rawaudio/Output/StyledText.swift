// SPDX-License-Identifier: Apache-2.0
/// A line of text with colours, and its width.
struct StyledText {
  enum Style: String {
    case plain = ""
    case faint = "2"
    case green = "32"
    case yellow = "33"
    case red = "31"
    /// Black on red: a light.
    case alarm = "30;41"
  }

  /// Whether styles are written at all.
  let isColoured: Bool
  private(set) var text = ""
  /// The width. Every added character must be one column wide.
  private(set) var columns = 0
  private var current = Style.plain

  init(isColoured: Bool) { self.isColoured = isColoured }

  mutating func add(_ piece: String, _ style: Style = .plain) {
    if isColoured, style != current {
      text += style == .plain ? "\u{1B}[0m" : "\u{1B}[0;\(style.rawValue)m"
      current = style
    }
    text += piece
    columns += piece.count
  }

  /// The text, followed by a reset of the style.
  var finished: String { current == .plain ? text : text + "\u{1B}[0m" }
}
