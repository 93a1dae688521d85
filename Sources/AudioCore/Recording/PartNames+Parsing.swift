extension PartNames {
  /// What `strftime` of glibc knows, but for what makes no name: line breaks and tabs.
  private static let conversions = Set("aAbBcCdeFgGhHIjklmMpPrRsSTuUVwWxXyYzZ")
  private static let flags = Set("_-0^#")

  static func pieces(of pattern: String) throws(AudioError) -> [Piece] {
    var pieces: [Piece] = []
    var text = ""
    var rest = Substring(pattern)
    while let character = rest.popFirst() {
      guard character == "%" else {
        text.append(character)
        continue
      }
      if rest.first == "%" {
        rest.removeFirst()
        text.append("%")
        continue
      }
      if !text.isEmpty { pieces.append(.text(text)) }
      text = ""
      pieces.append(try conversion(&rest, in: pattern))
    }
    if !text.isEmpty { pieces.append(.text(text)) }
    return pieces
  }

  /// The conversion behind a percent sign: flags, a width, `E` or `O`, and a letter.
  private static func conversion(
    _ rest: inout Substring, in pattern: String
  ) throws(AudioError) -> Piece {
    let flags = rest.prefix { Self.flags.contains($0) }
    rest.removeFirst(flags.count)
    let width = rest.prefix { $0.isASCII && $0.isNumber }
    rest.removeFirst(width.count)
    var modifier = ""
    if let first = rest.first, "EO".contains(first) {
      modifier = String(first)
      rest.removeFirst()
    }
    let letter = rest.popFirst().map(String.init) ?? ""
    let whole = "%\(flags)\(width)\(modifier)\(letter)"
    guard width.count <= 2 else {
      throw error(pattern, "'\(whole)' is too wide", advice: "a width has at most two digits")
    }
    if flags == "0", let digits = Int(width), letter == "d", modifier.isEmpty {
      return .number(digits: digits)
    }
    guard letter.count == 1, letter.allSatisfy({ conversions.contains($0) }) else {
      throw error(
        pattern, "'\(whole)' means nothing",
        advice: "write %03d for the part's number, %F or %H%M%S for the time, %% for a percent sign"
      )
    }
    guard !format(whole, 0).contains("/") else {
      throw error(pattern, "'\(whole)' puts a slash into the name", advice: "write %F for the date")
    }
    return .time(whole)
  }
}
