// SPDX-License-Identifier: Apache-2.0
/// Help for words that are neither a subcommand nor a topic.
extension Program {
  /// Other words for topics.
  private static let otherTopics: KeyValuePairs = [
    "effects":
      "effect filter filters speed tempo pitch reverb echo compressor compand denoise gate plugin",
    "video": "film films movie subtitles pictures", "chapters": "chapter tags metadata cover",
    "lists": "batch folder folders glob loop", "formats": "container containers extension",
    "encodings": "encoding codec codecs bits", "pieces": "parts piece", "times": "time",
  ]

  /// The page for an option, or for another program's word: its topic, or the options that do the work. Nil for any other
  /// word.
  func page(for word: String) -> HelpTopic? {
    if let topic = Self.otherTopics.first(where: {
      $0.value.split(separator: " ").contains(word[...])
    }) {
      return topics.first { $0.name == topic.key }
    }
    // `convert` has the most options.
    let commands = commands.filter { $0.name == "convert" } + commands
    let having = commands.filter { !$0.declarations.options(named: word).isEmpty }
    if let command = having.first {
      let names = self.commands.map { $0.name }.filter { name in having.contains { $0.name == name }
      }
      return page(word, "--\(word) is an option of \(names.joinedAsList).", word, of: command)
    }
    for command in commands {
      guard
        let hint = ForeignOptionHint.hint(forOption: word, among: command.declarations)
          ?? ForeignOptionHint.hint(forEffect: word, among: command.declarations)
      else { continue }
      let options = hint.split(separator: " ").filter { $0.hasPrefix("--") }.map { $0.dropFirst(2) }
      guard !options.isEmpty else { continue }
      return page(word, "\(word): \(hint).", options.joined(separator: " "), of: command)
    }
    return nil
  }

  private func page(
    _ word: String, _ abstract: String, _ options: String, of command: any Command.Type
  ) -> HelpTopic {
    HelpTopic(
      name: word, abstract: abstract, discussion: "", options: [command.name: options], examples: []
    ).listingOptions(of: commands)
  }
}
