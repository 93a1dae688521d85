// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@Suite struct SourceIDTests {
  @Test(arguments: ["anna", "1", "A-Z_09", "-"])
  func legal(name: String) throws {
    #expect(try SourceID(name).description == name)
  }

  /// An illegal name is never taken for no name: the message says what is wrong and what to do.
  @Test(arguments: [
    ("", "it is empty"), ("Anna Müller", "it has the character ' '"),
    ("Müller", "it has the character 'ü'"), ("a/b", "it has the character '/'"),
    ("A\u{301}", "it has the character 'A\u{301}'"), ("a\n", "it has the character '\n'"),
  ])
  func illegal(name: String, reason: String) throws {
    let error = #expect(throws: AudioError.self) { try SourceID(name) }
    #expect(error?.kind == .invalidParameter)
    #expect(error?.subject == name)
    #expect(error?.reason == reason)
    #expect(error?.advice == "ids are letters from A to Z, digits, '_' and '-'")
  }
}
