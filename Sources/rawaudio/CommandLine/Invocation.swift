/// What a command line asks for.
enum Invocation {
  case run(any Command, Verbosity)
  /// Text for standard output: a help page or the version.
  case show(String)

  /// - Parameter arguments: the words after the name of the program.
  static func parse(
    _ arguments: [String], in context: InvocationContext, pageWidth: Int
  ) throws(RejectedInvocation) -> Invocation {
    guard let first = arguments.first else { return .show(RootHelp.page(width: pageWidth)) }
    let rest = arguments.dropFirst()
    if first.hasPrefix("-") {
      do throws(UsageError) {
        let parsed = try ArgumentParser.parse(arguments, by: RootHelp.declarations)
        return .show(
          parsed.has(RootHelp.version) && !parsed.has(GeneralOptions.help)
            ? Version.current + "\n" : RootHelp.page(width: pageWidth))
      } catch {
        throw RejectedInvocation(error, of: nil)
      }
    }
    if first == "help" { return .show(try help(rest, pageWidth: pageWidth)) }
    let command = try command(named: first)
    if asksForHelp(rest, of: command) {
      return .show(HelpPage(of: command).text(width: pageWidth))
    }
    do throws(UsageError) {
      let parsed = try ArgumentParser.parse(rest, by: command.declarations)
      return .run(try command.init(parsed, in: context), Verbosity(parsed))
    } catch {
      throw RejectedInvocation(error, of: command)
    }
  }

  /// Whether `--help`, `-h` or a cluster of flags such as `-qh` is among the options. Help wins over
  /// whatever else the line says, mistakes included.
  private static func asksForHelp(
    _ words: ArraySlice<String>, of command: any Command.Type
  ) -> Bool {
    let flags = command.declarations.filter { $0.kind == .flag }.compactMap(\.short)
    return words.prefix { $0 != "--" }.contains { word in
      let letters = word.dropFirst()
      return word == "--help"
        || word.hasPrefix("-") && letters.contains("h") && letters.allSatisfy(flags.contains)
    }
  }

  private static func help(
    _ names: ArraySlice<String>, pageWidth: Int
  ) throws(RejectedInvocation) -> String {
    guard let name = names.first(where: { !$0.hasPrefix("-") }), name != "help" else {
      return RootHelp.page(width: pageWidth)
    }
    return HelpPage(of: try command(named: name)).text(width: pageWidth)
  }

  private static func command(named name: String) throws(RejectedInvocation) -> any Command.Type {
    if let command = RootHelp.commands.first(where: { $0.name == name }) { return command }
    let names = RootHelp.commands.map { $0.name } + ["help"]
    let hint = nearest(to: name, among: names).map { ". Did you mean '\($0)'?" } ?? ""
    throw RejectedInvocation(UsageError("Unknown subcommand '\(name)'\(hint)"), of: nil)
  }
}
