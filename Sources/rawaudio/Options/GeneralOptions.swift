/// The options that every command has.
enum GeneralOptions {
  static let quiet = Flag(
    "quiet", short: "q", group: .general, help: "Print errors only: no notes, no progress.")
  static let verbose = Flag(
    "verbose", short: "v", group: .general, help: "Also print what was negotiated and chosen.")
  static let help = Flag("help", short: "h", group: .general, help: "Show help information.")

  static let parameters: [any Declared] = [quiet, verbose, help]
}

/// How much a command tells on standard error besides errors.
enum Verbosity: Sendable {
  case quiet
  case normal
  case verbose

  /// Of `-q` and `-v`, the last one counts.
  init(_ arguments: ParsedArguments) {
    switch arguments.last(of: GeneralOptions.quiet, GeneralOptions.verbose) {
    case GeneralOptions.quiet.declaration.name: self = .quiet
    case GeneralOptions.verbose.declaration.name: self = .verbose
    default: self = .normal
    }
  }
}
