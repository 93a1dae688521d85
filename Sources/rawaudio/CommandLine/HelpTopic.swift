// SPDX-License-Identifier: Apache-2.0
/// A help page about something that several commands share.
struct HelpTopic: Sendable {
  /// A heading, and a list or a text below it.
  struct Section: Sendable {
    var heading: String
    var text = ""
    var entries: [HelpPage.Entry] = []
  }

  var name: String
  /// One sentence for the list of topics and the top of the page.
  var abstract: String
  var discussion: String
  /// Made when the page is shown: to list what can be written, libsndfile is asked about every pair of a container
  /// and an encoding.
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

  /// - Parameter width: columns of the terminal.
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
