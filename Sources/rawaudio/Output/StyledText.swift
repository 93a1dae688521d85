// SPDX-License-Identifier: Apache-2.0
/// A line of text with colours, and how wide it is.
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
  /// Every character that is added has to be one column wide.
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

  /// The text, after which the terminal writes as before.
  var finished: String { current == .plain ? text : text + "\u{1B}[0m" }
}
