// SPDX-License-Identifier: Apache-2.0
/// A subcommand: its declarations, and a value that holds its validated arguments.
protocol Command: Sendable {
  static var name: String { get }
  /// One sentence for the list of subcommands and the top of the help page.
  static var abstract: String { get }
  /// More about the command, for the help page.
  static var discussion: String { get }
  static var parameters: [any Declared] { get }
  /// Two or three command lines that work as printed.
  static var examples: [Example] { get }

  init(_ arguments: ParsedArguments, in context: InvocationContext) throws(UsageError)

  /// Does the work.
  ///
  /// - Throws: `UsageError` if only now it turns out that the command line asks for something impossible;
  ///   `AudioError` if the work fails.
  func run(on console: Console) throws -> ExitCode
}

extension Command {
  /// All declarations, including those that every command has.
  static var declarations: [Declaration] {
    parameters.map(\.declaration) + GeneralOptions.parameters.map(\.declaration)
  }

  /// For example `rawaudio mix [<options>] <source> ...`.
  static var usage: String {
    let arguments = declarations.filter(\.isArgument).map(\.usage)
    return (["rawaudio", name, "[<options>]"] + arguments).joined(separator: " ")
  }
}

/// A command line that shows how to use a command. Long ones continue after a backslash.
struct Example: Sendable {
  var purpose: String
  var commandLine: String

  init(_ purpose: String, _ commandLine: String) {
    self.purpose = purpose
    self.commandLine = commandLine
  }
}

/// What a command may know about its surroundings before it runs.
struct InvocationContext: Sendable {
  var standardOutputIsTerminal: Bool
}

/// The options that every command has.
enum GeneralOptions {
  static let quiet = Flag(
    "quiet", short: "q", group: .general, help: "Print errors only: no notes, no progress.")
  static let verbose = Flag(
    "verbose", short: "v", group: .general, help: "Also print what was negotiated and chosen.")
  static let help = Flag("help", short: "h", group: .general, help: "Show help information.")

  static let parameters: [any Declared] = [quiet, verbose, help]

  /// How much to tell: of `-q` and `-v`, the last one counts.
  static func verbosity(_ arguments: ParsedArguments) -> Verbosity {
    switch arguments.last(of: quiet, verbose) {
    case quiet.declaration.name: .quiet
    case verbose.declaration.name: .verbose
    default: .normal
    }
  }
}
