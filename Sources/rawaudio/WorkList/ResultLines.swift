// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc

/// A line of JSON for each item, in a file or on standard output. Each is written whole, at once, so that several
/// processes may append to one file.
///
/// Main thread only.
final class ResultLines {
  private let path: String
  private let descriptor: Int32
  private let claim: FileClaim?

  /// How each of them begins.
  private static let beginning = Array(#"{"schema":"#.utf8)

  /// - Parameters:
  ///   - path: a file, which is begun or gone on with; `-` is standard output.
  ///   - sources: the arguments that are read.
  /// - Throws: `invalidParameter` where the file is an input, or holds something else than such lines.
  init(path: String, besides sources: [String] = []) throws(AudioError) {
    self.path = path
    guard path != "-" else {
      (descriptor, claim) = (-1, nil)
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

  /// Nothing is appended to a recording or a list whose name came here by mistake.
  private static func requireResults(
    in descriptor: Int32, _ path: String
  ) throws(AudioError) {
    var bytes = [UInt8](repeating: 0, count: beginning.count)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    // What a killed run left may be shorter.
    guard count > 0, !bytes[..<count].elementsEqual(beginning[..<count]) else { return }
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

  /// A run that was killed, or a full disk, may have left a part of a line.
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
  /// Where the results go; nil = nowhere.
  ///
  /// - Throws: `invalidParameter` where that is an input, or no file of results.
  func openResults() throws(AudioError) -> ResultLines? {
    guard let results else { return nil }
    if case .arguments(let sources) = origin {
      return try ResultLines(path: results, besides: sources)
    }
    return try ResultLines(path: results)
  }
}
