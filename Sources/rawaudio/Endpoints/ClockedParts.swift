// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

extension ClockPart {
  /// Returns the places in a file.
  ///
  /// - Throws: if the file does not say when it began, or begins behind the start.
  func points(in path: String, _ decoder: FileDecoder?) throws(AudioError) -> (
    start: SourcePoint?, end: SourcePoint?, startTime: Int64, notes: [String]
  ) {
    let parts = try ClockedParts([path], self, decoder, isWhole: false)
    if let file = parts.first, parts.window.lowerBound < 0 {
      throw file.failure("it begins at \(file.description), behind the start")
    }
    return (
      .fromStart(.samples(parts.window.lowerBound)),
      end == nil ? nil : .fromStart(.samples(parts.window.upperBound)),
      parts.first?.time(of: parts.window.lowerBound) ?? 0, parts.ambiguities
    )
  }
}

/// The parts of a recording on the clock, and the gaps between them.
struct ClockedParts {
  enum Piece {
    /// Samples of a source.
    case part(source: Int, Range<Int64>)
    /// Silence between two parts, in samples per channel.
    case gap(Int64, sampleRate: Int)
  }

  /// A part, and the place of its first sample, counted from that of the first part.
  private struct Placed {
    let source: Int
    let file: RecordedFile
    let start: Int64
    var end: Int64 { start + file.length }
  }

  private(set) var pieces: [Piece] = []
  private(set) var notes: [String] = []
  /// The notes about parts whose time may mean two moments.
  let ambiguities: [String]
  /// The wanted samples, counted from the first sample of the first part.
  private(set) var window: Range<Int64> = 0..<0
  /// The moment of the first wanted sample that there is, in nanoseconds since 1970.
  private(set) var startTime: Int64 = 0
  private var placed: [Placed] = []
  fileprivate var first: RecordedFile? { placed.first?.file }

  /// - Parameters:
  ///   - paths: the parts, in any order; at least one.
  ///   - isWhole: whether a start in front of the first part is told, and an end behind the last one.
  init(
    _ paths: [String], _ wanted: ClockPart, _ decoder: FileDecoder?, isWhole: Bool = true
  ) throws(AudioError) {
    let sequence = PartSequence(
      try paths.map { (path) throws(AudioError) in
        try RecordedFile(path, decoder, in: wanted.civilTime)
      })
    ambiguities = sequence.notes
    notes = sequence.notes
    for (place, file) in sequence.files { try append(file, place) }
    guard let first = placed.first?.file, let last = placed.last else { return }
    window = try window(of: wanted, first, last)
    guard isWhole else { return }
    for (index, part) in placed.enumerated() {
      if index > 0 { addGap(between: placed[index - 1], part) }
      let range = (part.start..<part.end).clamped(to: window)
      guard !range.isEmpty else { continue }
      let own = range.lowerBound - part.start..<range.upperBound - part.start
      if pieces.isEmpty {
        startTime = part.file.time(of: own.lowerBound)
      }
      pieces.append(.part(source: part.source, own))
    }
    if window.lowerBound < 0 {
      notes.append(
        "the recording begins at \(first.description), behind the start that was asked for")
    }
    if window.upperBound > last.end {
      let missing = Double(window.upperBound - last.end) / Double(first.sampleRate)
      notes.append(
        "the recording ends \(missing.decimal(3)) s before the part that was asked for")
    }
    guard !pieces.isEmpty else { throw first.failure("no part lies between these times") }
  }

  /// Places a part behind those before it.
  private mutating func append(_ file: RecordedFile, _ source: Int) throws(AudioError) {
    guard let last = placed.last else {
      placed = [Placed(source: source, file: file, start: 0)]
      return
    }
    guard file.sampleRate == last.file.sampleRate else {
      throw file.failure(
        "it has \(file.sampleRate) Hz, and '\(last.file.path)' \(last.file.sampleRate) Hz")
    }
    let gap = file.time - last.file.end
    var start = last.end
    if abs(gap) > file.tolerance(behind: last.file) {
      guard gap > 0 else {
        let seconds = Double(-gap) / 1e9
        throw file.failure("it begins \(seconds.decimal(3)) s before '\(last.file.path)' ends")
      }
      start = last.start + last.file.sample(at: file.time)
    }
    placed.append(Placed(source: source, file: file, start: start))
  }

  private func window(
    of wanted: ClockPart, _ first: RecordedFile, _ last: Placed
  ) throws(AudioError) -> Range<Int64> {
    func time(of wanted: TimeOfDay, from earliest: Int64) throws(AudioError) -> Int64 {
      guard let time = wanted.time(from: earliest, in: first.civilTime) else {
        throw first.failure(
          "clocks never show that time: they are put forward over it",
          advice: "name one before or behind, or one with a zone such as +01:00")
      }
      return time
    }
    let begin = try wanted.start.map { (start) throws(AudioError) in
      try time(of: start, from: first.time)
    }
    // The end is the first one behind the start.
    let end = try wanted.end.map { (end) throws(AudioError) in
      try time(of: end, from: (begin ?? first.time) + 1)
    }
    let from = begin.map { place(of: $0) } ?? 0
    let to = end.map { place(of: $0) } ?? max(last.end, from)
    guard from < to || end == nil else {
      throw first.failure("its end on the clock is not behind its start")
    }
    return from..<max(from, to)
  }

  /// The place of a moment: by the time of the part that it lies in, so that no drift adds up.
  private func place(of time: Int64) -> Int64 {
    let index = placed.lastIndex { $0.file.time <= time } ?? 0
    guard placed.indices.contains(index) else { return 0 }
    let place = placed[index].start + placed[index].file.sample(at: time)
    return placed.indices.contains(index + 1) ? min(place, placed[index + 1].start) : place
  }

  private mutating func addGap(between last: Placed, _ next: Placed) {
    guard last.end < next.start else { return }
    let range = (last.end..<next.start).clamped(to: window)
    guard !range.isEmpty else { return }
    let rate = last.file.sampleRate
    pieces.append(.gap(Int64(range.count), sampleRate: rate))
    notes.append(
      "between '\(last.file.path)' and '\(next.file.path)' nothing was recorded; silence of \(range.count) samples per"
        + " channel (\((Double(range.count) / Double(rate)).decimal(3)) s) stands there")
  }
}
