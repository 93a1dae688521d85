// SPDX-License-Identifier: Apache-2.0
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
