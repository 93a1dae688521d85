// SPDX-License-Identifier: Apache-2.0
/// The language of the names of outputs: fields in braces, a number, times, and plain text.
///
/// `{stem}` is a field. `%0Nd` is a number in at least N digits: `%03d` gives 000, 001, …. `%%` is a percent sign. Other
/// conversions are those of `strftime(3)`, such as `%F` for 2026-03-29. `{{` and `}}` are braces.
package struct NamePattern: Sendable, Hashable {
  package enum Piece: Sendable, Hashable {
    case text(String)
    case field(String)
    /// A number, in at least so many digits.
    case number(digits: Int)
    /// A conversion of `strftime`, with its percent sign.
    case time(String)
  }

  package let pieces: [Piece]

  /// Makes the pattern of pieces; texts that meet become one.
  package init(_ pieces: [Piece]) {
    var joined: [Piece] = []
    for piece in pieces {
      if case .text(let text) = piece {
        if text.isEmpty { continue }
        if case .text(let before)? = joined.last {
          joined[joined.count - 1] = .text(before + text)
          continue
        }
      }
      joined.append(piece)
    }
    self.pieces = joined
  }

  /// - Parameters:
  ///   - text: the pattern.
  ///   - shortFields: the fields that have a letter behind a percent sign, too, by that letter.
  ///   - isProse: whether it is no name: a percent sign is one, and so are braces unless it has a field or `{{`.
  /// - Throws: `invalidParameter` if a conversion is unknown or puts a slash into the name, or a brace is alone.
  package init(
    _ text: String, shortFields: [Unicode.Scalar: String] = [:], isProse: Bool = false
  ) throws(AudioError) {
    var reader = Reader(text)
    let isPlain = isProse && !reader.hasField
    while let scalar = reader.rest.popFirst() {
      switch scalar {
      case "{" where !isPlain, "}" where !isPlain: try reader.takeBrace(scalar)
      case "%" where !isProse:
        if let letter = reader.rest.first, let field = shortFields[letter] {
          reader.rest.removeFirst()
          reader.take(.field(field))
        } else {
          try reader.takeConversion()
        }
      default: reader.take(scalar)
      }
    }
    self.init(reader.pieces)
  }

  /// The names of its fields, in order.
  package var fields: [String] {
    pieces.compactMap { if case .field(let name) = $0 { name } else { nil } }
  }

  /// Whether it has a number or a time.
  package var varies: Bool { hasNumber || hasTime }

  package var hasNumber: Bool { pieces.contains { if case .number = $0 { true } else { false } } }

  package var hasTime: Bool { pieces.contains { if case .time = $0 { true } else { false } } }

  /// The number of folders in front of the first piece that varies. Those of a recording's parts must exist.
  package var fixedFolders: Int {
    guard case .text(let text)? = pieces.first else { return 0 }
    return text.utf8.count { $0 == UInt8(ascii: "/") }
  }

  /// Its texts, unescaped; a field without a value stays in its braces.
  package var plain: String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .field(let name): "{\(name)}"
      case .number, .time: ""
      }
    }.joined()
  }

  /// The pattern as text, of which ``init(_:shortFields:)`` makes it again.
  package var text: String {
    pieces.map { piece in
      switch piece {
      case .text(let text):
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
          escaped.unicodeScalars.append(scalar)
          if scalar == "{" || scalar == "}" || scalar == "%" {
            escaped.unicodeScalars.append(scalar)
          }
        }
      case .field(let name): "{\(name)}"
      case .number(let digits): "%0\(digits)d"
      case .time(let conversion): conversion
      }
    }.joined()
  }

  /// Checks that each field is one of those that there are.
  ///
  /// - Throws: `invalidParameter`, which lists them.
  package func check(
    fields known: [String], or isKnown: (String) -> Bool = { _ in false }
  ) throws(AudioError) {
    guard let name = fields.first(where: { !known.contains($0) && !isKnown($0) }) else { return }
    let all = known.map { "{\($0)}" }
    let list =
      all.count < 2
      ? all.joined() : all.dropLast().joined(separator: ", ") + " and \(all[all.count - 1])"
    throw Reader.error(
      text, "'{\(name)}' is no field\(all.isEmpty ? ", and there is none here" : "")",
      advice: all.isEmpty
        ? Reader.braces : "there \(all.count == 1 ? "is" : "are") \(list); \(Reader.braces)")
  }

  /// Returns the pattern with the fields that have a value filled in.
  package func filled(_ value: (String) -> String?) -> NamePattern {
    NamePattern(
      pieces.map { piece in
        guard case .field(let name) = piece else { return piece }
        return value(name).map { .text($0) } ?? piece
      })
  }

  /// Returns the pattern with its number and times filled in.
  ///
  /// - Parameters:
  ///   - number: from 0.
  ///   - time: in seconds since 1970 in UTC.
  ///   - civilTime: the zone of the times.
  package func filled(number: Int, time: Int, in civilTime: CivilTime) -> NamePattern {
    NamePattern(
      pieces.map { piece in
        switch piece {
        case .text, .field: piece
        case .number(let digits): .text(number.padded(to: digits))
        case .time(let conversion):
          .text(String(civilTime.text(conversion, at: time).map { $0 == "/" ? "-" : $0 }))
        }
      })
  }

  /// The name with its number and times; a field without a value stays in its braces.
  package func path(number: Int, time: Int, in civilTime: CivilTime) -> String {
    filled(number: number, time: time, in: civilTime).plain
  }
}

/// Splits the text of a pattern. Names are bytes, so it goes by scalars: a letter may have accents behind it.
private struct Reader {
  static let braces = "a brace itself is written twice"

  private let text: String
  var rest: Substring.UnicodeScalarView
  private var plain = String.UnicodeScalarView()
  private var taken: [NamePattern.Piece] = []

  init(_ text: String) {
    self.text = text
    rest = Substring(text).unicodeScalars
  }

  mutating func take(_ scalar: Unicode.Scalar) { plain.append(scalar) }

  mutating func take(_ piece: NamePattern.Piece) {
    taken += [.text(String(plain)), piece]
    plain = String.UnicodeScalarView()
  }

  var pieces: [NamePattern.Piece] { taken + [.text(String(plain))] }

  /// Whether there is `{{`, or a word in braces.
  var hasField: Bool {
    var other = rest
    while let scalar = other.popFirst() {
      guard scalar == "{", let first = other.first else { continue }
      let end = other.first { !$0.properties.isAlphabetic && !Self.others.contains($0) }
      if first == "{" || first.properties.isAlphabetic && end == "}" { return true }
    }
    return false
  }

  private static let others = Set("0123456789_- ".unicodeScalars)

  /// Takes the field behind a brace, or the brace that is written twice.
  mutating func takeBrace(_ brace: Unicode.Scalar) throws(AudioError) {
    if rest.first == brace {
      rest.removeFirst()
      return take(brace)
    }
    guard brace == "{" else {
      throw Self.error(text, "a closing brace stands alone", advice: Self.braces)
    }
    guard let end = rest.firstIndex(of: "}") else {
      throw Self.error(text, "a brace is not closed", advice: Self.braces)
    }
    take(.field(String(rest[..<end])))
    rest = rest[end...].dropFirst()
  }

  /// The conversions of glibc's `strftime`, without line breaks and tabs.
  private static let conversions = Set("aAbBcCdeFgGhHIjklmMpPrRsSTuUVwWxXyYzZ".unicodeScalars)
  private static let flags = Set("_-0^#".unicodeScalars)

  /// Takes the conversion behind a percent sign: flags, a width, `E` or `O`, and a letter.
  mutating func takeConversion() throws(AudioError) {
    if rest.first == "%" {
      rest.removeFirst()
      return take("%")
    }
    let flags = prefix { Self.flags.contains($0) }
    let width = prefix { ("0"..."9").contains($0) }
    let modifier = rest.first == "E" || rest.first == "O" ? rest.popFirst() : nil
    let letter = rest.popFirst()
    let whole =
      "%\(flags)\(width)" + [modifier, letter].compactMap { $0.map(String.init) }.joined()
    guard width.count <= 2 else {
      throw error("'\(whole)' is too wide", advice: "a width has at most two digits")
    }
    if flags == "0", let digits = Int(width), letter == "d", modifier == nil {
      return take(.number(digits: digits))
    }
    guard let letter, Self.conversions.contains(letter) else {
      throw error(
        "'\(whole)' means nothing",
        advice: "write %03d for the part's number, %F or %H%M%S for the time, %% for a percent sign"
      )
    }
    guard !CivilTime.utc.text(whole, at: 0).utf8.contains(UInt8(ascii: "/")) else {
      throw error("'\(whole)' puts a slash into the name", advice: "write %F for the date")
    }
    take(.time(whole))
  }

  private mutating func prefix(_ isTaken: (Unicode.Scalar) -> Bool) -> String {
    let taken = rest.prefix(while: isTaken)
    rest = rest[taken.endIndex...]
    return String(Substring(taken))
  }

  private func error(_ reason: String, advice: String) -> AudioError {
    Self.error(text, reason, advice: advice)
  }

  static func error(_ pattern: String, _ reason: String, advice: String) -> AudioError {
    AudioError(
      .invalidParameter, cannot: "use the file name", pattern, because: reason, advice: advice)
  }
}
