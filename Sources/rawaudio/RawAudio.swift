// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioPlugins
internal import AudioCore
internal import CLinux
internal import Glibc

package enum RawAudio {
  // Scripts/package takes both for the Debian package and for the wheel.
  static let program = Program(
    version: "1.0.0",
    date: "2026-11-30",
    commands: [
      CaptureCommand.self, PlayCommand.self, MixCommand.self, ConcatCommand.self,
      ConvertCommand.self,
      SessionCommand.self, MeasureCommand.self, PlotCommand.self, DevicesCommand.self,
      InfoCommand.self, PluginsCommand.self, CheckConfigCommand.self,
    ],
    makeTopics: {
      [
        .loudness, .video, .chapters, .effects, .lists, .formats, .encodings, .observers, .pieces,
        .times,
      ]
    },
    examples: [
      Example(
        "Five seconds of two tones in one file:",
        "rawaudio mix tone:440 tone:660 --gain -6 -d 5 -o chord.wav"),
      Example("A file for a speech recogniser:", "rawaudio convert chord.wav -r 16000 -o 16k.wav"),
      Example("Every option of a subcommand:", "rawaudio help mix"),
    ])

  package static func main() {
    StandardStream.occupyClosed()
    // If a reader closes its pipe, `write` fails, and the process goes on.
    signal(SIGPIPE, SIG_IGN)
    // Likewise if a file exceeds the size limit of the process.
    signal(SIGXFSZ, SIG_IGN)
    _ = StandardStream.claims
    let words = words
    hideSecretsInProcessTitle(words)
    exit(start(words).rawValue)
  }

  /// Returns the exit code instead of ending the program, because Swift releases nothing before a call that does not
  /// return, and valgrind takes the words for lost memory.
  private static func start(_ words: [String]) -> ExitCode {
    PluginHost.serve(words)
    if words.first == CommandServer.word, words.count < 3 {
      return CommandServer(program, run: run).serve(idle: words.last.flatMap(UInt32.init) ?? 0)
    }
    return run(words).code
  }

  /// The words of the command line with all their bytes: `CommandLine.arguments` replaces those that are no UTF-8.
  ///
  /// Swift's runtime looks for them in front of the environment, and finds none if a preloaded library has moved that by
  /// `setenv`. So the system is asked first (proc(5)).
  private static var words: [String] {
    storedWords
      ?? (1..<max(1, Int(CommandLine.argc))).compactMap { index in
        unsafe CommandLine.unsafeArgv[index].map { unsafe Pathname(cString: $0).text }
      }
  }

  /// Nil if they cannot be read.
  private static var storedWords: [String]? {
    guard let file = try? FileDescriptor(reading: "/proc/self/cmdline") else { return nil }
    var bytes: [UInt8] = []
    while let more = try? file.bytes(1 << 16, at: Int64(bytes.count)), !more.isEmpty {
      bytes += more
    }
    // Each word ends with a zero.
    guard bytes.popLast() == 0 else { return nil }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropFirst()
      .map { Pathname(bytes: $0).text }
  }

  private static func run(_ arguments: [String]) -> Ending {
    let context = InvocationContext(
      standardOutputIsTerminal: StandardStream.output.isTerminal)
    var command: (any Command.Type)?
    var console = Console.standard(verbosity: .normal)
    do {
      switch try program.parse(arguments, in: context, pageWidth: helpPageWidth()) {
      case .show(let text):
        try console.print(text)
        return Ending(.success)
      case .run(let parsed, let verbosity):
        command = type(of: parsed)
        console = .standard(verbosity: verbosity)
        // Codecs print on standard error too. The command reports their errors in its own words.
        CodecChatter.silence()
        let code = try parsed.run(on: console)
        console.eraseStatus()
        return Ending(code)
      }
    } catch {
      return report(error, of: command, arguments, on: console)
    }
  }

  private static func report(
    _ error: any Error, of command: (any Command.Type)?, _ words: [String], on console: Console
  ) -> Ending {
    console.eraseStatus()
    switch error {
    case is ReaderGone:
      return Ending(.success)
    case let error as AudioError:
      let advised = error.advised(forOptions: command?.declarations ?? [], words: words)
      console.error(advised)
      return Ending(.failure, advised)
    case let error as UsageError:
      RejectedInvocation(error: error, command: command).report(on: console)
      return Ending(.usage, error)
    case let error as RejectedInvocation:
      error.report(on: console)
      return Ending(.usage, error)
    default:
      let error = AudioError(.inputOutput, cannot: "complete", "", because: "\(error)")
      console.error(error)
      return Ending(.failure, error)
    }
  }
}
