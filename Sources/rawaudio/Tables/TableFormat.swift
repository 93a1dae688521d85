// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A format of tables that name pieces of recordings, recognised by its content.
protocol TableFormat: SendableMetatype {
  /// A row in this format.
  static var example: String { get }
  /// Whether the pieces are to be all of a source: a gap in front of the first is told.
  static var coversSources: Bool { get }

  /// - Parameter beginning: the first lines that are not empty.
  static func recognises(_ beginning: [String]) -> Bool

  /// Reads all rows. A wrong one becomes a fault, and the others are read on.
  ///
  /// - Throws: if no row can be read, because the head lacks a column or has one twice.
  static func read(_ text: TableText, into content: inout TableContent) throws(InvalidValue)
}

extension TableFormat {
  static var coversSources: Bool { false }
}

/// The formats, in the order in which they are tried. The last one takes every text.
enum TableFormats {
  static let all: [any TableFormat.Type] = [
    WebVTT.self, FFMetadata.self, NumberedChapters.self, PodcastChapters.self, JSONLines.self,
    RTTM.self, CueSheetText.self, SubRip.self, ChapterLines.self, AudacityLabels.self,
    KaldiSegments.self, DelimitedTable.self,
  ]
}

/// The rows of a table, and the wrong ones.
struct TableContent: Sendable {
  enum Entry: Sendable {
    case row(TableRow)
    /// - Parameters:
    ///   - line: from 1.
    ///   - text: the line.
    ///   - reason: the fault.
    case fault(line: Int, text: String, reason: String)
  }

  private(set) var entries = PackedEntries()
  /// The lines, or silent chapters, that are none of the list.
  var passed = (count: 0, noun: "line")
  private var faultCount = 0

  /// The rows of a table, and the wrong ones among them.
  private static let (most, mostFaults) = (1 << 21, 1 << 16)

  /// Why the table is too large. Nil if it is not.
  var excess: String? {
    if entries.count > Self.most { return "it has more than \(Self.most) rows" }
    return faultCount > Self.mostFaults ? "more than \(Self.mostFaults) of its rows are wrong" : nil
  }

  /// Adds the row that `make` returns, or the fault that it throws.
  mutating func add(
    line: Int, _ text: String, _ make: () throws(InvalidValue) -> TableRow
  ) {
    guard excess == nil else { return }
    do throws(InvalidValue) {
      var row = try make()
      row.line = line
      try row.check()
      entries.append(.row(row))
    } catch {
      faultCount += 1
      entries.append(.fault(line: line, text: String(text.prefix(81)), reason: error.reason))
    }
  }
}

/// A table of pieces.
struct PieceTable: Sendable {
  let name: String
  let entries: PackedEntries
  let coversSources: Bool
  /// The note about lines that were passed over. Nil without one.
  let note: String?
  private let example: String
  /// Keeps the table from being an output.
  private let claim: FileClaim?

  /// - Parameter path: a file, or `-` for standard input.
  /// - Throws: if it cannot be read, is too large, or has no row.
  init(path: String) throws(AudioError) { try self.init(TableText(path: path)) }

  init(_ text: TableText) throws(AudioError) {
    let beginning = text.beginning
    guard !beginning.isEmpty else { throw Self.failure(text.name, "it is empty") }
    let format = TableFormats.all.first { $0.recognises(beginning) } ?? DelimitedTable.self
    var content = TableContent()
    do throws(InvalidValue) {
      try format.read(text, into: &content)
    } catch {
      throw Self.failure(text.name, error.reason)
    }
    if let excess = content.excess { throw TableText.tooLarge(text.name, excess) }
    guard !content.entries.isEmpty else { throw Self.failure(text.name, "it has no row") }
    (name, entries, example) = (text.name, content.entries, format.example)
    claim = text.claim
    coversSources = format.coversSources
    let passed = content.passed.count.counted(content.passed.noun)
    note = content.passed.count > 0 ? "\(passed) of '\(name)' passed over" : nil
  }

  /// The keys of all rows, sorted.
  var keys: [String] { entries.keys.sorted() }

  /// The error for a wrong row.
  func failure(line: Int, text: String, reason: String) -> AudioError {
    AudioError(
      .malformed, cannot: "read", name,
      because: "line \(line), '\(text.count > 80 ? text.prefix(79) + "…" : text[...])': \(reason)",
      advice: "a row is, for example, '\(example)'")
  }

  private static func failure(_ name: String, _ reason: String) -> AudioError {
    AudioError(.malformed, cannot: "read the table", name, because: reason)
  }
}
