// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// `rawaudio check-config`: whether a file of `--config` is right, and the command line that it stands for.
struct CheckConfigCommand: Command {
  /// The commands that read such files.
  enum Reader: String, Sendable, CaseIterable {
    case capture
    case session

    var command: any Command.Type {
      switch self {
      case .capture: CaptureCommand.self
      case .session: SessionCommand.self
      }
    }
  }

  @Argument(.path(name: "file"), help: "A file for --config.")
  var path = ""
  @Option("for", .choice(name: "command"), default: "capture", help: "The command that reads it.")
  var reader: Reader

  static let name = "check-config"
  static let abstract = "Check a configuration, and print the command line that it stands for."
  static let discussion = """
    The file has a line 'option = value' for each option, by its long name, and 'option = yes' for a flag. A value is the \
    rest of the line, without quotes; a line that begins with # is a comment. Nothing is opened but the file.
    """

  static let examples = [
    Example("Is it right?", "rawaudio check-config station.conf"),
    Example("A configuration of a session:", "rawaudio check-config meeting.conf --for session"),
  ]

  func run(on console: Console) throws -> ExitCode {
    let command = reader.command
    let arguments = try ConfigurationFile.read(path, for: command)
    do throws(UsageError) {
      _ = try command.read(arguments, in: InvocationContext(standardOutputIsTerminal: false))
    } catch {
      throw UsageError("\(Pathname(path)): \(error.message)")
    }
    let words = command.declarations.flatMap { declaration in
      arguments.texts(of: declaration).map { value in
        declaration.kind == .flag
          ? declaration.word : "\(declaration.word)=\(value.withoutSecrets.shellWord)"
      }
    }
    try console.print((["rawaudio", command.name] + words).joined(separator: " ") + "\n")
    return .success
  }
}
