// SPDX-License-Identifier: Apache-2.0
/// The output of one of ffmpeg's programs, which is started, read to the end and waited for.
struct CommandOutput {
  let output: [UInt8]
  /// The first line of the program's standard error that has text; nil if there is none.
  let errorLine: String?
  /// The part of the program that wrote it; nil if the line names none.
  let errorOrigin: String?
  let ending: ChildEnding

  /// More than any sensible answer in words.
  static let mostBytes = 1 << 22

  /// - Parameters:
  ///   - program: its name, looked up on the PATH.
  ///   - limit: the most bytes of its answer.
  ///   - wakeup: tells that the session is to be abandoned, which ends the program.
  /// - Throws: `notFound` if there is no such program; `interrupted`.
  init(
    of program: String, _ arguments: [Pathname], atMost limit: Int = Self.mostBytes,
    wakeup: Wakeup?
  ) throws(AudioError) {
    let errors = try ErrorLines(of: program)
    let pipe = try PipeEnd.pipe()
    let child = try FFmpeg.start(program, arguments, output: pipe.writing, errors: errors)
    let answer = try FileDescriptor(pipe.reading.number, name: program, closes: false)
    answer.wakeup = wakeup
    answer.ending = .withStream
    output = try answer.nextBytes(limit)
    // A program that writes more is cut off.
    pipe.reading.close()
    guard let ending = child.wait(ChildProcess.patience * 10) else {
      throw AudioError(
        .inputOutput, cannot: "run", program, because: "it gave its answer and did not end")
    }
    child.release()
    self.ending = ending
    errorLine = errors.first
    errorOrigin = errors.firstOrigin
  }
}
