// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import rawaudio

@Suite struct TextWrappingTests {
  @Test func breaksBetweenWords() {
    #expect(wrapped("one two three", width: 7) == "one two\nthree\n")
    #expect(wrapped("one two three", width: 9, indent: 2) == "  one two\n  three\n")
  }

  @Test func keepsLineBreaksAndLongWords() {
    #expect(wrapped("a\nb", width: 80) == "a\nb\n")
    #expect(wrapped("a abcdefgh b", width: 4) == "a\nabcdefgh\nb\n")
  }
}
