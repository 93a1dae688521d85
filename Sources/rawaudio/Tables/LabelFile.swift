// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Glibc
internal import Synchronization

/// A table of the pieces that a run found, in a format that `--segments` reads.
///
/// Each row is written as soon as its piece is complete, in one piece. Any thread.
final class LabelFile: Sendable {
  /// A piece of a source.
  struct Row: Sendable {
    /// Nil for a source without a name.
    var source: String?
    /// In seconds of the source.
    var start: Double
    var end: Double
    /// The seconds from the start that the piece before has, too.
    var overlap: Double
    /// The path of the output. Nil if there is none.
    var output: String?
    /// The time of day at the start, with its zone. Nil if unknown.
    var time: String?
    /// The number of the piece among those of its source, from 1.
    var number: Int

    /// The name of the output without folder and extension, else the number.
    var label: String {
      output.map { Pathname(bytes: Pathname($0).stem).text } ?? "\(number)"
    }
  }

  /// The formats, by the extension of a file's name.
  enum Format: String, Sendable, CaseIterable {
    case csv
    case tsv
    case jsonLines = "jsonl"
    case audacity = "txt"

    fileprivate var head: String {
      switch self {
      case .csv: Self.names.joined(separator: ",") + "\n"
      case .tsv: Self.names.joined(separator: "\t") + "\n"
      case .jsonLines, .audacity: ""
      }
    }

    /// The lines by which another file is told from a table of this format.
    fileprivate var logKind: LogKind {
      switch self {
      case .csv, .tsv: LogKind(head: Array(head.utf8), beginning: Array(head.utf8))
      case .jsonLines: LogKind(beginning: Array("{\"source\":".utf8))
      case .audacity:
        LogKind { bytes in
          let times = bytes.prefix { $0 != UInt8(ascii: "\n") }.split(
            separator: UInt8(ascii: "\t"), maxSplits: 2, omittingEmptySubsequences: false)
          return !bytes.contains(0)
            && times.prefix(2).allSatisfy { Double(String(decoding: $0, as: UTF8.self)) != nil }
        }
      }
    }

    private static let names = ["source", "start", "end", "overlap", "label", "file", "time"]

    fileprivate func line(_ row: Row) -> String {
      let times = [row.start, row.end, row.overlap].map { $0.decimal(9) }
      func cells(path: (String) -> String = { $0 }, text: (String) -> String = { $0 }) -> [String] {
        [path(row.source ?? "")] + times
          + [text(row.label), path(row.output ?? ""), row.time ?? ""]
      }
      switch self {
      case .csv:
        return cells {
          $0.looksLikeFormula ? "./\($0)" : $0
        } text: {
          $0.looksLikeFormula ? "'\($0)" : $0
        }.map(\.quotedForCSV).joined(separator: ",") + "\n"
      case .tsv: return cells().map(\.withoutBreaks).joined(separator: "\t") + "\n"
      case .audacity:
        return [times[0], times[1], row.label.withoutBreaks].joined(separator: "\t") + "\n"
      case .jsonLines:
        let members: JSONValue.Members =
          [
            ("source", row.source.map { .path($0) } ?? .null), ("start", .number(row.start)),
            ("end", .number(row.end)), ("overlap", .number(row.overlap)),
            ("label", .string(row.label)), ("file", row.output.map { .path($0) } ?? .null),
          ]
          + (row.time.map { [("time", .string($0))] } ?? [])
        return JSONValue.object(members).compact + "\n"
      }
    }
  }

  /// Where the rows go.
  private enum Output {
    /// A file of one run.
    case file(Int32, FileClaim?)
    /// A log, which a recording extends.
    case log(LogSeries)
  }

  let path: String
  private let format: Format
  private let output: Mutex<Output>
  private let hasFailed = Mutex(false)
  private let rowCount = Atomic(0)
  /// Whether this run made the file, and removes it if it gets no row.
  private let isNew: Bool

  /// - Parameters:
  ///   - existing: the handling of an existing file. To skip its pieces is to append to it.
  init(path: String, _ format: Format, _ existing: ExistingOutput) throws(AudioError) {
    self.path = path
    self.format = format
    var flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC
    if existing == .fail { flags |= O_EXCL }
    let descriptor: Int32
    do throws(AudioError) {
      descriptor = try openFile(path, flags, action: "write to")
    } catch {
      guard error.kind == .alreadyExists else { throw error }
      throw AudioError(
        .alreadyExists, cannot: "write to", path, because: "it already exists",
        advice: "use --force or --existing replace")
    }
    do throws(AudioError) {
      let claim = try FileClaim(.appended, path, descriptor: descriptor)
      if existing == .replace, ftruncate(descriptor, 0) != 0, errno != EINVAL {
        throw AudioError(systemCode: errno, cannot: "write to", path)
      }
      output = Mutex(.file(descriptor, claim))
    } catch {
      close(descriptor)
      throw error
    }
    isNew = lseek(descriptor, 0, SEEK_END) <= 0
    if isNew { try append(format.head) }
  }

  /// Extends a table of that format, or begins one; its name may be a pattern of times.
  init(log path: String, _ format: Format, in civilTime: CivilTime) throws(AudioError) {
    self.path = path
    self.format = format
    output = Mutex(.log(try LogNames(path, in: civilTime).series(format.logKind)))
    isNew = false
  }

  deinit { output.withLock { if case .file(let descriptor, _) = $0 { close(descriptor) } } }

  /// Writes a row.
  ///
  /// - Throws: the first failure only, so that a full disk is told once. A log goes on when it can.
  func write(_ row: Row) throws(AudioError) {
    do throws(AudioError) {
      try append(format.line(row))
      rowCount.wrappingAdd(1, ordering: .relaxed)
    } catch {
      let isFirst = hasFailed.withLock { hasFailed in
        defer { hasFailed = true }
        return !hasFailed
      }
      if isFirst { throw error }
    }
  }

  /// Removes the file of a run that failed before its first row.
  func removeIfEmpty() {
    output.withLock { output in
      guard case .file(let descriptor, _) = output, isNew, rowCount.load(ordering: .relaxed) == 0,
        FileIdentity(ofOpenFile: descriptor) != nil
      else { return }
      unsafe _ = unlink(Pathname(path).cString)
    }
  }

  private func append(_ text: String) throws(AudioError) {
    if text.isEmpty { return }
    let bytes = Array(text.utf8)
    try output.withLock { (output) throws(AudioError) in
      switch output {
      case .log(let log): try log.append(bytes)
      case .file(let descriptor, _):
        if hasFailed.withLock({ $0 }) { return }
        try writeAll(bytes, to: descriptor) { (code) throws(AudioError) in
          if code != EINTR { throw AudioError(systemCode: code, cannot: "write to", path) }
        }
      }
    }
  }
}

extension ValueSyntax<LabelPath> {
  static let labelPath = ValueSyntax(name: "file") { (text: String) throws(InvalidValue) in
    let ending = text.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard let format = LabelFile.Format(rawValue: ending), text.contains(".") else {
      throw InvalidValue("its name ends in .csv, .tsv, .jsonl, or .txt for labels of Audacity")
    }
    return LabelPath(path: try ValueSyntax<String>.logPath.parse(text), format: format)
  }
}

/// The file for the labels of a run.
struct LabelPath: Sendable, Hashable {
  var path: String
  var format: LabelFile.Format
}

extension String {
  /// Without line breaks and tabs.
  fileprivate var withoutBreaks: String {
    String(map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }

  /// Whether a spreadsheet would compute it. Source: OWASP, "CSV Injection".
  fileprivate var looksLikeFormula: Bool { first.map { "=+-@\t\r".contains($0) } ?? false }

  /// RFC 4180.
  fileprivate var quotedForCSV: String {
    guard contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return self }
    return "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}
