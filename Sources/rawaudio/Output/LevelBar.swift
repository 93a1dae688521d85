// SPDX-License-Identifier: Apache-2.0
/// The level of a channel in a status line.
struct ShownLevel: Sendable, Hashable {
  /// In dBFS. −∞ for silence.
  var peak: Double
  var rms: Double
  /// The highest peak of the last moments.
  var hold: Double
  /// Whether a sample was at full scale or beyond in the last moments.
  var hasClipped: Bool
}

/// A level as a bar of characters: solid up to the RMS, thinner up to the peak, with a mark at the held peak.
struct LevelBar {
  struct Characters: Sendable, Hashable {
    var rms: Character
    var peak: Character
    var hold: Character
    var rest: Character
    var clip: Character
    /// Eight heights, for bars of one column.
    var heights: [Character]

    static let unicode = Characters(
      rms: "█", peak: "▒", hold: "│", rest: "·", clip: "●", heights: Array("▁▂▃▄▅▆▇█"))
    static let ascii = Characters(
      rms: "#", peak: "=", hold: "|", rest: ".", clip: "!", heights: Array("12345678"))

    /// The characters that the locale supports.
    static func forTerminal() -> Characters { localeIsUTF8() ? .unicode : .ascii }
  }

  /// The level at the left end, in dBFS. The right end is 0.
  static let lowest = -60.0
  /// `-123.4`
  static let numberColumns = 5

  let characters: Characters

  /// Adds a bar, and behind it the held peak as a number and the clipping light.
  func add(_ level: ShownLevel, columns: Int, to line: inout StyledText) {
    func place(_ decibels: Double) -> Int {
      Int((Self.part(decibels) * Double(columns)).rounded(.up))
    }
    let rms = place(level.rms)
    let peak = place(level.peak)
    let hold = place(level.hold) - 1
    for column in 0..<columns {
      let style = Self.style((Double(column) / Double(columns) - 1) * -Self.lowest)
      if column < rms {
        line.add(String(characters.rms), style)
      } else if column < peak {
        line.add(String(characters.peak), style)
      } else if column == hold {
        line.add(String(characters.hold), style)
      } else {
        line.add(String(characters.rest), .faint)
      }
    }
    let number = level.hold.decimal(1)
    line.add(
      " " + String(repeating: " ", count: max(0, Self.numberColumns - number.count)) + number)
    line.add(String(level.hasClipped ? characters.clip : " "), level.hasClipped ? .alarm : .plain)
  }

  /// Adds a bar of one column.
  func addHeight(_ level: ShownLevel, to line: inout StyledText) {
    guard level.peak > Self.lowest else { return line.add(String(characters.rest), .faint) }
    let height = Int(Self.part(level.peak) * Double(characters.heights.count))
    line.add(
      String(characters.heights[min(characters.heights.count - 1, height)]),
      level.hasClipped ? .alarm : Self.style(level.peak))
  }

  /// The part of a bar that a level fills, from 0 to 1. Infinity fills it, and NaN leaves it empty.
  private static func part(_ decibels: Double) -> Double {
    decibels > lowest ? min(1, decibels / -lowest + 1) : 0
  }

  private static func style(_ decibels: Double) -> StyledText.Style {
    decibels < -18 ? .green : decibels < -6 ? .yellow : .red
  }
}
