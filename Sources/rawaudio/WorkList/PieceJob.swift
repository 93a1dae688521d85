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

  typealias Outcome = (file: ListedFile, result: ItemResult)

  private var pieces: [Piece]

  /// The most pieces of a list in one job: a list has no end, and its pieces wait in memory.
  private static let mostOfList = 4_096

  init(_ piece: Piece) { pieces = [piece] }

  /// Whether the next file is another piece of the same source.
  func takes(_ file: ListedFile) -> Bool {
    pieces[0].file.source == file.source && file.isPiece && pieces[0].file.isPiece && !file.isLive
  }

  func adding(_ piece: Piece) -> PieceJob {
    var job = self
    job.pieces.append(piece)
    return job
  }

  /// - Parameter isOfTable: whether the pieces are in memory already.
  func isFull(ofTable isOfTable: Bool) -> Bool {
    !pieces[0].file.isPiece || !isOfTable && pieces.count >= Self.mostOfList
  }

  var isLive: Bool { pieces.contains { $0.file.isLive } }

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
    guard pieces.count > 1 else {
      return work(pieces[0], nil).map { (pieces[0].file, $0) }
    }
    let reading = PieceReading { [path = pieces[0].file.source] () throws(AudioError) in
      try FileSource(path: path, description, surroundings.workers)
    }
    // If it fails, each piece reports the failure.
    let sampleRate = (try? reading.open())?.format.sampleRate ?? 1
    let placed = pieces.map { ($0, $0.file.offset?.samples(at: sampleRate) ?? 0) }
      .sorted { ($0.1, $0.0.file.number) < ($1.1, $1.0.file.number) }
    var seen: Set<String> = []
    for (index, (piece, start)) in placed.enumerated() {
      guard surroundings.control.request == .none else { return nil }
      let next = index + 1 < placed.count ? placed[index + 1].1 : nil
      let shared = SharedReading(reading: reading, start: start, next: next)
      guard var result = work(piece, shared) else { return nil }
      // A note about the source comes with each of its pieces.
      result.lines.removeAll { !seen.insert($0).inserted }
      if next == nil { return (piece.file, result) }
      surroundings.report((piece.file, result))
    }
    return nil
  }
}
