// SPDX-License-Identifier: Apache-2.0
/// The program: its subcommands, its topics and its help page.
struct Program: Sendable {
  /// The version in `rawaudio --version`.
  let version: String
  /// The date of that version, for man pages: `2026-11-23`.
  let date: String
  /// The subcommands in the order of the help page.
  let commands: [any Command.Type]
  let makeTopics: @Sendable () -> [HelpTopic]
  var topics: [HelpTopic] { makeTopics().map { $0.listingOptions(of: commands) } }
  let examples: [Example]

  static let name = "rawaudio"
  static let abstract = "Record, play, mix and convert raw audio."
  static let helpAbstract = "Show the help page of a subcommand or a topic."
  static let usage = "rawaudio <subcommand>"
  static let declarations = OptionReader.declarations { ProgramOptions() }

  /// The help page.
  ///
  /// - Parameter width: the columns of the terminal.
  func page(width: Int) -> String {
    HelpPage(
      overview: Self.abstract,
      usage: Self.usage,
      declarations: Self.declarations,
      subcommands: commands.map { HelpPage.Entry($0.name, $0.abstract) }
        + [HelpPage.Entry("help", Self.helpAbstract)],
      topics: topics.map { HelpPage.Entry($0.name, $0.abstract) },
      examples: examples
    ).text(width: width)
  }
}

/// The options of the program itself.
private struct ProgramOptions {
  @Flag("version", group: .general, help: "Print the version.")
  var wantsVersion: Bool
  @Option(
    "generate-completion-script", .choice(name: "shell"), group: .general,
    help: "Print the completion script of a shell: bash, zsh or fish.")
  var completionShell: Shell?
  @Flag(.help) var wantsHelp: Bool
}

/// The options for packagers, hidden from the help page.
private struct PackagingOptions {
  @Option(
    "generate-manual", .text(name: "page"), impliedValue: "",
    group: .general,
    help: "Print a man page, such as rawaudio.1; without a value, the names of all.")
  var manual: String?
}

/// The request of a command line.
enum Invocation {
  case run(any Command, Verbosity)
  /// Print this text on standard output: a help page or the version.
  case show(String)
}

extension Program {
  /// Reads the words of a command line.
  ///
  /// - Parameters:
  ///   - words: the words after the name of the program.
  ///   - pageWidth: the width of help pages, in columns.
  func parse(
    _ words: [String], in context: InvocationContext, pageWidth: Int
  ) throws(RejectedInvocation) -> Invocation {
    guard let first = words.first, words != ["-h"] else { return .show(screen(width: pageWidth)) }
    let rest = words.dropFirst()
    if first == Self.completes { return .show(completions(rest)) }
    if first.hasPrefix("-") { return .show(try answer(words, pageWidth: pageWidth)) }
    if first == "help" { return .show(try help(rest, pageWidth: pageWidth)) }
    let command = try command(named: first, followedBy: rest)
    if let asked = Self.helpFlag(in: rest, of: command) {
      let page = HelpPage(of: command)
      return .show(
        asked == "--help"
          ? page.text(width: pageWidth)
          : page.screen(of: first, topics: topics.map(\.name), width: pageWidth))
    }
    var parsed = ParsedArguments()
    do throws(UsageError) {
      parsed = try ConfigurationFile.completing(
        ArgumentParser.parse(rest, by: command.declarations), of: command)
      return .run(
        try command.read(parsed, in: context),
        try OptionReader.read(parsed) { GeneralOptions() }.verbosity)
    } catch {
      throw RejectedInvocation(
        error: error.hinting(at: parsed, of: command), command: command)
    }
  }

  /// Returns the text requested with the program's own options.
  private func answer(
    _ words: [String], pageWidth: Int
  ) throws(RejectedInvocation) -> String {
    do throws(UsageError) {
      let all = { (shown: ProgramOptions(), hidden: PackagingOptions()) }
      let parsed = try ArgumentParser.parse(words, by: OptionReader.declarations(of: all))
      let options = try OptionReader.read(parsed, all)
      if let name = options.hidden.manual { return try manual(name) }
      if let shell = options.shown.completionShell { return shell.completionScript }
      let wantsVersion = options.shown.wantsVersion && !options.shown.wantsHelp
      return wantsVersion ? version + "\n" : page(width: pageWidth)
    } catch {
      throw RejectedInvocation(error: error)
    }
  }

  /// - Parameter name: the name of a man page. Empty for the list of all.
  private func manual(_ name: String) throws(UsageError) -> String {
    let pages = manualPages
    if name.isEmpty { return pages.map { $0.fileName + "\n" }.joined() }
    guard let page = pages.first(where: { $0.fileName == name }) else {
      throw UsageError("There is no man page '\(name)'")
    }
    return page.text()
  }

  private func help(
    _ names: ArraySlice<String>, pageWidth: Int
  ) throws(RejectedInvocation) -> String {
    guard let name = names.first(where: { !$0.hasPrefix("-") }), name != "help" else {
      return page(width: pageWidth)
    }
    if let topic = topics.first(where: { $0.name == name }) { return topic.text(width: pageWidth) }
    if !commands.contains(where: { $0.name == name }), let page = page(for: name) {
      return page.text(width: pageWidth)
    }
    return HelpPage(of: try command(named: name, or: topics.map(\.name))).text(width: pageWidth)
  }

  /// - Parameters:
  ///   - others: further names for suggestions.
  ///   - rest: the words after it.
  private func command(
    named name: String, or others: [String] = [], followedBy rest: ArraySlice<String> = []
  ) throws(RejectedInvocation) -> any Command.Type {
    if let command = commands.first(where: { $0.name == name }) { return command }
    let hint = ForeignCommandHint.suggestion(
      for: name, followedBy: rest, among: commands.map { $0.name } + ["help"] + others)
    throw RejectedInvocation(error: UsageError("Unknown subcommand '\(name)'\(hint)"))
  }

  /// The first `--help`, else `-h` or a cluster of flags such as `-qh`. They show help despite other mistakes in the
  /// line.
  private static func helpFlag(
    in words: ArraySlice<String>, of command: any Command.Type
  ) -> String? {
    let flags = command.declarations.filter { $0.kind == .flag }.compactMap(\.short)
    let options = words.prefix { $0 != "--" }
    return options.first { $0 == "--help" }
      ?? options.first { word in
        let letters = word.dropFirst()
        return word.hasPrefix("-") && letters.contains("h") && letters.allSatisfy(flags.contains)
      }
  }
}

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
