// SPDX-License-Identifier: Apache-2.0
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

  /// - Parameter width: the columns of the terminal.
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
