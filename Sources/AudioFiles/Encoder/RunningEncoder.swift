// SPDX-License-Identifier: Apache-2.0
import Glibc

/// An `ffmpeg` that reads samples from a pipe and writes a file.
final class RunningEncoder {
  /// Where the stream goes.
  let input: PipeEnd
  private let errors: ErrorLines
  private let child: ChildProcess
  /// The file's name in errors.
  private let name: String

  /// - Parameter arguments: of ffmpeg, with `pipe:0` as an input.
  /// - Throws: `notFound`, with `ffmpeg` as the subject.
  init(_ arguments: [Pathname], writing name: String) throws(AudioError) {
    self.name = name
    errors = try ErrorLines(of: Self.program)
    let pipe = try PipeEnd.pipe()
    input = pipe.writing
    child = try .started(
      Self.program, arguments, input: pipe.reading, output: .null(O_WRONLY), errors)
  }

  static let program = "ffmpeg"

  /// Everything was written: waits until the file is complete.
  ///
  /// - Parameter mayComplain: whether it may tell of faults that are no failure: of a file that it copies.
  /// - Throws: `inputOutput` where ffmpeg failed or was killed; `interrupted`.
  func finish(_ wakeup: Wakeup?, mayComplain: Bool) throws(AudioError) {
    input.close()
    while child.wait(.milliseconds(50)) == nil {
      guard wakeup?.request != .abandon else {
        end()
        throw AudioError(.interrupted, cannot: "write to", name, because: "it was interrupted")
      }
    }
    child.release()
    // It goes on after some errors, and ends as if nothing had happened.
    guard let ending = child.check(), ending.isSuccess, mayComplain || errors.first == nil else {
      throw failure()
    }
  }

  /// Why it takes no more: it has ended, or is about to.
  func failure() -> AudioError {
    input.close()
    let ending = child.wait(ChildProcess.patience)
    var complaint = errors.first
    // Its last words before a kill are not the reason.
    if case .killed = ending { complaint = nil }
    let reason = complaint.map(Self.withoutDescriptor) ?? ending?.description ?? "it takes no more"
    return AudioError(
      .inputOutput, cannot: "write to", name, because: "ffmpeg failed: \(reason)",
      advice: "nothing was kept")
  }

  /// Ends it, whatever it does.
  func end() {
    input.close()
    child.terminate()
  }

  /// It knows the file by the number of a descriptor only.
  private static func withoutDescriptor(_ complaint: String) -> String {
    let words = complaint.split(separator: " ")
    guard let place = words.lastIndex(where: { $0.hasPrefix("file:/proc/") }) else {
      return complaint
    }
    return words[(place + 1)...].joined(separator: " ")
  }
}
