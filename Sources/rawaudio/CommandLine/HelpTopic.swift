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
  var sections: [Section]
  var examples: [Example]

  /// - Parameter width: columns of the terminal.
  func text(width: Int) -> String {
    let parts =
      [wrapped("OVERVIEW: " + abstract, width: width), wrapped(discussion, width: width)]
      + sections.map { section in
        section.heading + ":\n"
          + (section.text.isEmpty ? "" : wrapped(section.text, width: width, indent: 2))
          + HelpPage.list(section.entries, width)
      } + [HelpPage.list(examples, width)]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
