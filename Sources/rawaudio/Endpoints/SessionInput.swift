// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// A source of a command's session with the parts that are cut from it, kept for the questions after the run.
struct SessionInput {
  /// A part of a source, between two points and for a duration.
  struct Cut {
    enum Purpose {
      /// The line asks for the part: a source that ends before it is short.
      case part
      /// The line limits the session.
      case limit
      /// An edit leaves out the rest.
      case edit
    }

    var start: SourcePoint?
    var end: SourcePoint?
    var duration: TimePosition?
    var purpose = Purpose.part
  }

  let name: String
  /// The number of the item of which it is a part of a file. Nil for another source.
  var pieceNumber: Int?
  /// The source behind its last cut.
  private(set) var source: any AudioSource
  private let findFile: () -> FileSource?
  /// Its account if it is live, else nil.
  let device: (any ReadableEnd)?
  let liveness: Liveness
  /// A note on the way to it, before it is opened. Nil if there is none.
  let openingNote: String?
  /// The moment of its first sample, in nanoseconds since 1970, if the line asks for it by the clock.
  var startTime: Int64?
  /// From the source on.
  private var cuts: [(purpose: Cut.Purpose, part: TrimmedSource)] = []
  private var spool: SpooledSource?

  /// - Parameter file: the file that is read. It may be opened again.
  init(
    _ source: any AudioSource, _ liveness: Liveness = .none, name: String,
    file: @escaping @autoclosure () -> FileSource? = nil
  ) {
    self.name = name
    self.source = source
    self.liveness = liveness
    (device, openingNote) = (nil, nil)
    findFile = file
  }

  init(_ end: any SourceEnd, _ request: SourceEndRequest) throws(AudioError) {
    name = end.name
    liveness = type(of: end).liveness
    openingNote = end.openingNote(request.device)
    switch try end.source(request) {
    case .plain(let source): (self.source, device) = (source, nil)
    case .live(let source): (self.source, device) = (source, source)
    }
    findFile = { nil }
  }

  var file: FileSource? { findFile() }

  /// The difference between the file and its header's claim. Nil if there is none.
  var truncation: Truncation? { file?.truncation }

  /// The program that decodes the file. Nil if none is needed.
  var decoder: String? { file?.decodedFile?.information == nil ? nil : "ffmpeg" }

  /// Its path, if it has moving pictures, which are skipped.
  var video: String? {
    guard let information = file?.decodedFile?.information else { return nil }
    return information.videoCount > 0 && name != SourceEndpoint.standardInput.name ? name : nil
  }
}

// MARK: Cuts

extension SessionInput {
  /// Returns a part of this input. The whole, if the cut states nothing.
  func cut(_ cut: Cut) -> SessionInput {
    var input = self
    if cut.start != nil || cut.end != nil {
      let part = TrimmedSource(
        source, from: cut.start ?? .fromStart(.samples(0)), to: cut.end)
      part.requiresBeginning = cut.purpose != .edit || cut.end == nil
      input.append(part, cut.purpose)
    }
    if let duration = cut.duration {
      input.append(
        TrimmedSource(input.source, start: .samples(0), duration: duration), cut.purpose)
    }
    return input
  }

  private mutating func append(_ part: TrimmedSource, _ purpose: Cut.Purpose) {
    source = part
    cuts.append((purpose, part))
  }

  /// Whether only a part of the source is used.
  var isTrimmed: Bool { cuts.contains { $0.purpose != .edit } }

  /// The place of its first sample in the source, in samples per channel. Known once it is initialised.
  var origin: Int64 { cuts.reduce(0) { $0 + $1.part.firstSample } }

  /// ``origin`` in seconds.
  var originTime: Double {
    cuts.reduce(0) { $0 + Double($1.part.firstSample) / Double($1.part.sampleRate) }
  }

  /// The samples per channel that the cuts leave at most. Known once it is initialised.
  private var mostSamples: Int64 {
    cuts.reduce(.max) { rest, cut in
      min(rest == .max ? rest : rest - cut.part.firstSample, cut.part.length ?? .max)
    }
  }

  /// Returns a position of its source as one in the used part. It is negative before that part.
  func located(_ position: Int64) -> Int64 { position - origin }

  /// Returns the position of a mark for `gap` in the used part. Nil if the gap is outside of it.
  ///
  /// - Parameter gap: a gap with its position in the used part.
  func mark(for gap: DeviceGap) -> Int64? {
    let isBefore = gap.position < 0 && gap.position + (gap.lostSamplesPerChannel ?? 0) <= 0
    return isBefore || gap.position >= mostSamples ? nil : max(gap.position, 0)
  }

  /// The note if it ends before the requested part. Nil if it does not.
  var shortage: String? {
    let count = cuts.last { $0.purpose == .part }?.part.missingSamplesPerChannel ?? 0
    guard count > 0 else { return nil }
    let piece = pieceNumber.map { "piece \($0) of " } ?? ""
    return
      "\(piece)'\(name)' is short: it ends \(count.counted("sample")) per channel before the part that"
      + " was asked for"
  }
}

// MARK: Temporary files

extension SessionInput {
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
    guard case .end(let end) = self else {
      let file = try FileSource(path: filePath ?? "-", description, workers)
      return SessionInput(file, liveness, name: name, file: file)
    }
    return try SessionInput(
      end,
      SourceEndRequest(
        device: device, headerless: try description.headerless, duration: duration,
        channelCount: channelCount, seed: seed))
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
