// SPDX-License-Identifier: Apache-2.0
import Glibc

extension ChildProcess {
  /// Starts a program on the PATH.
  ///
  /// - Parameters:
  ///   - input: closed afterwards; nil = it reads nothing from us.
  ///   - output: closed afterwards.
  ///   - advice: if there is no such program.
  /// - Throws: `notFound`, with `program` as the subject.
  package static func started(
    _ program: String, _ arguments: [Pathname], input: PipeEnd? = nil, output: PipeEnd,
    errors: FileDescriptor, advice: String
  ) throws(AudioError) -> ChildProcess {
    defer {
      input?.close()
      output.close()
    }
    let source = if let input { input } else { try PipeEnd.null(O_RDONLY) }
    do {
      return try ChildProcess(
        program: program, arguments, input: source, output: output, errors: errors)
    } catch {
      guard error.kind == .notFound else { throw error }
      throw AudioError(
        .notFound, cannot: "run", program, because: "it is not on the PATH",
        advice: advice)
    }
  }
}
