import Foundation

/// What a process that has ended left behind.
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
  var standardError: String

  /// Standard output as text.
  var outputText: String { String(decoding: standardOutput, as: UTF8.self) }
}

/// What a process reads.
enum StandardInput {
  case nothing
  case bytes([UInt8])
  case file(URL)
}

/// Runs `rawaudio` with `arguments` until it ends.
///
/// - Parameter environment: added to an environment that does not depend on the terminal the tests run
///   in.
func runCommand(
  _ arguments: String..., environment: [String: String] = [:], input: StandardInput = .nothing,
  in directory: URL? = nil
) throws -> ProcessRun {
  try RunningProcess(
    BuiltProducts.rawaudio, arguments, environment: environment, input: input, in: directory
  ).wait()
}

/// Runs a pipeline as typed into a shell, `rawaudio` being on the path; fails where any part fails.
func runPipeline(
  _ line: String, environment: [String: String] = [:], input: StandardInput = .nothing,
  in directory: URL? = nil
) throws -> ProcessRun {
  try RunningProcess(
    URL(fileURLWithPath: "/bin/bash"), ["-c", "set -o pipefail; \(line)"],
    environment: environment, input: input, in: directory
  ).wait()
}
