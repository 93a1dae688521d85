// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc

/// Writes a line of JSON for each item, to a file or standard output. Each line is written at once, so that several
/// processes may append to one file.
///
/// Main thread only.
final class ResultLines {
  private let path: String
  private let descriptor: Int32
  private let claim: FileClaim?

  /// The beginning of every line.
  private static let beginning = Array(#"{"schema":"#.utf8)

  /// - Parameters:
  ///   - path: a new or existing file, or `-` for standard output.
  ///   - sources: the input files given as arguments.
  /// - Throws: `invalidParameter` if the file is an input or holds other data than results.
  init(path: String, besides sources: [String] = []) throws(AudioError) {
    self.path = path
    guard path != "-" else {
      descriptor = -1
      claim = nil
      return
    }
    let descriptor = try openFile(
      path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, action: "write to")
    do throws(AudioError) {
      claim = try FileClaim(.appended, path, descriptor: descriptor)
      try Self.requireNone(of: sources, in: descriptor, path)
      try Self.requireResults(in: descriptor, path)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    try endPartialLine()
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private static func requireNone(
    of sources: [String], in descriptor: Int32, _ path: String
  ) throws(AudioError) {
    guard let file = FileIdentity(ofOpenFile: descriptor) else { return }
    for source in sources where FileIdentity(ofFileAt: source) == file {
      throw AudioError(
        .invalidParameter, cannot: "write the results to", path,
        because: source == path ? "it is a source, too" : "it is the same file as '\(source)'",
        advice: "give another file to --results")
    }
  }

  /// - Throws: if the file holds other data than results, such as a recording named by mistake.
  private static func requireResults(
    in descriptor: Int32, _ path: String
  ) throws(AudioError) {
    guard !isOwn(descriptor, beginning: beginning) else { return }
    throw AudioError(
      .invalidParameter, cannot: "write the results to", path,
      because: "it holds something else than results",
      advice: "give another file to --results")
  }

  func write(_ value: JSONValue, on console: Console) throws {
    let line = value.compact + "\n"
    guard descriptor >= 0 else { return try console.print(line) }
    try append(Array(line.utf8))
  }

  /// Ends the partial line that a killed run or a full disk may have left.
  private func endPartialLine() throws(AudioError) {
    let size = lseek(descriptor, 0, SEEK_END)
    guard size > 0 else { return }
    var last: UInt8 = 0
    if unsafe pread(descriptor, &last, 1, size - 1) == 1, last != UInt8(ascii: "\n") {
      try append([UInt8(ascii: "\n")])
    }
  }

  private func append(_ bytes: [UInt8]) throws(AudioError) {
    try writeAll(bytes, to: descriptor) { (code) throws(AudioError) in
      if code != EINTR { throw AudioError(systemCode: code, cannot: "write to", path) }
    }
  }
}

extension WorkListRequest {
  /// Opens the results. Nil = none requested.
  ///
  /// - Throws: `invalidParameter` if the file is an input or holds other data than results.
  func openResults() throws(AudioError) -> ResultLines? {
    guard let results else { return nil }
    return switch origin {
    case .arguments(let sources): try ResultLines(path: results, besides: sources)
    case .pieces(let pieces): try ResultLines(path: results, besides: pieces.sources)
    case .folders, .list: try ResultLines(path: results)
    }
  }
}
