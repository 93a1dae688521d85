// SPDX-License-Identifier: Apache-2.0
/// The start of ffmpeg's programs, which must be on the PATH.
enum FFmpeg {
  /// The program that decodes and encodes.
  static let program = "ffmpeg"
  /// The program that tells what a file holds.
  static let probe = "ffprobe"

  /// Starts one of them.
  ///
  /// - Parameters:
  ///   - program: ``program`` or ``probe``.
  ///   - input: closed afterwards; nil = it reads nothing from us.
  ///   - output: closed afterwards.
  /// - Throws: `notFound`, with `program` as the subject.
  static func start(
    _ program: String, _ arguments: [Pathname], input: PipeEnd? = nil, output: PipeEnd,
    errors: ErrorLines
  ) throws(AudioError) -> ChildProcess {
    try .started(
      program, arguments, input: input, output: output, errors: errors.descriptor,
      advice: "apt install ffmpeg")
  }
}
