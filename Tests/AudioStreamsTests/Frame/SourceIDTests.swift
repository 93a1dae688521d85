// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Testing

@Suite struct SourceIDTests {
  @Test(arguments: [
    "anna", "1", "A-Z_09", "-", "Müller", "A\u{301}", "Мария_2", "小明", "ひなた", "محمد", "अनिता", "한글",
    "٣",
  ])
  func legal(name: String) throws {
    #expect(try SourceID(name).description == name)
  }

  /// Canonically equivalent spellings are one id, as hash keys as well. The first spelling is kept.
  @Test func spellingsOfOneID() throws {
    let (composed, decomposed) = ("Zo\u{EB}", "Zoe\u{308}")
    #expect(Array(composed.utf8) != Array(decomposed.utf8))
    #expect(try SourceID(composed) == SourceID(decomposed))
    #expect(try Set([SourceID(composed), SourceID(decomposed)]).count == 1)
    #expect(try Array(SourceID(decomposed).description.utf8) == Array(decomposed.utf8))
    // The Ångström sign and the letter are canonically equivalent; a Cyrillic а only looks like an a.
    #expect(SourceID("\u{212B}") == SourceID("\u{C5}"))
    #expect(SourceID("\u{430}") != SourceID("a"))
  }

  @Test func literal() throws {
    let anna: SourceID = "anna"
    let name = "anna"
    #expect(anna == (try SourceID(name)))
  }

  /// An optimised build states the fault, too.
  @Test func anIllegalLiteralEndsTheProgramWithTheReason() async {
    let id = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let _: SourceID = "Anna Smith"
    }
    let key = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let _: SourceKey = "hall/Anna Smith"
    }
    for process in [id, key] {
      let said = String(decoding: process?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains("cannot use source id 'Anna Smith': it has the character ' '"))
    }
  }

  /// An illegal name never counts as a missing name: the message names the fault and the remedy.
  @Test(arguments: [
    ("", "it is empty"), ("Anna Müller", "it has the character ' '"),
    ("😀", "it has the character '😀'"), ("½", "it has the character '½'"),
    ("\u{301}", "it has the character '\u{301}'"),
    // An invisible character would make two ids of one name.
    ("a\u{200B}", "it has the character '\u{200B}'"),
    ("a\u{200D}", "it has the character 'a\u{200D}'"),
    ("a\u{FE0F}", "it has the character 'a\u{FE0F}'"),
    ("\u{202E}a", "it has the character '\u{202E}'"),
    ("\u{3164}", "it has the character '\u{3164}'"), ("a/b", "it has the character '/'"),
    ("a\n", "it has the character '\n'"),
  ])
  func illegal(name: String, reason: String) throws {
    let error = #expect(throws: AudioError.self) { try SourceID(name) }
    #expect(error?.kind == .invalidParameter)
    #expect(error?.subject == name)
    #expect(error?.reason == reason)
    #expect(error?.advice == "ids are letters, digits, '_' and '-'")
  }
}
