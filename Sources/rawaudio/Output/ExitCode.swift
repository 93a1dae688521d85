/// What the command tells the shell.
enum ExitCode: Int32, Sendable {
  case success = 0
  /// Failed at run time.
  case failure = 1
  /// All done, but something happened that `--fail-on` asked to be strict about.
  case strict = 2
  /// The command line means nothing; EX_USAGE of sysexits.h.
  case usage = 64
  /// 128 + the number of the signal, as shells count it.
  case hungUp = 129
  case interrupted = 130
  case terminated = 143
}
