// SPDX-License-Identifier: Apache-2.0
extension JSONValue {
  /// Reads exactly one JSON text as RFC 8259 defines it.
  ///
  /// Strict: the text is UTF-8 without a byte order mark, no object has a name twice, no value follows the first. A
  /// number without fraction and exponent is an exact ``integer(_:)``, or an error if it does not fit. Every other
  /// number, and `-0`, is the nearest ``number(_:)``. Any thread.
  ///
  /// - Parameters:
  ///   - text: the bytes of the text.
  ///   - depth: the deepest nesting of arrays and objects.
  /// - Throws: `malformed`, with the fault and its byte, counted from 1.
  public init(reading text: some Collection<UInt8>, depth: Int = 64) throws(AudioError) {
    var reader = JSONReader(bytes: Array(text), depth: depth)
    self = try reader.readText()
  }

  /// The first value of this name in an object.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  package var text: String? { if case .string(let text) = self { text } else { nil } }
  package var elements: [JSONValue]? { if case .array(let all) = self { all } else { nil } }
  package var flag: Bool? { if case .boolean(let flag) = self { flag } else { nil } }
  package var int: Int? { if case .integer(let value) = self { Int(exactly: value) } else { nil } }

  package var double: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }
}

/// A text and the reading position in it.
private struct JSONReader {
  let bytes: [UInt8]
  var next = 0
  /// How many more levels of arrays and objects may be opened.
  var depth: Int

  mutating func readText() throws(AudioError) -> JSONValue {
    guard String(validUTF8: bytes) != nil else {
      throw AudioError(.malformed, cannot: "read JSON", "", because: "it is not UTF-8")
    }
    let value = try readValue()
    skipSpace()
    guard next == bytes.count else { throw failure("something follows the value") }
    return value
  }

  private func failure(_ reason: String, at place: Int? = nil) -> AudioError {
    AudioError(
      .malformed, cannot: "read JSON", "", because: "\(reason) at byte \((place ?? next) + 1)")
  }

  private var byte: UInt8? { next < bytes.count ? bytes[next] : nil }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { next += 1 }
  }

  private mutating func take(_ wanted: Unicode.Scalar) -> Bool {
    guard let byte, UInt32(byte) == wanted.value else { return false }
    next += 1
    return true
  }

  private mutating func readValue() throws(AudioError) -> JSONValue {
    skipSpace()
    guard let byte else { throw failure("the text ends where a value should be") }
    switch Unicode.Scalar(byte) {
    case "{": return try readObject()
    case "[": return try readArray()
    case "\"": return .string(try readString())
    case "t": return try readWord("true", .boolean(true))
    case "f": return try readWord("false", .boolean(false))
    case "n": return try readWord("null", .null)
    case "-", "0"..."9": return try readNumber()
    default: throw failure("there is no value")
    }
  }

  private mutating func readWord(
    _ word: String, _ value: JSONValue
  ) throws(AudioError) -> JSONValue {
    guard bytes[next...].starts(with: word.utf8) else { throw failure("there is no value") }
    next += word.utf8.count
    return value
  }

  private mutating func enter() throws(AudioError) {
    guard depth > 0 else { throw failure("too many arrays and objects lie in one another") }
    depth -= 1
    next += 1
    skipSpace()
  }

  private mutating func readArray() throws(AudioError) -> JSONValue {
    try enter()
    defer { depth += 1 }
    var values: [JSONValue] = []
    if take("]") { return .array(values) }
    while true {
      values.append(try readValue())
      skipSpace()
      if take("]") { return .array(values) }
      guard take(",") else { throw failure("there is no ',' or ']'") }
    }
  }

  private mutating func readObject() throws(AudioError) -> JSONValue {
    try enter()
    defer { depth += 1 }
    var members: [(name: String, value: JSONValue)] = []
    // Swift's strings are equal if they are canonically equivalent; names are equal byte for byte.
    var names: Set<[UInt8]> = []
    if take("}") { return .object(members) }
    while true {
      skipSpace()
      let start = next
      guard byte == 0x22 else { throw failure("there is no name in quotes") }
      let name = try readString()
      guard names.insert(Array(name.utf8)).inserted else {
        throw failure("the name \(JSONValue.string(name).compact) comes twice", at: start)
      }
      skipSpace()
      guard take(":") else { throw failure("there is no ':'") }
      members.append((name, try readValue()))
      skipSpace()
      if take("}") { return .object(members) }
      guard take(",") else { throw failure("there is no ',' or '}'") }
    }
  }
}

// Strings.
extension JSONReader {
  private mutating func readString() throws(AudioError) -> String {
    next += 1
    var content: [UInt8] = []
    while let byte {
      switch byte {
      case 0x22:
        next += 1
        // The whole text is UTF-8, and escapes give whole scalars.
        return String(decoding: content, as: UTF8.self)
      case 0x5C: content += Array(String(Character(try readEscape())).utf8)
      case 0..<0x20: throw failure("a string has a control character that is not escaped")
      default:
        content.append(byte)
        next += 1
      }
    }
    throw failure("a string has no end")
  }

  private mutating func readEscape() throws(AudioError) -> Unicode.Scalar {
    let start = next
    next += 1
    defer { next += 1 }
    switch byte.map(Unicode.Scalar.init) {
    case "\"": return "\""
    case "\\": return "\\"
    case "/": return "/"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u": return try readUnicodeEscape(start)
    default: throw failure("a string has an unknown escape", at: start)
    }
  }

  /// Reads an escape but leaves its last digit to be skipped.
  private mutating func readUnicodeEscape(_ start: Int) throws(AudioError) -> Unicode.Scalar {
    let unit = try readUnit(start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // RFC 8259, 7: a scalar beyond the basic plane is two surrogates in a row.
    guard unit < 0xDC00, bytes[(next + 1)...].starts(with: [0x5C, 0x75]) else {
      throw failure("a string has half of a surrogate pair", at: start)
    }
    next += 2
    let low = try readUnit(start)
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { throw failure("a string has half of a surrogate pair", at: start) }
    return scalar
  }

  /// Reads a unit, from `u` to its last digit.
  private mutating func readUnit(_ start: Int) throws(AudioError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      next += 1
      guard let digit = byte.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw failure("a string has an escape without four digits", at: start)
      }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}

// Numbers.
extension JSONReader {
  private mutating func readNumber() throws(AudioError) -> JSONValue {
    let start = next
    let isNegative = take("-")
    // RFC 8259, 6: a zero must not stand in front of another digit.
    let isZero = byte == 0x30
    let count = skipDigits()
    guard count > 0 else { throw failure("a number has no digit") }
    guard count == 1 || !isZero else { throw failure("a number begins with 0", at: start) }
    var isInteger = true
    if take(".") {
      isInteger = false
      guard skipDigits() > 0 else { throw failure("a number has no digit") }
    }
    if take("e") || take("E") {
      isInteger = false
      if !take("-") { _ = take("+") }
      guard skipDigits() > 0 else { throw failure("a number has no digit") }
    }
    let text = String(decoding: bytes[start..<next], as: UTF8.self)
    if isInteger, !(isNegative && isZero) {
      guard let integer = Int64(text) else {
        throw failure("the integer \(text.prefix(40)) is out of range", at: start)
      }
      return .integer(integer)
    }
    guard let number = Double(text), number.isFinite else {
      throw failure("the number \(text.prefix(40)) is out of range", at: start)
    }
    return .number(number)
  }

  /// - Returns: how many digits it skipped.
  private mutating func skipDigits() -> Int {
    let start = next
    while let byte, (0x30...0x39).contains(byte) { next += 1 }
    return next - start
  }
}
