internal import AudioCore
internal import Glibc

@main
enum RawAudio {
  static func main() {
    StandardStream.occupyClosed()
    // A reader that goes away is an error of `write`, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    // So is a file that grows beyond the limit of the process.
    signal(SIGXFSZ, SIG_IGN)
    exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  private static func run(_ arguments: [String]) -> ExitCode {
    let context = InvocationContext(
      standardOutputIsTerminal: StandardStream.output.isTerminal)
    var command: (any Command.Type)?
    var console = Console.standard(verbosity: .normal)
    do {
      switch try Invocation.parse(arguments, in: context, pageWidth: helpPageWidth()) {
      case .show(let text):
        try console.print(text)
        return .success
      case .run(let parsed, let verbosity):
        command = type(of: parsed)
        console = .standard(verbosity: verbosity)
        // The command speaks through the descriptors themselves, in its own words.
        CodecChatter.silence()
        let code = try parsed.run(on: console)
        console.eraseStatus()
        return code
      }
    } catch {
      return report(error, of: command, on: console)
    }
  }

  private static func report(
    _ error: any Error, of command: (any Command.Type)?, on console: Console
  ) -> ExitCode {
    console.eraseStatus()
    switch error {
    case is ReaderGone:
      return .success
    case let error as AudioError:
      console.error(error.advised(for: command))
      return .failure
    case let error as UsageError:
      console.usageError(RejectedInvocation(error, of: command))
      return .usage
    case let error as RejectedInvocation:
      console.usageError(error)
      return .usage
    default:
      console.error(
        AudioError(.inputOutput, cannot: "complete", "", because: "\(error)"))
      return .failure
    }
  }
}
