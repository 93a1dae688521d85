// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// The outcome of a finished process.
struct ProcessRun {
  enum Ending: Equatable, CustomStringConvertible {
    case exit(Int32)
    case signal(Int32)

    var description: String {
      switch self {
      case .exit(let code): "exit code \(code)"
      case .signal(let number): "signal \(number)"
      }
    }
  }

  var ending: Ending
  var standardOutput: [UInt8]
  /// The bytes in each read of standard output.
  var readLengths: [Int] = []
  var standardError: String

  /// Standard output as text.
  var outputText: String { String(decoding: standardOutput, as: UTF8.self) }

  /// Expects an exit code and exactly these messages; none stands for an empty standard error.
  func expectExit(
    _ code: Int32, _ messages: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expect(messages, sourceLocation)
    #expect(ending == .exit(code), sourceLocation: sourceLocation)
  }

  /// Requires the exit code 0, with any messages.
  func requireSuccess(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try #require(ending == .exit(0), "\(standardError)", sourceLocation: sourceLocation)
  }

  /// Expects exactly these messages on standard error, a line each.
  func expectMessages(_ messages: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    expect(messages, sourceLocation)
  }

  private func expect(_ messages: [String], _ sourceLocation: SourceLocation) {
    let lines = messages.map { "rawaudio: \($0)\n" }
    #expect(standardError == lines.joined(), sourceLocation: sourceLocation)
  }

  /// The usage lines of the commands, behind `rawaudio`.
  static let usages = [
    "capture": "capture [<options>]", "play": "play [<options>] <source> ...",
    "mix": "mix [<options>] <source> ...", "concat": "concat [<options>] <source> ...",
    "convert": "convert [<options>] [<source> ...]",
    "session": "session [<options>]", "devices": "devices [<options>]",
    "check-config": "check-config [<options>] <file>",
    "measure": "measure [<options>] [<file> ...]",
    "info": "info [<options>] [<file> ...]", "plot": "plot [<options>] [<source> ...]",
  ]

  /// Expects the complete output for a usage error.
  ///
  /// - Parameter command: one of ``usages``; nil for the program itself.
  func expectUsageError(
    _ message: String, of command: String?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      standardError == """
        Error: \(message)
        Usage: rawaudio \(command.flatMap { Self.usages[$0] } ?? "<subcommand>")
          See 'rawaudio \(command.map { "\($0) " } ?? "")--help' for more information.

        """, sourceLocation: sourceLocation)
    #expect(standardOutput.isEmpty, sourceLocation: sourceLocation)
    #expect(ending == .exit(64), sourceLocation: sourceLocation)
  }
}

/// The standard input of a process.
enum StandardInput {
  case nothing
  case bytes([UInt8])
  case file(URL)
}

/// Runs `rawaudio` with `arguments` until it ends.
///
/// - Parameter environment: variables added to an environment that is independent of the tests' terminal.
func runCommand(
  _ arguments: String..., environment: [String: String] = [:], input: StandardInput = .nothing
) throws -> ProcessRun {
  try RunningProcess(BuiltProducts.rawaudio, arguments, environment: environment, input: input)
    .wait()
}

/// Runs a shell pipeline with `rawaudio` on the path. It fails if any part fails.
func runPipeline(
  _ line: String, environment: [String: String] = [:], input: StandardInput = .nothing,
  in directory: URL? = nil
) throws -> ProcessRun {
  try RunningProcess(
    URL(fileURLWithPath: "/bin/bash"), ["-c", "set -o pipefail; \(line)"],
    environment: environment, input: input, in: directory
  ).wait()
}

extension TemporaryDirectory {
  /// Starts `rawaudio` in the directory.
  func start(
    _ arguments: [String], environment: [String: String] = [:], input: StandardInput = .nothing,
    output: TestProcess.Output = .pipe
  ) throws -> RunningProcess {
    try RunningProcess(
      BuiltProducts.rawaudio, arguments, environment: environment, input: input, output: output,
      in: url)
  }

  /// Runs `rawaudio` in the directory until it ends.
  func run(
    _ arguments: [String], environment: [String: String] = [:], input: StandardInput = .nothing
  ) throws -> ProcessRun {
    try start(arguments, environment: environment, input: input).wait()
  }

  func run(
    _ arguments: String..., environment: [String: String] = [:], input: StandardInput = .nothing
  ) throws -> ProcessRun {
    try run(arguments, environment: environment, input: input)
  }

  /// Runs a shell pipeline in the directory, as ``runPipeline(_:environment:input:in:)`` does.
  func pipeline(
    _ line: String, environment: [String: String] = [:], input: StandardInput = .nothing
  ) throws -> ProcessRun {
    try runPipeline(line, environment: environment, input: input, in: url)
  }

  /// Runs a shell pipeline in the directory. It must succeed.
  func mustRun(
    _ line: String, environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try pipeline(line, environment: environment).requireSuccess(sourceLocation: sourceLocation)
  }
}
