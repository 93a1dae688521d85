// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioPictures

/// Texts take as many columns as in terminals and have no control characters.
@Suite struct CellTextTests {
  private func shown(_ text: String, _ characters: CellText.CharacterSet = .unicode) -> String {
    String(CellText(text, characters).pieces.map(\.character))
  }

  @Test(arguments: [
    ("take.wav", 8), ("−∞ dBFS", 7), ("日本", 4), ("한국", 4), ("e\u{301}", 1), ("🎵", 2), ("ｱ", 1),
    ("Ａ", 2),
    ("", 0),
  ])
  func columnsAreThoseOfTerminals(text: String, columns: Int) {
    #expect(CellText(text, .unicode).columns == columns)
    #expect(shown(text) == text)
  }

  @Test func nothingControlsTheTerminal() {
    #expect(shown("a\u{1B}[31mb\u{9B}0m\n\t") == "a\u{FFFD}[31mb\u{FFFD}0m\u{FFFD}\u{FFFD}")
    // Writing directions, joined emoji, a mark without a base, private characters.
    #expect(shown("a\u{202E}b") == "a\u{FFFD}b")
    #expect(shown("👩\u{200D}👧") == "\u{FFFD}")
    #expect(shown("\u{301}") == "\u{FFFD}")
    #expect(shown("\u{E000}") == "\u{FFFD}")
    #expect(shown("\r\n") == "\u{FFFD}")
  }

  @Test func whatASCIILacksIsSpelled() {
    #expect(shown("−∞ dBFS, é … \u{1B}", .ascii) == "-inf dBFS, ? ... ?")
  }
}
