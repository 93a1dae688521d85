// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The answer of a program of the system: the program is started, read to the end and waited for.
package struct ProgramAnswer {
  package let output: [UInt8]
  /// The program's first complaint.
  package let complaint: String?
  /// The part of the program that complained; nil if it names none.
  package let complainant: String?
  package let ending: ChildEnding

  /// More than any sensible answer.
  private static let mostBytes = 1 << 22

  /// - Parameters:
  ///   - program: its name, looked up on the PATH.
  ///   - wakeup: tells that the session is to be abandoned, which ends the program.
  /// - Throws: `notFound` if there is no such program; `interrupted`.
  package init(
    of program: String, _ arguments: [Pathname], wakeup: Wakeup?
  ) throws(AudioError) {
    let errors = try ErrorLines(of: program)
    let pipe = try PipeEnd.pipe()
    let child = try ChildProcess.started(
      program, arguments, output: pipe.writing, errors: errors.descriptor)
    let answer = try FileDescriptor(pipe.reading.number, name: program, closes: false)
    answer.wakeup = wakeup
    answer.ending = .withStream
    output = try answer.nextBytes(Self.mostBytes)
    // A program that writes more is cut off.
    pipe.reading.close()
    guard let ending = child.wait(ChildProcess.patience * 10) else {
      throw AudioError(
        .inputOutput, cannot: "run", program, because: "it gave its answer and did not end")
    }
    child.release()
    self.ending = ending
    (complaint, complainant) = (errors.first, errors.firstOrigin)
  }
}

extension ChildProcess {
  /// Starts a program on the PATH, such as one of ffmpeg's.
  ///
  /// - Parameters:
  ///   - input: closed afterwards; nil = it reads nothing from us.
  ///   - output: closed afterwards.
  ///   - advice: if there is no such program.
  /// - Throws: `notFound`, with `program` as the subject.
  package static func started(
    _ program: String, _ arguments: [Pathname], input: PipeEnd? = nil, output: PipeEnd,
    errors: FileDescriptor, advice: String = "apt install ffmpeg"
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
