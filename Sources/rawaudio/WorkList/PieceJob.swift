// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The work of one worker: a whole file, or pieces of one file, which is read once for all of them.
struct PieceJob: Sendable {
  struct Piece: Sendable {
    let file: ListedFile
    /// The path of its output. Nil if it writes none.
    let output: String?
  }

  /// Pieces that are in memory already, in a shorter form.
  struct Rows: Sendable {
    let list: PieceList
    let output: @Sendable (ListedFile) -> String?
  }

  typealias Outcome = (file: ListedFile, result: ItemResult)

  private var pieces: [Piece]
  /// Nil for pieces of a list.
  private let rows: Rows?
  /// The numbers of the pieces behind the first one, if they are ``rows``.
  private var numbers: [UInt32] = []

  /// The most pieces of a list in one job: a list has no end, and its pieces wait in memory.
  private static let mostOfList = 4_096
  /// The most lines about the source that are told once.
  private static let mostLines = 1_000

  init(_ piece: Piece, of rows: Rows? = nil) { (pieces, self.rows) = ([piece], rows) }

  /// Whether the next file is another piece of the same source.
  func takes(_ file: ListedFile) -> Bool {
    pieces[0].file.source == file.source && file.isPiece && pieces[0].file.isPiece && !file.isLive
  }

  mutating func add(_ piece: Piece) {
    if rows == nil {
      pieces.append(piece)
    } else {
      numbers.append(UInt32(piece.file.number))
    }
  }

  private var count: Int { pieces.count + numbers.count }

  private func piece(_ place: Int) -> Piece {
    guard place >= pieces.count, let rows,
      case .file(let file) = rows.list.item(numbered: Int(numbers[place - pieces.count]))
    else { return pieces[min(place, pieces.count - 1)] }
    return Piece(file: file, output: rows.output(file))
  }

  var isFull: Bool { !pieces[0].file.isPiece || pieces.count >= Self.mostOfList }

  var isLive: Bool { pieces[0].file.isLive }

  /// Works on the pieces in the order of their starts, and reports each one but the last.
  ///
  /// - Parameters:
  ///   - description: the user's description of the source.
  ///   - work: converts a piece; nil if it was abandoned.
  /// - Returns: the outcome of the last piece. Nil if it was abandoned.
  func run(
    of description: InputDescription, _ surroundings: Workers<PieceJob, Outcome?>.Surroundings,
    work: (Piece, SharedReading?) -> ItemResult?
  ) -> Outcome? {
    guard count > 1 else {
      return work(pieces[0], nil).map { (pieces[0].file, $0) }
    }
    let reading = PieceReading { [path = pieces[0].file.source] () throws(AudioError) in
      try FileSource(path: path, description, surroundings.workers)
    }
    // If it fails, each piece reports the failure.
    let sampleRate = (try? reading.open())?.format.sampleRate ?? 1
    var order: [(start: Int64, place: Int)] = []
    order.reserveCapacity(count)
    for place in 0..<count {
      order.append((piece(place).file.offset?.samples(at: sampleRate) ?? 0, place))
    }
    order.sort { ($0.start, $0.place) < ($1.start, $1.place) }
    var seen: Set<String> = []
    for (index, (start, place)) in order.enumerated() {
      guard surroundings.control.request == nil else { return nil }
      let next = index + 1 < order.count ? order[index + 1].start : nil
      let shared = SharedReading(reading: reading, start: start, next: next)
      let piece = piece(place)
      guard var result = work(piece, shared) else { return nil }
      // A note about the source comes with each of its pieces.
      result.lines.removeAll { line in
        seen.contains(line) || seen.count < Self.mostLines && !seen.insert(line).inserted
      }
      if next == nil { return (piece.file, result) }
      surroundings.report((piece.file, result))
    }
    return nil
  }
}
