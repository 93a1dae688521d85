// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import rawaudio

/// Names of texts, as other programs say them.
@Suite struct TagEditTests {
  @Test(arguments: [
    ("track=7", "TRACKNUMBER"), ("TRACKNUMBER=7", "TRACKNUMBER"), ("album_artist=A", "ALBUMARTIST"),
    ("Album Artist=A", "ALBUMARTIST"), ("disc=1", "DISCNUMBER"), ("year=1999", "DATE"),
    ("title=T", "TITLE"), ("MyOwn=x", "MYOWN"),
  ])
  func keys(_ text: String, _ key: String) throws {
    #expect(try ValueSyntax<TagEdit>.tag.parse(text).key == key)
  }
}
