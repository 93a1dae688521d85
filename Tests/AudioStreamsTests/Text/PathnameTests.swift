// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct PathnameTests {
  /// Every name comes back byte for byte.
  @Test func anyBytesComeBack() {
    var random = SeededRandom(seed: 5)
    var names: [[UInt8]] = (0x01...0xFF).map { [$0] }
    // Pieces of UTF-8, whole and cut, and the characters that stand for bytes themselves.
    let pieces: [[UInt8]] = [
      [0x61], [0xC3, 0xA9], [0xC3], [0xA9], [0xE2, 0x82, 0xAC], [0xE2, 0x82],
      [0xF0, 0x9F, 0x8E, 0xB5],
      [0xF0, 0x9F], [0xF4, 0x8F, 0xBE, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xF4, 0x8F, 0xBD, 0xBF],
      [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE], [0x2F],
    ]
    for _ in 0..<2_000 {
      let count = Int.random(in: 1...6, using: &random)
      names.append((0..<count).flatMap { _ in pieces.randomElement(using: &random) ?? [] })
    }
    for name in names {
      let text = Pathname(bytes: name).text
      #expect(Pathname(text).bytes == name, "\(name)")
      // Splitting at slashes and joining restores the name.
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      #expect(Pathname(parts.joined(separator: "/")).bytes == name, "\(name)")
    }
  }

  /// A name in UTF-8 stays unchanged.
  @Test(arguments: ["take.wav", "Grüße/été.flac", "e\u{301}", "音", "\u{10FF7F}", ""])
  func textIsItself(_ text: String) {
    #expect(Pathname(text).bytes == Array(text.utf8))
    #expect(Pathname(bytes: Array(text.utf8)).text.utf8.elementsEqual(text.utf8))
    #expect("\(Pathname(text))" == text)
  }

  @Test func differentBytesAreDifferentNames() {
    // Equal as text: one letter in one character and in two.
    #expect(Pathname("\u{E9}") != Pathname("e\u{301}"))
    #expect(Pathname(bytes: [0xFF]) != Pathname(bytes: [0xFE]))
  }

  @Test func isShownWithItsBytes() {
    #expect("\(Pathname(bytes: [0x61, 0xFF, 0xFE, 0x2E]))" == #"a\xff\xfe."#)
    let name = Pathname(bytes: [0x61, 0x80]).text
    let error = AudioError(.notFound, cannot: "open", name, because: "it is the same as '\(name)'")
    #expect("\(error)" == #"cannot open 'a\x80': it is the same as 'a\x80'"#)
  }

  @Test func folderAndName() {
    let name = Pathname(bytes: Array("a/b".utf8) + [0xFF, 0x2F, 0xFE])
    #expect(name.directory.bytes == Array("a/b".utf8) + [0xFF, 0x2F])
    #expect(Array(name.name) == [0xFE])
    // As text, an accent after the slash belongs to the slash.
    #expect(Array(Pathname("a/\u{301}b").name) == Array("\u{301}b".utf8))
    #expect(Pathname("b").directory == Pathname("./"))
  }
}
