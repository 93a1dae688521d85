// SPDX-License-Identifier: Apache-2.0
/// A man page, made from the declarations of the help pages.
struct ManualPage: Sendable {
  /// The name without its section: `rawaudio-convert`.
  var name: String
  /// 1 for commands, 7 for topics.
  var section: Int
  /// The text in the language man(7), made on demand.
  var text: @Sendable () -> String

  var fileName: String { "\(name).\(section)" }
}

extension Program {
  /// The pages of the program, its subcommands and its topics.
  var manualPages: [ManualPage] {
    [ManualPage(name: Self.name, section: 1) { ownPage }]
      + commands.map { command in
        ManualPage(name: Self.pageName(command.name), section: 1) { page(of: command) }
      }
      + topics.map { topic in
        ManualPage(name: Self.pageName(topic.name), section: 7) { page(of: topic) }
      }
  }

  private static func pageName(_ name: String) -> String { "\(Self.name)-\(name)" }

  /// Returns a page.
  ///
  /// - Parameter content: adds the sections between the name and the examples.
  private func page(
    _ name: String, _ section: Int, _ abstract: String, _ examples: [Example],
    _ content: (inout RoffText) -> Void
  ) -> String {
    var page = RoffText(
      name: name, section: section, date: date, source: "\(Self.name) \(version)")
    page.heading("NAME")
    let sentence = abstract.last == "." ? String(abstract.dropLast()) : abstract
    page.paragraph(ofMarkup: "\(RoffText.escaped(name)) \\- \(RoffText.escaped(sentence))")
    content(&page)
    page.examples(examples)
    page.heading("SEE ALSO")
    let others = manualPages.filter { $0.name != name }
    page.paragraph(
      ofMarkup: others.map { "\(RoffText.bold($0.name))(\($0.section))" }.joined(separator: ",\n"))
    return page.text
  }

  private var ownPage: String {
    page(Self.name, 1, Self.abstract, examples) { page in
      page.synopsis(Self.usage)
      page.heading("DESCRIPTION")
      page.paragraphs("\(Self.abstract) Each subcommand and each topic has a page of its own.")
      page.options(Self.declarations)
      page.heading("SUBCOMMANDS")
      for command in commands {
        page.entry(markup: RoffText.bold(command.name), command.abstract)
      }
      page.entry(markup: RoffText.bold("help"), Self.helpAbstract)
      page.heading("HELP TOPICS")
      for topic in topics { page.entry(markup: RoffText.bold(topic.name), topic.abstract) }
      addIndex(to: &page)
      page.exitStatus(ExitCode.allCases)
      page.environment(EnvironmentVariable.all)
    }
  }

  /// All options by their first letters, with the subcommands that have them.
  private func addIndex(to page: inout RoffText) {
    var owners: [String: (option: Declaration, commands: [String])] = [:]
    for command in commands {
      for option in command.declarations where !option.isArgument {
        owners[option.name, default: (option, [])].commands.append(command.name)
      }
    }
    page.heading("OPTIONS BY LETTER")
    let letters = Dictionary(grouping: owners.values) { $0.option.name.prefix(1).uppercased() }
    for (letter, members) in letters.sorted(by: { $0.key < $1.key }) {
      page.heading(letter, "SS")
      let lines = members.sorted { $0.option.name < $1.option.name }.map { member in
        let isEverywhere = member.commands.count == commands.count
        let owners = isEverywhere ? "every subcommand" : member.commands.joined(separator: ", ")
        return "\(member.option.names): \(RoffText.escaped(owners))"
      }
      page.paragraph(ofMarkup: lines.joined(separator: "\n.br\n"))
    }
  }

  private func page(of command: any Command.Type) -> String {
    let declarations = command.declarations
    return page(Self.pageName(command.name), 1, command.abstract, command.examples) { page in
      page.synopsis(command.usage)
      page.heading("DESCRIPTION")
      page.paragraphs(command.abstract)
      page.paragraphs(command.discussion)
      let arguments = declarations.filter(\.isArgument)
      if !arguments.isEmpty { page.heading("ARGUMENTS") }
      for argument in arguments { page.entry(argument) }
      page.options(declarations)
      page.exitStatus(ExitCode.allCases.filter { $0.applies(to: declarations) })
      page.environment(EnvironmentVariable.all.filter { $0.applies(to: declarations) })
    }
  }

  private func page(of topic: HelpTopic) -> String {
    page(Self.pageName(topic.name), 7, topic.abstract, topic.examples) { page in
      page.heading("DESCRIPTION")
      page.paragraphs(topic.discussion)
      for section in topic.sections() {
        page.heading(section.heading)
        page.paragraphs(section.text)
        for entry in section.entries {
          page.entry(markup: RoffText.bold(entry.term), entry.text)
        }
        for option in section.options { page.entry(option) }
      }
    }
  }
}

extension RoffText {
  /// - Parameter usage: the usage line. Names of values are in angle brackets.
  fileprivate mutating func synopsis(_ usage: String) {
    heading("SYNOPSIS")
    let words = usage.split(separator: " ").map { word in
      guard let start = word.firstIndex(of: "<"), let end = word.lastIndex(of: ">") else {
        return word.hasPrefix(".") ? Self.escaped(String(word)) : Self.bold(String(word))
      }
      let name = word[word.index(after: start)..<end]
      return Self.escaped(String(word[..<start])) + Self.italic(String(name))
        + Self.escaped(String(word[word.index(after: end)...]))
    }
    paragraph(ofMarkup: words.joined(separator: " "))
  }

  /// All groups, in the order of the help page.
  fileprivate mutating func options(_ declarations: [Declaration]) {
    heading("OPTIONS")
    for group in OptionGroup.allCases {
      let members = declarations.filter { !$0.isArgument && $0.group == group }
      if members.isEmpty { continue }
      if group != .main {
        heading(group.rawValue.prefix(1) + group.rawValue.dropFirst().lowercased(), "SS")
      }
      for member in members { entry(member) }
    }
  }

  fileprivate mutating func entry(_ declaration: Declaration) {
    let standard = declaration.defaultText.map { " (default: \($0))" } ?? ""
    entry(markup: declaration.markup, declaration.help + standard)
  }

  fileprivate mutating func exitStatus(_ codes: [ExitCode]) {
    heading("EXIT STATUS")
    for code in codes { entry(markup: Self.bold("\(code.rawValue)"), code.meaning) }
  }

  fileprivate mutating func environment(_ variables: [EnvironmentVariable]) {
    heading("ENVIRONMENT")
    for variable in variables { entry(markup: Self.bold(variable.name), variable.effect) }
  }

  fileprivate mutating func examples(_ examples: [Example]) {
    heading("EXAMPLES")
    for example in examples {
      paragraphs(example.purpose)
      literal(example.commandLine)
    }
  }
}

extension Declaration {
  /// Its short and long name in the markup of man pages.
  fileprivate var names: String {
    (short.map { RoffText.bold("-\($0)") + ", " } ?? "") + RoffText.bold(word)
  }

  /// ``listing`` in the markup of man pages.
  fileprivate var markup: String {
    switch kind {
    case .argument: return RoffText.italic(name)
    case .flag: return names
    case .option(let valueName, _):
      let value = RoffText.italic(valueName)
      return names + (impliedValue == nil ? " \(value)" : "[=\(value)]")
    }
  }
}
