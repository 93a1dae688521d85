// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A table whose rows become marks or chapters of the output. It is read once, for any number of outputs.
final class MarkTable: Sendable, Equatable {
  enum Kind: String, Sendable {
    case mark
    /// Chapters follow one another in the order of the table.
    case chapter
  }

  let path: String
  let kind: Kind
  private let read = ReadOnce<PieceTable>()

  init(path: String, _ kind: Kind) { (self.path, self.kind) = (path, kind) }

  /// The rate of marks for an output whose rate is not known yet: the flick, of which a sample of every usual rate has a
  /// whole number. Source: github.com/facebookarchive/Flicks.
  private static let fineRate = 705_600_000

  private func table() throws(AudioError) -> PieceTable {
    try read.content { () throws(AudioError) in try PieceTable(path: path) }
  }

  /// Tells the lines that are passed over. A table that cannot be read is told with the output.
  func tell(on console: Console) { (try? table())?.note.map(console.note) }

  /// The marks, in order.
  ///
  /// - Parameters:
  ///   - sampleRate: at which positions of the metadata count. Nil if nothing counts yet.
  ///   - duration: of the sound, in seconds. Nil if it is unknown.
  /// - Returns: the marks, and the rate at which they count.
  /// - Throws: if a row is wrong, begins behind the end of the sound, or is a chapter out of order.
  func markers(
    at sampleRate: Int?, within duration: Double?
  ) throws(AudioError) -> (markers: [Metadata.Marker], sampleRate: Int) {
    let table = try table()
    let rate = sampleRate ?? Self.fineRate
    var markers: [Metadata.Marker] = []
    for entry in table.entries {
      switch entry {
      case .fault(let line, let text, let reason):
        throw table.failure(line: line, text: text, reason: reason)
      case .row(let row):
        func failure(_ reason: String) -> AudioError {
          let cells = [row.texts["start"], row.texts["label"]].compactMap(\.self)
          return table.failure(
            line: row.line, text: cells.joined(separator: " "), reason: reason)
        }
        if sampleRate == nil, row.countsSamples {
          throw failure("its samples are of no source; give times")
        }
        var marker = Metadata.Marker(
          identifier: UInt32(markers.count + 1),
          position: try row.start.length(at: rate, as: "start"),
          label: row.texts["label"] ?? row.id ?? "")
        marker.length = try row.length(from: marker.position, at: rate)
        if let duration, Double(marker.position) > duration * Double(rate) + 1 {
          throw failure("it begins behind the end of the sound")
        }
        if kind == .chapter, let last = markers.last, marker.position <= last.position {
          throw failure("the chapter does not begin behind the one before it")
        }
        markers.append(marker)
      }
    }
    markers.sort { $0.position < $1.position }
    if kind == .chapter { Self.close(&markers, tolerance: Int64(rate / 1_000 + 1)) }
    return (markers, rate)
  }

  /// A chapter that reaches the next one needs no length.
  private static func close(_ chapters: inout [Metadata.Marker], tolerance: Int64) {
    for (index, next) in chapters.indices.dropFirst().enumerated() {
      let end = chapters[index].position + chapters[index].length
      if end >= chapters[next].position - tolerance { chapters[index].length = 0 }
    }
  }

  static func == (first: MarkTable, second: MarkTable) -> Bool {
    first.path == second.path && first.kind == second.kind
  }
}

extension TableRow {
  /// Whether a time counts in samples.
  fileprivate var countsSamples: Bool {
    let times: [TimePosition] =
      switch end {
      case .at(let end), .after(let end): [start, end]
      case .nextStart: [start]
      }
    return times.contains { if case .samples = $0 { true } else { false } }
  }

  /// The length in samples per channel; 0 if the row has no end.
  fileprivate func length(from position: Int64, at rate: Int) throws(AudioError) -> Int64 {
    switch end {
    case .at(let end): max(0, try end.length(at: rate, as: "end") - position)
    case .after(let length): try length.length(at: rate, as: "duration")
    case .nextStart: 0
    }
  }
}
