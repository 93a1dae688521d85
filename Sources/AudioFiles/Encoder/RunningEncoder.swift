// SPDX-License-Identifier: Apache-2.0
import Glibc

/// An `ffmpeg` that reads samples from a pipe and writes a file.
final class RunningEncoder {
  let input: PipeEnd
  private let errors: ErrorLines
  private let child: ChildProcess
  /// The file's name in errors.
  private let name: String

  /// - Parameter arguments: of ffmpeg, with `pipe:0` as an input.
  /// - Throws: `notFound`, with `ffmpeg` as the subject.
  init(_ arguments: [Pathname], writing name: String) throws(AudioError) {
    self.name = name
    errors = try ErrorLines(of: FFmpeg.program)
    let pipe = try PipeEnd.pipe()
    input = pipe.writing
    child = try FFmpeg.start(
      FFmpeg.program, arguments, input: pipe.reading, output: .null(O_WRONLY), errors: errors)
  }

  /// Waits until the file is complete after the last sample.
  ///
  /// - Parameter mayReportErrors: whether ffmpeg may report faults without failing, such as those of a copied file.
  /// - Throws: `inputOutput` if ffmpeg failed or was killed; `interrupted`.
  func finish(_ wakeup: Wakeup?, mayReportErrors: Bool) throws(AudioError) {
    input.close()
    while child.wait(.milliseconds(50)) == nil {
      guard wakeup?.request != .abandon else {
        end()
        throw AudioError(.interrupted, cannot: "write to", name, because: "it was interrupted")
      }
    }
    child.release()
    // ffmpeg continues after some errors and then reports success.
    guard let ending = child.check(), ending.isSuccess, mayReportErrors || errors.first == nil
    else {
      throw failure()
    }
  }

  /// The reason for a closed pipe: ffmpeg has ended, or is about to.
  func failure() -> AudioError {
    input.close()
    let ending = child.wait(ChildProcess.patience)
    var errorLine = errors.first
    // Its last words before a kill are not the reason.
    if case .killed = ending { errorLine = nil }
    let reason = errorLine.map(Self.withoutDescriptor) ?? ending?.description ?? "it takes no more"
    return AudioError(
      .inputOutput, cannot: "write to", name, because: "ffmpeg failed: \(reason)",
      advice: "nothing was kept")
  }

  func end() {
    input.close()
    child.terminate()
  }

  /// ffmpeg knows the file only by the number of a descriptor, which this removes.
  private static func withoutDescriptor(_ errorLine: String) -> String {
    let words = errorLine.split(separator: " ")
    guard let place = words.lastIndex(where: { $0.hasPrefix("file:/proc/") }) else {
      return errorLine
    }
    return words[(place + 1)...].joined(separator: " ")
  }
}
