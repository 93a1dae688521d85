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

  /// Terms, with their texts in a second column.
  static func list(_ entries: [Entry], _ width: Int) -> String {
    // Wide enough for most terms. A longer term has its text on the next line.
    let column = min(28, max(24, width / 3))
    return entries.reduce(into: "") { page, entry in
      let term = "  " + entry.term
      let text = wrapped(entry.text, width: width, indent: column)
      if term.count + 2 <= column {
        page += term + text.dropFirst(term.count)
      } else {
        page += term + "\n" + text
      }
    }
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
      declarations: command.declarations, examples: command.examples)
  }
}

/// Breaks `text` between words so that lines stay within `width` columns, each indented by `indent`.
///
/// Line breaks in the text are kept. A word longer than the line is not broken.
func wrapped(_ text: String, width: Int, indent: Int = 0) -> String {
  let margin = String(repeating: " ", count: indent)
  var page = ""
  for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
    var line = ""
    for word in paragraph.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        page += margin + line + "\n"
        line = ""
      }
      line += line.isEmpty ? String(word) : " " + word
    }
    page += line.isEmpty ? "\n" : margin + line + "\n"
  }
  return page
}

/// A help page about a topic of several commands.
struct HelpTopic: Sendable {
  /// A heading with a list or a text.
  struct Section: Sendable {
    var heading: String
    var text = ""
    var entries: [HelpPage.Entry] = []
  }

  var name: String
  /// One sentence for the list of topics and the top of the page.
  var abstract: String
  var discussion: String
  /// Made when the page is shown: a list of writable formats asks libsndfile about every pair of container and
  /// encoding.
  let sections: @Sendable () -> [Section]
  var examples: [Example]

  init(
    name: String, abstract: String, discussion: String,
    sections: @autoclosure @escaping @Sendable () -> [Section], examples: [Example]
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.sections = sections
    self.examples = examples
  }

  func text(width: Int) -> String {
    let parts =
      [wrapped("OVERVIEW: " + abstract, width: width), wrapped(discussion, width: width)]
      + sections().map { section in
        section.heading + ":\n"
          + (section.text.isEmpty ? "" : wrapped(section.text, width: width, indent: 2))
          + HelpPage.list(section.entries, width)
      } + [HelpPage.list(examples, width)]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
