// SPDX-License-Identifier: Apache-2.0
/// Text in the language of man pages, man(7), for groff and mandoc.
struct RoffText: Sendable {
  /// The text so far, in whole lines.
  private(set) var text: String
  /// Whether the last line is a heading, which begins a paragraph by itself.
  private var isBehindHeading = false

  /// Turns hyphenation off, because most long words are names.
  ///
  /// - Parameters:
  ///   - name: the name of the page, shown in capital letters.
  ///   - source: the program and its version.
  ///   - date: year, month and day, as in 2026-11-23.
  init(name: String, section: Int, date: String, source: String) {
    let volume = section == 1 ? "User Commands" : "Miscellaneous Information"
    text = """
      .TH "\(Self.escaped(name.uppercased()))" "\(section)" "\(date)" "\(source)" "\(volume)"
      .nh
      .ad l

      """
  }

  /// - Parameter request: `SH` for a section, `SS` for a part of one.
  mutating func heading(_ title: String, _ request: String = "SH") {
    text += ".\(request) \"\(Self.escaped(title))\"\n"
    isBehindHeading = true
  }

  /// Each line of `words` becomes a paragraph.
  mutating func paragraphs(_ words: String) {
    for line in words.split(separator: "\n") { paragraph(ofMarkup: Self.emphasised(String(line))) }
  }

  mutating func paragraph(ofMarkup markup: String) {
    if !isBehindHeading { text += ".PP\n" }
    text += Self.line(markup)
    isBehindHeading = false
  }

  /// Adds a term, with its text in a second column.
  ///
  /// - Parameter markup: the escaped term.
  mutating func entry(markup: String, _ words: String) {
    text += ".TP\n" + Self.line(markup)
    for (index, line) in words.split(separator: "\n").enumerated() {
      text += (index > 0 ? ".br\n" : "") + Self.line(Self.emphasised(String(line)))
    }
    isBehindHeading = false
  }

  /// Adds typed lines unchanged.
  mutating func literal(_ lines: String) {
    text += ".PP\n.RS 4\n.nf\n"
    for line in lines.split(separator: "\n") { text += Self.line(Self.escaped(String(line))) }
    text += ".fi\n.RE\n"
    isBehindHeading = false
  }

  static func bold(_ words: String) -> String { "\\fB\(escaped(words))\\fR" }
  static func italic(_ words: String) -> String { "\\fI\(escaped(words))\\fR" }

  /// `words`, escaped so that they print unchanged and can be copied from the page as typed.
  static func escaped(_ words: String) -> String {
    words.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\\": text += "\\e"
      case "-": text += "\\-"
      case "'": text += "\\(aq"
      case "`": text += "\\(ga"
      case "^": text += "\\(ha"
      case "~": text += "\\(ti"
      case "\"": text += "\\(dq"
      default:
        if scalar.isASCII {
          text.unicodeScalars.append(scalar)
        } else {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          text += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
        }
      }
    }
  }

  /// `words` with the names of options in bold.
  static func emphasised(_ words: String) -> String {
    words.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let start = word.firstIndex { $0 != "(" && $0 != "'" } ?? word.startIndex
      let end = word[start...].firstIndex { !isInName($0) } ?? word.endIndex
      let name = word[start..<end]
      guard name.count > 2, name.hasPrefix("--") else { return escaped(String(word)) }
      return escaped(String(word[..<start])) + bold(String(name)) + escaped(String(word[end...]))
    }.joined(separator: " ")
  }

  private static func isInName(_ character: Character) -> Bool {
    character == "-" || character.isASCII && (character.isLetter || character.isNumber)
  }

  /// A dot at the beginning of a line would be a request, so it is escaped.
  private static func line(_ markup: String) -> String {
    (markup.hasPrefix(".") ? "\\&" : "") + markup + "\n"
  }
}
