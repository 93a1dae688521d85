// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import rawaudio

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("rate", "rate", 0), ("rat", "rate", 1),
    ("raet", "rate", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
  ])
  func distances(_ left: String, _ right: String, _ distance: Int) {
    #expect(editDistance(left, right) == distance)
  }

  @Test(arguments: [
    ("mxi", "mix"), ("plya", "play"), ("cpature", "capture"), ("dev", "devices"),
    ("conv", "convert"),
    ("x", nil), ("record", nil), ("", nil), ("zzz", nil),
  ])
  func commands(_ word: String, _ expected: String?) {
    let names = ["capture", "play", "mix", "convert", "devices", "info"]
    #expect(nearest(to: word, among: names) == expected)
  }

  /// A word of similar letters is no mistyped name.
  @Test(arguments: [
    ("vad", nil), ("reverb", nil), ("pas", "pad"), ("apd", "pad"), ("revesre", "reverse"),
    ("compresion", "compression"), ("utput", "output"),
  ])
  func options(_ word: String, _ expected: String?) {
    let names = ["pad", "reverse", "compression", "output"]
    #expect(nearest(to: word, among: names) == expected)
  }

  @Test func anAmbiguousBeginningSuggestsNothing() {
    #expect(nearest(to: "inp", among: ["input-rate", "input-type"]) == nil)
  }
}
