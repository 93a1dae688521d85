// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The option that names a file with further options.
struct ConfigurationOptions {
  @Option(
    "config", .path(name: "file"), group: .general, givenOnce: true,
    help: """
      Take options from this file, too: a line such as 'split = hour' for each. An option of the command line counts \
      instead of the file's.
      """)
  var path: String?
}

/// A file with options of a command: `option = value`, one a line.
///
/// An option has its long name, a flag the value `yes` or `no`. A value is the rest of the line without the spaces around
/// it, and needs no quotes. Lines that begin with `#` are comments. So the declarations of the command are the whole
/// syntax.
struct ConfigurationFile {
  private static let largest = 1 << 20

  private let path: String
  private let command: any Command.Type
  private var arguments = ParsedArguments()

  private init(_ path: String, for command: any Command.Type) {
    self.path = path
    self.command = command
  }

  /// The options of a file.
  ///
  /// - Throws: the first mistake, with its line.
  static func read(
    _ path: String, for command: any Command.Type
  ) throws(UsageError) -> ParsedArguments {
    var file = ConfigurationFile(path, for: command)
    let lines = try file.bytes().split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      do throws(UsageError) {
        try file.take(Pathname(bytes: line).text)
      } catch {
        throw UsageError("\(Pathname(path)):\(index + 1): \(error.message)")
      }
    }
    return file.arguments
  }

  /// The words of a command line, and behind them those of the file that they name.
  static func completing(
    _ arguments: ParsedArguments, of command: any Command.Type
  ) throws(UsageError) -> ParsedArguments {
    let option = ConfigurationOptions().$path
    guard command.declarations.contains(where: { $0.name == option.name }),
      let path = arguments.texts(of: option).last
    else { return arguments }
    return arguments.laid(over: try read(path, for: command))
  }

  private func bytes() throws(UsageError) -> [UInt8] {
    do throws(AudioError) {
      let file = try FileDescriptor(reading: path)
      var bytes: [UInt8] = []
      while bytes.count <= Self.largest {
        let next = try file.nextBytes(1 << 16)
        if next.isEmpty { return bytes }
        bytes += next
      }
    } catch {
      throw UsageError("\(Pathname(path)) cannot be read: \(error.reasonAndAdvice)")
    }
    throw UsageError("\(Pathname(path)) is too large for a configuration")
  }

  private mutating func take(_ line: String) throws(UsageError) {
    let text = line.trimmed
    if text.isEmpty || text.hasPrefix("#") { return }
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw UsageError("A line is 'option = value', for a flag 'option = yes'")
    }
    let declaration = try declaration(parts[0].trimmed)
    let value = parts[1].trimmed
    if declaration.kind == .flag {
      guard value == "yes" || value == "no" else {
        throw UsageError("'\(declaration.name)' is yes or no, and not '\(value)'")
      }
      if value == "yes" { arguments.record(declaration, "") }
      return
    }
    if value.isEmpty { throw UsageError("'\(declaration.name)' has no value") }
    if declaration.isGivenOnce, let first = arguments.texts(of: declaration).first {
      throw UsageError(
        "'\(declaration.name)' is given twice, with '\(first)' and '\(value)'; it takes one value")
    }
    var alone = ParsedArguments()
    alone.record(declaration, value)
    try Self.check(alone, of: command)
    arguments.record(declaration, value)
  }

  private func declaration(_ name: String) throws(UsageError) -> Declaration {
    let other = [ConfigurationOptions().$path.name, "help"]
    let known = command.declarations.filter { !$0.isArgument && !other.contains($0.name) }
    if let declaration = known.first(where: { $0.name == name }) { return declaration }
    let bare = String(name.drop { $0 == "-" })
    let hint = ForeignOptionHint.suggestion(forOption: bare, among: known, dashes: "")
    throw UsageError("Unknown option '\(name)'\(hint)")
  }

  /// - Throws: if the value is none of its option.
  private static func check<Checked: Command>(
    _ arguments: ParsedArguments, of command: Checked.Type
  ) throws(UsageError) {
    _ = try OptionReader.read(arguments) { (Checked(), GeneralOptions()) }
  }
}
