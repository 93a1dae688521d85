// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@Suite struct JSONReaderTests {
  private func read(_ text: String) throws -> JSONValue { try JSONValue(reading: text.utf8) }

  /// RFC 8259, 13: both examples, compared with Foundation's result.
  @Test func theExamplesOfTheStandard() throws {
    let image = """
      {
        "Image": {
            "Width":  800,
            "Height": 600,
            "Title":  "View from 15th Floor",
            "Thumbnail": {
                "Url":    "http://www.example.com/image/481989943",
                "Height": 125,
                "Width":  100
            },
            "Animated" : false,
            "IDs": [116, 943, 234, 38793]
          }
      }
      """
    let places = """
      [
        {
           "precision": "zip",
           "Latitude":  37.7668,
           "Longitude": -122.3959,
           "Address":   "",
           "City":      "SAN FRANCISCO",
           "State":     "CA",
           "Zip":       "94107",
           "Country":   "US"
        },
        { "precision": "zip", "Latitude": 37.371991, "Longitude": -122.026020 }
      ]
      """
    for text in [image, places] {
      let own = try JSONSerialization.jsonObject(with: Data(read(text).compact.utf8))
      let other = try JSONSerialization.jsonObject(with: Data(text.utf8))
      #expect((own as? NSObject)?.isEqual(other) == true)
    }
  }

  @Test(arguments: [
    (" null ", "null"), ("true", "true"), ("\tfalse\r\n", "false"), ("[]", "[]"), ("{ }", "{}"),
    ("[1 , 2,[3]]", "[1,2,[3]]"), (#"{"a":{"b":[null]},"c":""}"#, #"{"a":{"b":[null]},"c":""}"#),
    (#""\"\\\/\b\f\n\r\t""#, #""\"\\/\u0008\u000c\n\r\t""#),
    (#""\u0041\u00e9\u20AC\uD83C\udf9a""#, "\"Aé€🎚\""), (#""\u0000""#, #""\u0000""#),
    ("\"\u{7F}\u{2028}\u{1F39A}\"", "\"\\u007f\\u2028\u{1F39A}\""),
    // Canonically equivalent names are two names.
    ("{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"\u{E9}\":1,\"e\u{301}\":2}"),
    ("0", "0"), ("-1", "-1"), ("9223372036854775807", "9223372036854775807"),
    ("-9223372036854775808", "-9223372036854775808"), ("9007199254740993", "9007199254740993"),
    ("-0", "-0.0"), ("1.5e3", "1500.0"), ("1E-2", "0.01"), ("0.5", "0.5"), ("2e+0", "2.0"),
    ("1e-400", "0.0"),
  ])
  func legal(_ text: String, _ written: String) throws {
    #expect(try read(text).compact == written)
  }

  @Test(arguments: [
    "", " ", "nul", "nulll", "True", "[", "[1", "[1,", "[1,]", "[,]", "[1 2]", "]", "{", "{\"a\"",
    "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{a:1}", "{'a':1}", "{\"a\" 1}", "{1:2}",
    "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "1 2", "[] []", "\"", "\"a", "\"\\", "\"\\x\"",
    "\"\\u12\"", "\"\\u12g4\"", "\"\\uD800\"", "\"\\uD800x\"", "\"\\uD800\\u0041\"", "\"\\uDC00\"",
    "\"\\uD800\\", "\"\\uD800\\u", "\"a\nb\"", "\"\u{0}\"", "01", "-", "-a", "+1", ".5", "1.",
    "1.e1",
    "1e", "1e+", "0x10", "--1", "NaN", "Infinity", "-Infinity", "1e400", "-1e400",
    "9223372036854775808", "-9223372036854775809", "123456789012345678901234567890", "// a\n1",
    "\u{FEFF}1", "\u{A0}1", "1\u{0}",
  ])
  func illegal(_ text: String) {
    #expect(throws: AudioError.self) { try read(text) }
  }

  @Test func whatIsWrongAndWhere() {
    func error(_ text: String) -> String? {
      do { return try read(text).compact } catch { return "\(error)" }
    }
    #expect(error("[1 2]") == "cannot read JSON: there is no ',' or ']' at byte 4")
    #expect(
      error(#"{"rate":1,"rate":2}"#) == #"cannot read JSON: the name "rate" comes twice at byte 11"#
    )
    #expect(
      error("[99999999999999999999]")
        == "cannot read JSON: the integer 99999999999999999999 is out of range at byte 2")
  }

  @Test(
    arguments: [
      [0xFF], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x31, 0x80],
    ] as [[UInt8]])
  func notUTF8(_ bytes: [UInt8]) {
    #expect(throws: AudioError.self) { try JSONValue(reading: bytes) }
  }

  @Test func depthIsBounded() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }
    #expect(try read(nested(64)).compact == nested(64))
    #expect(throws: AudioError.self) { try read(nested(65)) }
    #expect(throws: AudioError.self) { try read(String(repeating: "[", count: 1_000_000)) }
    #expect(throws: AudioError.self) { try read(String(repeating: "{\"a\":", count: 200_000)) }
    // Elements side by side are not nested.
    let wide = "[" + Array(repeating: "[[]]", count: 1_000).joined(separator: ",") + "]"
    #expect(try JSONValue(reading: wide.utf8, depth: 3).compact == wide)
    #expect(throws: AudioError.self) { try JSONValue(reading: wide.utf8, depth: 2) }
  }

  /// Written JSON is read back, for random values; cut or changed anywhere it never crashes.
  @Test(arguments: 0..<50) func whatIsWrittenIsReadAgain(_ seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let value = RandomJSON.value(depth: 5, using: &random)
    for text in [value.compact, value.serialized] {
      #expect(try read(text).compact == value.compact)
      let bytes = Array(text.utf8)
      for _ in 0..<200 {
        var changed = bytes
        let place = Int.random(in: 0..<changed.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
        case 1: changed.remove(at: place)
        default: changed = Array(changed[..<place])
        }
        let own = try? JSONValue(reading: changed)
        // Foundation accepts everything accepted here, and sometimes more.
        if own != nil {
          let other = try? JSONSerialization.jsonObject(
            with: Data(changed), options: .fragmentsAllowed)
          #expect(other != nil, "\(String(decoding: changed, as: UTF8.self))")
        }
      }
    }
  }
}

private enum RandomJSON {
  static func value(depth: Int, using random: inout SeededRandom) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
    case 0: return .null
    case 1: return .boolean(.random(using: &random))
    case 2: return .integer(.random(in: .min ... .max, using: &random))
    case 3: return .integer(.random(in: -100...100, using: &random))
    case 4:
      // Small enough for every reader.
      return .number(Double.random(in: -1...1, using: &random) * 1e6 + 0.5)
    case 5: return .string(string(using: &random))
    case 6:
      return .array(
        (0..<Int.random(in: 0...5, using: &random)).map { _ in
          value(depth: depth - 1, using: &random)
        })
    default:
      return .object(
        (0..<Int.random(in: 0...5, using: &random)).map { index in
          ("\(index)" + string(using: &random), value(depth: depth - 1, using: &random))
        })
    }
  }

  private static func string(using random: inout SeededRandom) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      let bound: UInt32 = [0x80, 0x800, 0x10000, 0x110000].randomElement(using: &random) ?? 0x80
      if let scalar = Unicode.Scalar(UInt32.random(in: 0..<bound, using: &random)) {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
