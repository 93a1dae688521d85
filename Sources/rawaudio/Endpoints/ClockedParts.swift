// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

extension ClockPart {
  /// Returns the places in a file.
  ///
  /// - Throws: if the file does not say when it began, or begins behind the start.
  func points(in path: String, _ decoder: FileDecoder?) throws(AudioError) -> (
    start: SourcePoint?, end: SourcePoint?
  ) {
    let recorded = try RecordedFile(path, decoder)
    let window = try window(of: [recorded])
    guard window.lowerBound >= 0 else {
      throw recorded.failure("it begins at \(recorded.description), behind the start")
    }
    return (
      .fromStart(.samples(window.lowerBound)),
      end == nil ? nil : .fromStart(.samples(window.upperBound))
    )
  }

  /// The wanted samples, counted from the first sample of the first file.
  fileprivate func window(of files: [RecordedFile]) throws(AudioError) -> Range<Int64> {
    guard let first = files.first, let last = files.last else { return 0..<0 }
    let begin = try start.map { (start) throws(AudioError) in
      try first.sample(of: start, from: first.time)
    }
    let from = begin.map { first.time(of: $0) } ?? first.time
    let end = try self.end.map { (end) throws(AudioError) in try first.sample(of: end, from: from) }
    let usual = first.sample(at: last.time) + last.length
    let range = (begin ?? 0, end ?? max(usual, begin ?? 0))
    guard range.0 < range.1 || end == nil else {
      throw AudioError(
        .invalidParameter, cannot: "take this part of", first.path,
        because: "its end on the clock is not behind its start")
    }
    return range.0..<max(range.0, range.1)
  }
}

extension SourceEndpoint {
  /// The time of day at which a file began, in seconds since midnight, local time.
  ///
  /// - Throws: if neither the file nor its name says it.
  func timeOfDay(_ decoder: FileDecoder?) throws(AudioError) -> Double {
    guard let path = filePath else {
      throw AudioError(
        .unavailable, cannot: "find a time of day in", name,
        because: "only files say when they began")
    }
    return CivilTime.local.secondsOfDay(at: try RecordedFile(path, decoder).time)
  }
}

/// A file that says when it began.
private struct RecordedFile {
  let path: String
  /// Of the first sample, in nanoseconds since 1970.
  let time: Int64
  /// Whether the time is stated to more than a second.
  let isExact: Bool
  /// In samples per channel.
  let length: Int64
  let sampleRate: Int

  init(_ path: String, _ decoder: FileDecoder?) throws(AudioError) {
    self.path = path
    let information = try FileInformation(path: path, decoder: decoder ?? .automatic)
    let length: Int64?
    let stated: (time: Int64, isExact: Bool)?
    switch information {
    case .soundFile(let file):
      length = file.samplesPerChannel
      sampleRate = file.format.sampleRate
      stated = file.metadata.recordingTime(at: sampleRate)
    case .decodedFile(let file):
      length = file.statedSamplesPerChannel
      sampleRate = file.format.sampleRate
      stated = nil
    }
    let name = String(decoding: Pathname(path).name, as: UTF8.self)
    let named = TimeOfDay(inName: name)?.time(from: 0).map { (time: $0, isExact: false) }
    guard let (time, isExact) = stated ?? named, let length else {
      throw AudioError(
        .unavailable, cannot: "find a time of day in", path,
        because: "neither the file nor its name says when it began",
        advice: "use --start with a time from its beginning")
    }
    self.time = time
    self.isExact = isExact
    self.length = length
  }

  var description: String { CivilTime.local.description(of: time) }

  func failure(_ reason: String) -> AudioError {
    AudioError(.invalidParameter, cannot: "take this part of", path, because: reason)
  }

  /// Samples per channel from the first one of this file, to the nearest.
  func sample(at time: Int64) -> Int64 {
    let distance = Int128(time - self.time) * Int128(sampleRate) * 2 + 1_000_000_000
    let (whole, rest) = distance.quotientAndRemainder(dividingBy: 2_000_000_000)
    return Int64(clamping: rest < 0 ? whole - 1 : whole)
  }

  func time(of sample: Int64) -> Int64 {
    time + Int64(clamping: Int128(sample) * 1_000_000_000 / Int128(sampleRate))
  }

  func sample(of wanted: TimeOfDay, from earliest: Int64) throws(AudioError) -> Int64 {
    guard let time = wanted.time(from: earliest) else {
      throw failure("the time does not exist on the clock")
    }
    return sample(at: time)
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

  private(set) var pieces: [Piece] = []
  private(set) var notes: [String] = []

  /// A clock that counts seconds may be off by so much.
  private static let tolerance = (exact: 0.05, seconds: 2.0)

  /// - Parameter paths: the parts, in any order.
  init(_ paths: [String], _ wanted: ClockPart, _ decoder: FileDecoder?) throws(AudioError) {
    var files: [(place: Int, file: RecordedFile)] = []
    for (place, path) in paths.enumerated() {
      files.append((place, try RecordedFile(path, decoder)))
    }
    files.sort { $0.file.time < $1.file.time }
    guard let first = files.first?.file else { return }
    for (_, file) in files where file.sampleRate != first.sampleRate {
      throw file.failure("it has \(file.sampleRate) Hz, and '\(first.path)' \(first.sampleRate) Hz")
    }
    let window = try wanted.window(of: files.map(\.file))
    var end: Int64 = 0
    for (index, (place, file)) in files.enumerated() {
      var start = first.sample(at: file.time)
      if index > 0 {
        let last = files[index - 1].file
        let gap = Double(start - end) / Double(first.sampleRate)
        let isExact = file.isExact && last.isExact
        if abs(gap) <= (isExact ? Self.tolerance.exact : Self.tolerance.seconds) {
          start = end
        } else if gap < 0 {
          throw file.failure("it begins \((-gap).decimal(3)) s before '\(last.path)' ends")
        } else {
          addGap(end..<start, window, last, file)
        }
      }
      end = start + file.length
      let range = (start..<end).clamped(to: window)
      if !range.isEmpty {
        pieces.append(.part(source: place, range.lowerBound - start..<range.upperBound - start))
      }
    }
    if window.lowerBound < 0 {
      notes.append(
        "the recording begins at \(first.description), behind the start that was asked for")
    }
    if window.upperBound > end {
      notes.append(
        "the recording ends \((Double(window.upperBound - end) / Double(first.sampleRate)).decimal(3)) s before the part"
          + " that was asked for")
    }
    guard !pieces.isEmpty else { throw first.failure("no part lies between these times") }
  }

  private mutating func addGap(
    _ range: Range<Int64>, _ window: Range<Int64>, _ last: RecordedFile, _ next: RecordedFile
  ) {
    let range = range.clamped(to: window)
    guard !range.isEmpty else { return }
    pieces.append(.gap(Int64(range.count), sampleRate: last.sampleRate))
    notes.append(
      "between '\(last.path)' and '\(next.path)' nothing was recorded; silence of \(range.count) samples per channel"
        + " (\((Double(range.count) / Double(last.sampleRate)).decimal(3)) s) stands there")
  }
}
