// SPDX-License-Identifier: Apache-2.0
/// A help page, laid out from declarations.
struct HelpPage {
  struct Entry {
    var term: String
    var text: String

    init(_ term: String, _ text: String) {
      self.term = term
      self.text = text
    }
  }

  var overview: String
  var discussion = ""
  var usage: String
  var declarations: [Declaration]
  var subcommands: [Entry] = []
  var topics: [Entry] = []
  var examples: [Example]
  /// The options used most, for a page of one screen. Empty if the page itself is short.
  var usual: [Declaration] = []

  func text(width: Int) -> String {
    var sections = [
      wrapped("OVERVIEW: " + overview, width: width), wrapped("USAGE: " + usage, width: width),
    ]
    if !discussion.isEmpty { sections.insert(wrapped(discussion, width: width), at: 1) }
    sections.append(section("ARGUMENTS", entries(declarations.filter(\.isArgument)), width))
    for group in OptionGroup.allCases {
      let members = declarations.filter { !$0.isArgument && $0.group == group }
      sections.append(section(group.rawValue, entries(members), width))
    }
    sections.append(section("SUBCOMMANDS", subcommands, width))
    sections.append(section("HELP TOPICS", topics, width))
    sections.append(Self.list(examples, width))
    return sections.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func entries(_ declarations: [Declaration]) -> [Entry] {
    declarations.map { declaration in
      let standard = declaration.defaultText.map { " (default: \($0))" } ?? ""
      // Short and long names form two columns, as in GNU help pages.
      let indent = declaration.isArgument || declaration.short != nil ? "" : "    "
      return Entry(indent + declaration.listing, declaration.help + standard)
    }
  }

  private func section(_ heading: String, _ entries: [Entry], _ width: Int) -> String {
    entries.isEmpty ? "" : heading + ":\n" + Self.list(entries, width)
  }

  /// Terms, with their texts in a second column. The text of a longer term begins behind it, as in GNU's help pages.
  ///
  /// - Parameter column: the place of the texts. Nil = wide enough for most terms.
  static func list(_ entries: [Entry], _ width: Int, column: Int? = nil) -> String {
    let column = column ?? min(28, max(24, width / 3))
    return entries.reduce(into: "") { page, entry in
      let term = "  " + entry.term
      let begin = max(column, term.count + 2)
      // A few narrow lines behind a term are harder to read than a line more.
      let isBehind = begin + 24 <= width
      if !isBehind { page += term + "\n" }
      let text = wrapped(
        entry.text, width: width, indent: column, behind: isBehind ? begin - column : 0)
      page += isBehind ? term + text.dropFirst(term.count) : text
    }
  }

  /// A line for each option.
  static func lines(of declarations: [Declaration], _ width: Int) -> String {
    let terms = declarations.map { ($0.short == nil ? "    " : "") + $0.listing }
    let column = min(32, 4 + (terms.map(\.count).max() ?? 0))
    let entries = zip(terms, declarations).map { term, option in
      Entry(term, option.help.shortened(to: 80 - max(column, term.count + 4)))
    }
    return list(entries, width, column: column)
  }

  /// Examples, with their heading.
  static func list(_ examples: [Example], _ width: Int) -> String {
    guard !examples.isEmpty else { return "" }
    return examples.reduce(into: "EXAMPLES:\n") { page, example in
      page += wrapped(example.purpose, width: width, indent: 2)
      for line in example.commandLine.split(separator: "\n") { page += "    " + line + "\n" }
    }
  }
}

extension HelpPage {
  init(of command: any Command.Type) {
    self.init(
      overview: command.abstract, discussion: command.discussion, usage: command.usage,
      declarations: command.declarations, examples: command.examples,
      usual: command.declarations.options(named: command.usual))
  }
}

/// Breaks `text` between words so that lines stay within `width` columns, each indented by `indent`.
///
/// Line breaks in the text are kept. A word longer than the line is not broken.
///
/// - Parameter columns: the further indent of the first line.
func wrapped(_ text: String, width: Int, indent: Int = 0, behind columns: Int = 0) -> String {
  let margin = String(repeating: " ", count: indent)
  var page = String(repeating: " ", count: columns)
  var room = width - indent - columns
  for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
    var line = ""
    for word in paragraph.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > room {
        page += margin + line + "\n"
        line = ""
        room = width - indent
      }
      line += line.isEmpty ? String(word) : " " + word
    }
    page += line.isEmpty ? "\n" : margin + line + "\n"
  }
  return page
}

/// Help pages of one screen, for `-h`: 80 columns, 24 lines.
extension HelpPage {
  /// Usage, the options used most, and where the others are explained.
  ///
  /// - Parameters:
  ///   - name: the command.
  ///   - topics: the names of all help topics.
  func screen(of name: String, topics: [String], width: Int) -> String {
    if usual.isEmpty { return text(width: width) }
    let others = declarations.count { !$0.isArgument }
    return [
      wrapped("OVERVIEW: " + overview, width: width), wrapped("USAGE: " + usage, width: width),
      examples.first { !$0.commandLine.contains("\n") }.map { "EXAMPLE: \($0.commandLine)\n" }
        ?? "",
      "OPTIONS USED MOST:\n" + Self.lines(of: usual, width),
      Self.more("\(Program.name) \(name) --help", "All \(others) options.", topics, width),
    ].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  fileprivate static func more(
    _ line: String, _ text: String, _ topics: [String], _ width: Int
  ) -> String {
    "MORE:\n"
      + list(
        [
          Entry(line, text),
          Entry("\(Program.name) help TOPIC", "Topics: \(topics.joined(separator: ", "))."),
        ], width)
  }
}

extension Program {
  /// The subcommands with a line each.
  func screen(width: Int) -> String {
    let column = 4 + (commands.map { $0.name.count }.max() ?? 0)
    let entries = commands.map {
      HelpPage.Entry($0.name, $0.abstract.shortened(to: 80 - column))
    }
    return [
      wrapped("OVERVIEW: " + Self.abstract, width: width),
      wrapped("USAGE: " + Self.usage, width: width),
      "SUBCOMMANDS:\n" + HelpPage.list(entries, width, column: column),
      HelpPage.more(
        "rawaudio COMMAND -h", "The options of a subcommand used most.", topics.map(\.name), width),
    ].joined(separator: "\n")
  }
}
