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

/// The parts of a recording in the order of their times. Where clocks were put back over the time of a part, its
/// neighbours decide which of two moments is meant.
private struct PartSequence {
  /// In order, with their places among the given ones.
  private(set) var files: [(place: Int, file: RecordedFile)] = []
  private(set) var notes: [String] = []

  /// Parts this far away are no neighbours, in nanoseconds.
  private static let vicinity: Int64 = 2 * 86_400 * 1_000_000_000

  init(_ all: [RecordedFile]) {
    var open = all.indices.filter { all[$0].times.count > 1 }.sorted {
      Self.precedes(all[$0], all[$1])
    }
    files = all.indices.filter { all[$0].times.count == 1 }.map { ($0, all[$0]) }
    let ambiguous = open
    var near = files.map(\.file).filter { file in
      ambiguous.contains { abs(all[$0].time - file.time) < Self.vicinity }
    }
    for (place, time) in Self.twins(among: open, of: all) {
      open.removeAll { $0 == place }
      var file = all[place]
      file.time = time
      near.append(file)
      files.append((place, file))
    }
    while !open.isEmpty {
      let (index, time) = Self.next(among: open.map { all[$0] }, beside: near)
      let place = open.remove(at: index)
      var file = all[place]
      file.time = time
      near.append(file)
      files.append((place, file))
    }
    for place in ambiguous {
      guard let file = files.first(where: { $0.place == place })?.file,
        let other = file.times.first(where: { $0 != file.time })
      else { continue }
      let others = near.filter { $0.path != file.path }
      guard let met = Self.neighbours(of: file, at: other, others),
        met >= Self.neighbours(of: file, at: file.time, others) ?? 0
      else { continue }
      notes.append(
        "'\(file.path)' does not say whether it began at \(file.description) or at "
          + "\(file.civilTime.description(of: other)); the first is taken")
    }
    files.sort { $0.file.time < $1.file.time }
  }

  /// The moments of parts of which two show one time: the earlier one began at the first of its two moments.
  ///
  /// - Parameter open: the places of parts with two moments, in order.
  private static func twins(
    among open: [Int], of all: [RecordedFile]
  ) -> [(place: Int, time: Int64)] {
    var found: [(Int, Int64)] = []
    for (one, other) in zip(open, open.dropFirst()) {
      let isTaken = found.last?.0 == one
      let distance = all[other].stated.wall - all[one].stated.wall
      guard !isTaken, distance <= Self.mostApart, all[one].duration > Self.mostApart,
        let first = all[one].times.first, let second = all[other].times.last
      else { continue }
      found += [(one, first), (other, second)]
    }
    return found
  }

  /// A recorder names the second of two parts of one second by the next one; in nanoseconds.
  private static let mostApart: Int64 = 2_000_000_000

  /// The part to settle next, and its moment: the one that meets most neighbours, and lies over none.
  private static func next(
    among open: [RecordedFile], beside near: [RecordedFile]
  ) -> (index: Int, time: Int64) {
    var best: (index: Int, time: Int64, met: Int)?
    for (index, file) in open.enumerated() {
      for time in file.times {
        guard let met = neighbours(of: file, at: time, near) else { continue }
        if let known = best, (known.met, time) >= (met, known.time) { continue }
        best = (index, time, met)
      }
    }
    return best.map { ($0.index, $0.time) } ?? (0, open[0].time)
  }

  /// The number of parts that a part meets directly if it began at a moment. Nil if it lies over one.
  private static func neighbours(
    of file: RecordedFile, at time: Int64, _ others: [RecordedFile]
  ) -> Int? {
    var met = 0
    let end = file.end(from: time)
    for other in others {
      let (before, behind) = (file.tolerance(behind: other), other.tolerance(behind: file))
      if abs(time - other.end) <= before || abs(other.time - end) <= behind {
        met += 1
      } else if time < other.end, other.time < end {
        return nil
      }
    }
    return met
  }

  /// Whether the first is the earlier of two parts that show one time: a recorder puts a number behind the later name.
  private static func precedes(_ one: RecordedFile, _ other: RecordedFile) -> Bool {
    func rank(_ file: RecordedFile) -> (Int64, Int, String) {
      let stem = Pathname(bytes: Pathname(file.path).stem).text
      return (file.stated.wall, stem.utf8.count, stem)
    }
    return rank(one) < rank(other)
  }
}
