// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A subcommand. Its ``Declared`` fields, and those of its groups, are its options and arguments.
protocol Command: Sendable {
  static var name: String { get }
  /// One sentence for the list of subcommands and the top of the help page.
  static var abstract: String { get }
  /// More about the command, for the help page.
  static var discussion: String { get }
  /// Two or three command lines that work as printed.
  static var examples: [Example] { get }
  /// The names of the ten options used most, for `-h`. Empty if the page of all is short.
  static var usual: String { get }

  init()

  /// Checks that the options fit together, and derives further values.
  mutating func validate(in context: InvocationContext) throws(UsageError)

  /// Does the work.
  ///
  /// - Throws: `UsageError` if the command line turns out to be impossible; `AudioError` if the work fails.
  func run(on console: Console) throws -> ExitCode
}

extension Command {
  static var usual: String { "" }

  mutating func validate(in context: InvocationContext) throws(UsageError) {}

  static func read(
    _ arguments: ParsedArguments, in context: InvocationContext
  ) throws(UsageError) -> Self {
    var command = try OptionReader.read(arguments) { Self() }
    var context = context
    context.given = declarations.filter(arguments.has)
    try command.validate(in: context)
    return command
  }

  /// All declarations, including the general ones, in the order of the help page.
  static var declarations: [Declaration] {
    knownDeclarations.withLock { known in
      if let known = known.first(where: { $0.command == Self.self }) { return known.declarations }
      let all = OptionReader.declarations { (Self(), GeneralOptions()) }
      let declarations = OptionGroup.allCases.flatMap { group in all.filter { $0.group == group } }
      known.append((Self.self, declarations))
      return declarations
    }
  }

  /// For example `rawaudio mix [<options>] <source> ...`.
  static var usage: String {
    let arguments = declarations.filter(\.isArgument).map(\.usage)
    return (["rawaudio", name, "[<options>]"] + arguments).joined(separator: " ")
  }
}

/// The declarations of the commands requested so far. An array, because few programs request more than one command.
private let knownDeclarations = Mutex<[(command: any Command.Type, declarations: [Declaration])]>([]
)

/// A command line that shows the use of a command. Long ones continue after a backslash.
struct Example: Sendable {
  var purpose: String
  var commandLine: String

  init(_ purpose: String, _ commandLine: String) {
    self.purpose = purpose
    self.commandLine = commandLine
  }
}

/// The surroundings of a command before it runs.
struct InvocationContext: Sendable {
  var standardOutputIsTerminal: Bool
  /// The declarations of the words on the command line, in the order of the help page.
  var given: [Declaration] = []

  /// The first given option of a group.
  func given(of group: OptionGroup) -> Declaration? { given.first { $0.group == group } }
}

/// The options that every command has.
struct GeneralOptions {
  @Flag("quiet", short: "q", group: .general, help: "Print errors only: no notes, no progress.")
  private var isQuiet: Bool
  @Flag(
    "verbose", short: "v", group: .general, help: "Also print negotiated and chosen settings.")
  private var isVerbose: Bool
  @Flag(.help) private var wantsHelp: Bool

  /// The verbosity: of `-q` and `-v`, the last one counts.
  var verbosity: Verbosity {
    if $isQuiet.overrides($isVerbose) { return .quiet }
    return isVerbose ? .verbose : .normal
  }
}

extension Flag {
  static var help: Self {
    Self("help", short: "h", group: .general, help: "Show help: all of it, or with -h a screen.")
  }
}
