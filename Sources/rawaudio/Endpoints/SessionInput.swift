// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioFiles
internal import AudioCore

/// A source of a command's session, kept for the questions after the run.
struct SessionInput {
  let name: String
  /// The number of the item of which it is a part of a file. Nil for another source.
  var pieceNumber: Int?
  private(set) var source: any AudioSource
  var file: FileSource? { findFile() }
  private let findFile: () -> FileSource?
  /// Its account if it is live, else nil.
  private(set) var device: (any ReadableEnd)?
  private(set) var liveness = Liveness.none
  /// A note on the way to it, before it is opened. Nil if there is none.
  private(set) var openingNote: String?
  /// The used part of the source. Nil = from the beginning, to the end.
  private var part: TrimmedSource?
  /// The parts of parts, from the source on.
  private var cuts: [TrimmedSource] = []
  private var spool: SpooledSource?
  private var start: TimePosition?
  private var end: TimePosition?
  private var duration: TimePosition?
  /// The moment of its first sample, in nanoseconds since 1970, if the line asks for it by the clock.
  var startTime: Int64?

  init(file: FileSource, name: String, _ liveness: Liveness) {
    self.name = name
    self.liveness = liveness
    source = file
    findFile = { file }
  }

  /// - Parameters:
  ///   - piece: the source of a piece of a file.
  ///   - findFile: returns the file, which may be opened again.
  init(piece: any AudioSource, of findFile: @escaping () -> FileSource?, name: String) {
    self.name = name
    source = piece
    self.findFile = findFile
  }

  init(_ source: any AudioSource, name: String) {
    self.name = name
    self.source = source
    findFile = { nil }
  }

  init(_ end: any SourceEnd, _ request: SourceEndRequest) throws(AudioError) {
    switch try end.source(request) {
    case .plain(let source): self.init(source, name: end.name)
    case .live(let source):
      self.init(source, name: end.name)
      device = source
    }
    liveness = type(of: end).liveness
    openingNote = end.openingNote(request.device)
  }

  /// The place of its first sample in the source, in samples per channel. Known once it is initialised.
  var origin: Int64 { cuts.reduce(0) { $0 + $1.firstSample } }

  /// ``origin`` in seconds.
  var originTime: Double {
    cuts.reduce(0) { $0 + Double($1.firstSample) / Double($1.sampleRate) }
  }

  /// The difference between the file and its header's claim. Nil if there is none.
  var truncation: Truncation? { file?.truncation }

  /// The number of requested samples per channel after its end.
  var missingSamplesPerChannel: Int64 { part?.missingSamplesPerChannel ?? 0 }

  /// The note if it ends before the requested part. Nil if it does not.
  var shortage: String? {
    let count = missingSamplesPerChannel
    guard count > 0 else { return nil }
    let piece = pieceNumber.map { "piece \($0) of " } ?? ""
    return
      "\(piece)'\(name)' is short: it ends \(count.counted("sample")) per channel before the part that"
      + " was asked for"
  }

  /// Whether it continues after its stored part.
  var isCutShort: Bool { spool?.isCutShort ?? false }

  /// The error for an input that was cut short.
  var incompleteStorage: AudioError {
    AudioError(
      .unsupported, cannot: "store all samples of", name,
      because:
        "it is more than the spool limit, or than the disk for it holds; the samples before are kept",
      advice: "raise it with \(DecodingOptions().$spoolLimit.label)")
  }

  func limited(to duration: TimePosition?) -> SessionInput {
    var input = trimmed(start: nil, duration: duration)
    input.part = nil
    return input
  }

  /// The number of samples per channel after the length stated in the header.
  var samplesBehind: Int64 { file?.soundFile.samplesBehind ?? 0 }

  /// The choices that its header needed.
  var headerReadings: [HeaderReading] { file?.soundFile.headerReadings ?? [] }

  /// The number of bytes in an incomplete last sample per channel.
  var trailingBytes: Int { file?.soundFile.trailingBytes ?? 0 }

  /// The program that decodes the file. Nil if none is needed.
  var decoder: String? { file?.decodedFile?.information == nil ? nil : "ffmpeg" }

  /// Whether only a part of the source is used.
  var isTrimmed: Bool { part != nil || start != nil || end != nil || duration != nil }

  /// Its path, if it has moving pictures, which are skipped.
  var film: String? {
    guard let information = file?.decodedFile?.information else { return nil }
    return information.videoCount > 0 && name != SourceEndpoint.standardInput.name ? name : nil
  }

  var readingNotes: [String] { schemeNotes + decodingNotes + streamNotes }

  /// The note on a file that has the name of an end.
  private var schemeNotes: [String] {
    !SourceEndpoint.hasScheme(name) || file == nil
      ? [] : ["'\(name)' is the file of that name, which comes before any other source"]
  }

  /// Notes on streams converted to the format of the file's first one.
  private var streamNotes: [String] {
    guard let streams = file?.soundFile.joinedStreams, !streams.otherFormats.isEmpty else {
      return []
    }
    let others = streams.otherFormats.map(\.description).joined(separator: " and ")
    return [
      "'\(name)' holds \(streams.count) streams one behind the other; \(others) converted to \(streams.format)"
    ]
  }

  private var decodingNotes: [String] {
    guard let decoded = file?.decodedFile, let information = decoded.information else { return [] }
    let streams = information.streamCount
    let place = information.track == 1 ? "the first" : "number \(information.track)"
    let which = streams > 1 ? ", \(place) of \(streams) streams of sound in it" : ""
    let note = "'\(name)' is decoded by ffmpeg (\(information.codecName)\(which))"
    let rate = information.format.sampleRate
    let silence = information.silenceInFront
    var notes = [note]
    if silence > 0 {
      notes.append(
        "'\(name)': the sound begins \(CallLength.milliseconds(of: silence, at: rate)) after"
          + " the pictures; silence of \(silence) samples per channel stands there")
    }
    if let gaps = decoded.gaps {
      if gaps.count > 0 {
        let places = gaps.count == 1 ? "at" : "in \(gaps.count) places, first at"
        notes.append(
          "'\(name)': sound is missing \(places) \(clockTime(gaps.first, at: rate)); silence of"
            + " \(gaps.silence) samples per channel stands there")
      }
      if let leap = gaps.leap {
        notes.append(
          "'\(name)': its times leap at \(clockTime(leap.position, at: rate)) by"
            + " \(clockTime(leap.length, at: rate)); the sound goes on there")
      }
      if gaps.isIncomplete {
        notes.append(
          "'\(name)' has more faults than are counted; missing sound behind them is not replaced")
      }
    }
    return notes + (decoded.errorLine.map { ["'\(name)' is damaged; ffmpeg says: \($0)"] } ?? [])
  }

  func trimmed(start: TimePosition?, duration: TimePosition?) -> SessionInput {
    if start == nil, duration == nil { return self }
    var input = self
    input.start = start
    input.duration = duration
    let part = TrimmedSource(source, start: start ?? .samples(0), duration: duration)
    part.requiresBeginning = true
    input.source = part
    input.part = part
    input.cuts.append(part)
    return input
  }

  /// Returns the part of this input that an item of a list states.
  func trimmed(to item: ListedFile) -> SessionInput {
    guard let end = item.end else {
      return trimmed(start: item.offset, duration: item.duration)
    }
    return trimmed(
      from: item.offset.map { .fromStart($0) }, to: .fromStart(end), duration: nil)
  }

  /// Returns this input between two points, for `duration`.
  func trimmed(
    from start: SourcePoint?, to end: SourcePoint?, duration: TimePosition?
  ) -> SessionInput {
    var input = self
    if start != nil || end != nil {
      if case .fromStart(let time) = start { input.start = time }
      if case .fromStart(let time) = end { input.end = time }
      let part = TrimmedSource(source, from: start ?? .fromStart(.samples(0)), to: end)
      part.requiresBeginning = true
      input.source = part
      input.part = part
      input.cuts.append(part)
    }
    guard let duration else { return input }
    input.duration = duration
    let part = TrimmedSource(input.source, start: .samples(0), duration: duration)
    input.source = part
    input.part = part
    return input
  }

  /// Returns this input between two points, without counting as a part of its source.
  func cut(from start: TimePosition, to end: TimePosition? = nil) -> SessionInput {
    var input = self
    let part = TrimmedSource(source, from: .fromStart(start), to: end.map { .fromStart($0) })
    part.requiresBeginning = end == nil
    input.source = part
    input.cuts.append(part)
    return input
  }

  /// Returns this input through a temporary file.
  ///
  /// - Parameter limit: in bytes. Nil = the default.
  func spooled(needsLengthOnly: Bool = false, limit: Int64?) -> SessionInput {
    var input = self
    let spool = SpooledSource(
      source, needsLengthOnly: needsLengthOnly, limit: limit ?? SoundFileSource.usualSpoolLimit)
    input.source = spool
    input.spool = spool
    return input
  }

  /// Returns this input backwards, through a temporary file.
  ///
  /// - Parameter limit: in bytes. Nil = the default.
  func reversed(limit: Int64?) -> SessionInput {
    var input = self
    input.source = ReversedSource(source, limit: limit ?? SoundFileSource.usualSpoolLimit)
    return input
  }

  /// Returns a position of its source as one in the used part. It is negative before that part.
  ///
  /// - Parameter sampleRate: the sample rate of the input.
  func located(_ position: Int64, at sampleRate: Int) -> Int64 {
    position - (start?.samples(at: sampleRate) ?? 0)
  }

  /// Returns the position of a mark for `gap` in the used part. Nil if the gap is outside of it.
  ///
  /// - Parameters:
  ///   - gap: a gap with its position in the used part.
  ///   - sampleRate: the sample rate of the input.
  func mark(for gap: DeviceGap, at sampleRate: Int) -> Int64? {
    var end = duration?.samples(at: sampleRate) ?? .max
    if let place = self.end?.samples(at: sampleRate) {
      end = min(end, located(place, at: sampleRate))
    }
    let isBefore = gap.position < 0 && gap.position + (gap.lostSamples ?? 0) <= 0
    return isBefore || gap.position >= end ? nil : max(gap.position, 0)
  }
}

extension SourceEndpoint {
  /// Returns the source that the endpoint names.
  ///
  /// - Parameters:
  ///   - description: the format of headerless data, and corrections of headers.
  ///   - duration: the duration of a sweep.
  ///   - channelCount: the channel count of noise, whose channels differ. Nil = the session's.
  ///   - seed: the seed of noise that names none. Nil = a new noise each time.
  ///   - workers: the threads allowed for decoding a file. Nil = its own thread.
  func input(
    _ description: InputDescription = InputDescription(), device: DeviceRequest = DeviceRequest(),
    duration: TimePosition? = nil, channelCount: Int? = nil, seed: UInt64? = nil,
    workers: WorkerAllowance? = nil
  ) throws(AudioError) -> SessionInput {
    switch self {
    case .file(let path): try file(path, description, workers)
    case .standardInput: try file("-", description, workers)
    case .end(let end):
      try SessionInput(
        end,
        SourceEndRequest(
          device: device, headerless: try description.headerless, duration: duration,
          channelCount: channelCount, seed: seed))
    }
  }

  private func file(
    _ path: String, _ description: InputDescription, _ workers: WorkerAllowance?
  ) throws(AudioError) -> SessionInput {
    SessionInput(
      file: try FileSource(path: path, description, workers), name: name, liveness)
  }
}

extension FileSource {
  /// - Parameters:
  ///   - path: the file; `-` is standard input.
  ///   - description: the format of headerless data, and corrections of the header.
  ///   - workers: the threads allowed for decoding. Nil = its own thread.
  convenience init(
    path: String, _ description: InputDescription, _ workers: WorkerAllowance?
  ) throws(AudioError) {
    self.init(
      path: path, container: description.container, headerless: try description.headerless)
    if let decoder = description.decoder { self.decoder = decoder }
    track = description.track
    soundFile.corrections = description.corrections
    if let limit = description.spoolLimit { soundFile.spoolLimit = limit.bytes }
    if let workers { soundFile.workers = workers }
  }
}

extension InputDescription {
  /// The user's corrections of a header.
  fileprivate var corrections: HeaderCorrections {
    var corrections = HeaderCorrections()
    corrections.ignoresLength = ignoresLength
    if let encoding, container != .raw {
      corrections.paddedBits =
        encoding.isPadded ? .low : encoding.encoding == .s32 ? .high : nil
    }
    return corrections
  }

  /// The format of a headerless input. Nil for any other.
  var headerless: HeaderlessFormat? {
    get throws(AudioError) {
      guard let sampleRate, let channelCount, let encoding else { return nil }
      let format = try StreamFormat(sampleRate: sampleRate, channelCount: channelCount)
      if let layout = encoding.layout() { return HeaderlessFormat(format, layout) }
      return HeaderlessFormat(format, encoding.encoding)
    }
  }
}
