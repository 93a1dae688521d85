// SPDX-License-Identifier: Apache-2.0
/// A help page about a topic of several commands.
struct HelpTopic: Sendable {
  /// A heading with a list or a text.
  struct Section: Sendable {
    var heading: String
    var text = ""
    var entries: [HelpPage.Entry] = []
    /// Options, each told in a line.
    var options: [Declaration] = []
  }

  var name: String
  /// One sentence for the list of topics and the top of the page.
  var abstract: String
  var discussion: String
  /// Made when the page is shown: a list of writable formats asks libsndfile about every pair of container and
  /// encoding.
  private(set) var sections: @Sendable () -> [Section]
  /// The names of options by their command, which the page lists with a line each.
  let options: KeyValuePairs<String, String>
  /// Further reading, such as `docs/loudness.md`. Empty without any.
  let documents: String
  var examples: [Example]

  init(
    name: String, abstract: String, discussion: String,
    sections: @autoclosure @escaping @Sendable () -> [Section] = [],
    options: KeyValuePairs<String, String> = [:], documents: String = "", examples: [Example]
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.sections = sections
    self.options = options
    self.documents = documents
    self.examples = examples
  }

  /// This topic with its options as sections.
  func listingOptions(of commands: [any Command.Type]) -> HelpTopic {
    var topic = self
    topic.sections = {
      let lists = options.map { name, options in
        let declarations = commands.first { $0.name == name }?.declarations ?? []
        return Section(
          heading: "OPTIONS OF \(name)", options: declarations.options(named: options))
      }
      return sections() + lists
        + (documents.isEmpty ? [] : [Section(heading: "MORE", text: documents)])
    }
    return topic
  }

  func text(width: Int) -> String {
    let parts =
      [wrapped("OVERVIEW: " + abstract, width: width), wrapped(discussion, width: width)]
      + sections().map { section in
        section.heading + ":\n"
          + (section.text.isEmpty ? "" : wrapped(section.text, width: width, indent: 2))
          + HelpPage.list(section.entries, width) + HelpPage.lines(of: section.options, width)
      } + [HelpPage.list(examples, width)]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

extension String {
  /// Its beginning that has at most `count` characters: to the end of a clause if possible, else of a word.
  func shortened(to count: Int) -> String {
    if self.count <= count { return self }
    let words = split(separator: " ")
    var (length, clause, whole, isInside) = (-1, 0, 0, false)
    for (index, word) in words.enumerated() {
      if word.hasPrefix("("), !words[index...].isItemOfList { clause = index }
      length += word.count + 1
      guard length <= count else { break }
      if length + 4 <= count { whole = index + 1 }
      isInside = (isInside || word.hasPrefix("(")) && !word.contains(")")
      if !isInside, word.last.map({ ".;:".contains($0) }) == true { clause = index + 1 }
    }
    var text = words[..<(clause > 0 ? clause : whole)].joined(separator: " ")
    if text.last.map({ ".;:,".contains($0) }) == true { text.removeLast() }
    return text + (clause > 0 ? "." : " ...")
  }
}

extension ArraySlice<Substring> {
  /// Whether a list goes on behind the parenthesis at its beginning.
  fileprivate var isItemOfList: Bool { first { $0.contains(")") }?.hasSuffix("),") == true }
}
