// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The outcome of a process that has ended.
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
  /// How many bytes each read of standard output took.
  var readLengths: [Int] = []
  var standardError: String

  /// Standard output as text.
  var outputText: String { String(decoding: standardOutput, as: UTF8.self) }

  /// Whether this is all that the program says of a mistake in its command line.
  ///
  /// - Parameters:
  ///   - command: "convert"; nil for the program itself.
  ///   - usage: how the command is written.
  func isUsageError(_ message: String, of command: String?, usage: String) -> Bool {
    let page = command.map { "rawaudio \($0) --help" } ?? "rawaudio --help"
    return ending == .exit(64) && standardOutput.isEmpty
      && standardError == """
        Error: \(message)
        Usage: \(usage)
          See '\(page)' for more information.

        """
  }
}

/// What a process reads.
enum StandardInput {
  case nothing
  case bytes([UInt8])
  case file(URL)
}

/// Runs `rawaudio` with `arguments` until it ends.
///
/// - Parameter environment: variables to add to an environment that does not depend on the terminal of the
///   tests.
func runCommand(
  _ arguments: String..., environment: [String: String] = [:], input: StandardInput = .nothing,
  in directory: URL? = nil
) throws -> ProcessRun {
  try RunningProcess(
    BuiltProducts.rawaudio, arguments, environment: environment, input: input, in: directory
  ).wait()
}

/// The same with words that are made first.
func runCommand(_ arguments: [String], in directory: URL) throws -> ProcessRun {
  try RunningProcess(BuiltProducts.rawaudio, arguments, in: directory).wait()
}

/// Runs a pipeline as typed into a shell, with `rawaudio` on the path. It fails if any part fails.
func runPipeline(
  _ line: String, environment: [String: String] = [:], input: StandardInput = .nothing,
  in directory: URL? = nil
) throws -> ProcessRun {
  try RunningProcess(
    URL(fileURLWithPath: "/bin/bash"), ["-c", "set -o pipefail; \(line)"],
    environment: environment, input: input, in: directory
  ).wait()
}
