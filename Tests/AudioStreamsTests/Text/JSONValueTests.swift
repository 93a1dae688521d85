// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

import AudioStreams

@Suite struct JSONValueTests {
  @Test func layout() {
    let value = JSONValue.object([
      ("name", .string("a.wav")), ("rate", .integer(44_100)), ("gain", .number(-0.5)),
      ("peak", .number(.infinity)), ("ok", .boolean(true)), ("none", .null), ("empty", .array([])),
      ("list", .array([.integer(1), .object([])])),
    ])
    #expect(
      value.serialized == """
        {
          "name": "a.wav",
          "rate": 44100,
          "gain": -0.5,
          "peak": null,
          "ok": true,
          "none": null,
          "empty": [],
          "list": [
            1,
            {}
          ]
        }

        """)
    #expect(
      value.compact
        == #"{"name":"a.wav","rate":44100,"gain":-0.5,"peak":null,"ok":true,"none":null,"empty":[],"#
        + #""list":[1,{}]}"#)
  }

  /// Foundation's reader restores every scalar below U+0800 and some above.
  @Test func stringsSurviveAnotherReader() throws {
    var scalars = (0..<0x800).compactMap(Unicode.Scalar.init)
    scalars += ["\u{2028}", "\u{FEFF}", "\u{FFFD}", "\u{1F39A}"]
    for scalar in scalars {
      let text = "a\(Character(scalar))b"
      let data = Data(JSONValue.array([.string(text)]).serialized.utf8)
      let read = try #require(try JSONSerialization.jsonObject(with: data) as? [String])
      #expect(Array(read[0].unicodeScalars) == Array(text.unicodeScalars), "U+\(scalar.value)")
    }
  }

  @Test func controlCharactersAreEscaped() {
    #expect(
      JSONValue.string("\"\\\n\r\t\u{0}\u{1B}\u{7F}\u{9B}").serialized
        == #""\"\\\n\r\t\u0000\u001b\u007f\u009b""# + "\n")
  }

  @Test func invalidUTF8BecomesReplacementCharacters() {
    #expect(
      JSONValue.string(bytes: [0x61, 0xFF, 0xC3, 0x62]).serialized == "\"a\u{FFFD}\u{FFFD}b\"\n")
  }

  @Test(arguments: [0.1, 1e-7, 1e300, -2.5, 0x1p-1074, 0])
  func numbersSurviveAnotherReader(_ number: Double) throws {
    let data = Data(JSONValue.array([.number(number)]).serialized.utf8)
    let read = try #require(try JSONSerialization.jsonObject(with: data) as? [Double])
    #expect(read == [number])
  }
}
