// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioFiles
internal import AudioCore

/// A source of a command's session. It is kept so that it can be asked afterwards what happened.
struct SessionInput {
  /// Its name in notes.
  let name: String
  private(set) var source: any AudioSource
  private let file: FileSource?
  /// Its account if it is live.
  let device: (any LiveSource)?
  /// How far it is live.
  private(set) var liveness = Liveness.none
  /// The part of the source that is used; nil: from the beginning, to the end.
  private var part: TrimmedSource?
  private var spool: SpooledSource?
  private var start: TimePosition?
  private var end: TimePosition?
  private var duration: TimePosition?

  init(file: FileSource, name: String, _ liveness: Liveness) {
    self.name = name
    self.file = file
    self.liveness = liveness
    source = file
    device = nil
  }

  /// - Parameter isLive: whether it is a ``LiveSource``. To ask the source takes as long as to start the program.
  init(_ source: any AudioSource, isLive: Bool = false, name: String) {
    self.name = name
    self.source = source
    device = isLive ? source as? any LiveSource : nil
    liveness = device == nil ? .none : .device
    file = nil
  }

  /// How much shorter the file is than its header claims.
  var truncation: Truncation? { file?.truncation }

  /// How many samples per channel of the part that was asked for lie behind its end.
  var missingSamplesPerChannel: Int64 { part?.missingSamplesPerChannel ?? 0 }

  /// The note if it ends before the part that was asked for; nil if it does not.
  var shortage: String? {
    let count = missingSamplesPerChannel
    guard count > 0 else { return nil }
    return
      "'\(name)' is short: it ends \(count) \(count == 1 ? "sample" : "samples") per channel before the part that"
      + " was asked for"
  }

  /// Whether it goes on behind what was stored of it.
  var isCutShort: Bool { spool?.isCutShort ?? false }

  /// The error if it does.
  var incompleteStorage: AudioError {
    AudioError(
      .unsupported, cannot: "store to its end what comes from", name,
      because:
        "it is more than the spool limit, or than the disk for it holds; what came before is kept",
      advice: "raise it with \(DecodingOptions().$spoolLimit.label)")
  }

  /// The same input, of which no more than `duration` is used.
  func limited(to duration: TimePosition?) -> SessionInput {
    var input = trimmed(start: nil, duration: duration)
    input.part = nil
    return input
  }

  /// How many samples per channel the file holds behind the length that its header states.
  var samplesBehind: Int64 { file?.soundFile.samplesBehind ?? 0 }

  /// The choices that its header needed.
  var headerReadings: [HeaderReading] { file?.soundFile.headerReadings ?? [] }

  /// How many bytes at the end of the file are less than one sample per channel.
  var trailingBytes: Int { file?.soundFile.trailingBytes ?? 0 }

  /// The program that decodes the file; nil where none does.
  var decoder: String? { file?.decodedFile?.information == nil ? nil : "ffmpeg" }

  /// Whether some of the source is left out.
  var isTrimmed: Bool { part != nil || start != nil || end != nil || duration != nil }

  /// Its path, if it has moving pictures, which are left out.
  var film: String? {
    guard let information = file?.decodedFile?.information else { return nil }
    return information.videoCount > 0 && name != SourceEndpoint.standardInput.name ? name : nil
  }

  /// What the user should know of how the file was read.
  var readingNotes: [String] { decodingNotes + streamNotes }

  /// The streams of a file that were converted to the format of the first.
  private var streamNotes: [String] {
    guard let streams = file?.soundFile.joinedStreams, !streams.otherFormats.isEmpty else {
      return []
    }
    let others = streams.otherFormats.map(\.description).joined(separator: " and ")
    return [
      "'\(name)' holds \(streams.count) streams one behind the other; \(others) converted to \(streams.format)"
    ]
  }

  /// What the user should know of a file that ffmpeg decoded.
  private var decodingNotes: [String] {
    guard let decoded = file?.decodedFile, let information = decoded.information else { return [] }
    let streams = information.streamCount
    let place = information.track == 1 ? "the first" : "number \(information.track)"
    let which = streams > 1 ? ", \(place) of \(streams) streams of sound in it" : ""
    let note = "'\(name)' is decoded by ffmpeg (\(information.codecName)\(which))"
    let silence = information.silenceInFront
    let late =
      silence == 0
      ? []
      : [
        "'\(name)': the sound begins \(CallLength.milliseconds(of: silence, at: information.format.sampleRate)) after"
          + " the pictures; silence of \(silence) samples per channel stands there"
      ]
    return [note] + late
      + (decoded.complaint.map { ["'\(name)' is damaged; ffmpeg says: \($0)"] } ?? [])
  }

  /// The same input from `start` on and for `duration`.
  func trimmed(start: TimePosition?, duration: TimePosition?) -> SessionInput {
    if start == nil, duration == nil { return self }
    var input = self
    input.start = start
    input.duration = duration
    let part = TrimmedSource(source, start: start ?? .samples(0), duration: duration)
    part.requiresBeginning = true
    (input.source, input.part) = (part, part)
    return input
  }

  /// The same input between two points, and for `duration`.
  func trimmed(
    from start: SourcePoint?, to end: SourcePoint?, duration: TimePosition?
  ) -> SessionInput {
    var input = self
    if start != nil || end != nil {
      if case .fromStart(let time) = start { input.start = time }
      if case .fromStart(let time) = end { input.end = time }
      let part = TrimmedSource(source, from: start ?? .fromStart(.samples(0)), to: end)
      part.requiresBeginning = true
      (input.source, input.part) = (part, part)
    }
    guard let duration else { return input }
    input.duration = duration
    let part = TrimmedSource(input.source, start: .samples(0), duration: duration)
    (input.source, input.part) = (part, part)
    return input
  }

  /// The same input, of which only some samples per channel are left.
  func trimmed(to range: Range<Int64>) -> SessionInput {
    var input = self
    input.source = TrimmedSource(
      source, from: .fromStart(.samples(range.lowerBound)),
      to: .fromStart(.samples(range.upperBound)))
    return input
  }

  /// The same input through a temporary file.
  ///
  /// - Parameter limit: in bytes; nil = the usual one.
  func spooled(needsLengthOnly: Bool = false, limit: Int64?) -> SessionInput {
    var input = self
    let spool = SpooledSource(
      source, needsLengthOnly: needsLengthOnly, limit: limit ?? SoundFileSource.usualSpoolLimit)
    (input.source, input.spool) = (spool, spool)
    return input
  }

  /// The same input backwards, through a temporary file.
  ///
  /// - Parameter limit: in bytes; nil = the usual one.
  func reversed(limit: Int64?) -> SessionInput {
    var input = self
    input.source = ReversedSource(source, limit: limit ?? SoundFileSource.usualSpoolLimit)
    return input
  }

  /// The gap with its position in the part that is used; negative if it begins before that part.
  ///
  /// - Parameter sampleRate: the input's own.
  func located(_ gap: DeviceGap, at sampleRate: Int) -> DeviceGap {
    var gap = gap
    gap.position -= start?.samples(at: sampleRate) ?? 0
    return gap
  }

  /// The pause with its position in the part that is used; negative if it is before that part.
  func located(_ pause: DevicePause, at sampleRate: Int) -> DevicePause {
    var pause = pause
    pause.position -= start?.samples(at: sampleRate) ?? 0
    return pause
  }

  /// Where a mark for `gap` belongs in the part that is used; nil if the gap lies outside of it.
  ///
  /// - Parameters:
  ///   - gap: with its position in the part that is used.
  ///   - sampleRate: the input's own.
  func mark(for gap: DeviceGap, at sampleRate: Int) -> Int64? {
    var end = duration?.samples(at: sampleRate) ?? .max
    if let place = self.end?.samples(at: sampleRate) {
      end = min(end, place - (start?.samples(at: sampleRate) ?? 0))
    }
    let isBefore = gap.position < 0 && gap.position + (gap.lostSamples ?? 0) <= 0
    return isBefore || gap.position >= end ? nil : max(gap.position, 0)
  }
}

extension SourceEndpoint {
  /// The source that the endpoint names.
  ///
  /// - Parameters:
  ///   - description: of headerless data.
  ///   - duration: how long a sweep takes.
  ///   - channelCount: of noise, each channel of which is another one; nil = as the session has it.
  ///   - seed: of noise that names none; nil = another one each time.
  ///   - workers: whether a file may be decoded by a thread of its own; nil where it may.
  func input(
    _ description: InputDescription = InputDescription(), device: AlsaOptions = AlsaOptions(),
    duration: TimePosition? = nil, channelCount: Int? = nil, seed: UInt64? = nil,
    workers: WorkerAllowance? = nil
  ) throws(AudioError) -> SessionInput {
    switch self {
    case .file(let path): try file(path, description, workers)
    case .standardInput: try file("-", description, workers)
    case .end(let end):
      SessionInput(
        try end.source(
          SourceEndRequest(
            device: device, headerless: try description.headerless, duration: duration,
            channelCount: channelCount, seed: seed)), isLive: isLive, name: name)
    }
  }

  private func file(
    _ path: String, _ description: InputDescription, _ workers: WorkerAllowance?
  ) throws(AudioError) -> SessionInput {
    let source = FileSource(
      path: path, container: description.container, headerless: try description.headerless)
    if let decoder = description.decoder { source.decoder = decoder }
    source.track = description.track
    source.soundFile.corrections = description.corrections
    if let limit = description.spoolLimit { source.soundFile.spoolLimit = limit.bytes }
    if let workers { source.soundFile.workers = workers }
    return SessionInput(file: source, name: name, liveness)
  }
}

extension InputDescription {
  /// What the user knows better than a header.
  fileprivate var corrections: HeaderCorrections {
    var corrections = HeaderCorrections()
    corrections.ignoresLength = ignoresLength
    if let encoding, container != .raw {
      corrections.paddedBits =
        encoding.isPadded ? .low : encoding.encoding == .s32 ? .high : nil
    }
    return corrections
  }

  /// The format of a headerless input; nil for any other.
  var headerless: HeaderlessFormat? {
    get throws(AudioError) {
      guard let sampleRate, let channelCount, let encoding else { return nil }
      let format = try StreamFormat(sampleRate: sampleRate, channelCount: channelCount)
      if let layout = encoding.layout() { return HeaderlessFormat(format, layout) }
      return HeaderlessFormat(format, encoding.encoding)
    }
  }
}
