// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The output of a program of the system, which is started, read to the end and waited for.
package struct CommandOutput {
  package let output: [UInt8]
  /// The first line of the program's standard error that has text; nil if there is none.
  package let errorLine: String?
  /// The part of the program that wrote it; nil if the line names none.
  package let errorOrigin: String?
  package let ending: ChildEnding

  /// More than any sensible answer in words.
  package static let mostBytes = 1 << 22

  /// - Parameters:
  ///   - program: its name, looked up on the PATH.
  ///   - limit: the most bytes of its answer.
  ///   - wakeup: tells that the session is to be abandoned, which ends the program.
  /// - Throws: `notFound` if there is no such program; `interrupted`.
  package init(
    of program: String, _ arguments: [Pathname], atMost limit: Int = Self.mostBytes,
    wakeup: Wakeup?
  ) throws(AudioError) {
    let errors = try ErrorLines(of: program)
    let pipe = try PipeEnd.pipe()
    let child = try ChildProcess.started(
      program, arguments, output: pipe.writing, errors: errors.descriptor)
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
    (errorLine, errorOrigin) = (errors.first, errors.firstOrigin)
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

/// The beginning of a program's standard error, kept in memory. The rest is lost, so that the program never waits for
/// us and its complaints take a bounded amount of memory.
///
/// Session thread only.
package final class ErrorLines {
  /// The descriptor that the program inherits.
  package let descriptor: FileDescriptor

  package init(of program: String) throws(AudioError) {
    descriptor = try SpooledFile.inMemory(ofSize: Self.length, named: program)
  }

  /// The number of bytes that are kept.
  private static let length = 4_096
  /// The most characters of a line in ``first``.
  private static let mostCharacters = 160

  /// The first line with text, without ffmpeg's prefixes: `[mp3 @ 0x55d0c]`, the file's name.
  package var first: String? { lines.lazy.map(Self.withoutOrigin).first { !$0.isEmpty } }

  /// The part of ffmpeg that wrote that line: `mp3` of `[mp3 @ 0x55d0c]`; nil if the line names none.
  var firstOrigin: String? {
    guard let line = lines.first(where: { !Self.withoutOrigin($0).isEmpty }), line.hasPrefix("[")
    else { return nil }
    return line.dropFirst().split(separator: " ").first.map(String.init)
  }

  private var lines: [String] {
    guard let bytes = try? descriptor.bytes(Self.length, at: 0) else { return [] }
    return bytes.split(whereSeparator: { $0 == 0 || $0 == 0x0A || $0 == 0x0D })
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private static func withoutOrigin(_ line: String) -> String {
    var text = line[...]
    while text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      text = text[text.index(after: end)...].drop { $0 == " " }
    }
    if text.hasPrefix("file:"), let end = text.range(of: ": ") { text = text[end] }
    while text.last == "." || text.last == " " { text = text.dropLast() }
    return String(text.prefix(mostCharacters))
  }
}

extension Substring {
  /// The range behind the last occurrence of `words`.
  fileprivate func range(of words: String) -> PartialRangeFrom<Index>? {
    var place = endIndex
    while place > startIndex {
      place = index(before: place)
      if self[place...].hasPrefix(words) { return index(place, offsetBy: words.count)... }
    }
    return nil
  }
}
