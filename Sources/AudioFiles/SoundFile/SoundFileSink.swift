// SPDX-License-Identifier: Apache-2.0
/// A sound file, or a pipe that takes one, as a sink.
///
/// Quantisation is the library's own; WAV and headerless files are written by its own code, so that
/// streams of unknown length work and files may pass 4 GiB. Session thread only. The program must
/// ignore SIGPIPE for a reader that goes away to be reported.
public final class SoundFileSink: AudioSink, SilenceSink {
  /// How the file is written; may be changed until `initialize`.
  public var fileFormat: FileFormat

  /// Whether a thread of its own may encode a long file; may be changed until `initialize`.
  public var mayWriteBehind: Bool {
    get { workers.isGranted }
    set { workers = WorkerAllowance(isGranted: newValue) }
  }
  /// The same, for sessions that share processors while they run.
  package var workers = WorkerAllowance(isGranted: true)
  /// Whether ``sampleDigest`` is computed; may be changed until `initialize`.
  public var digestsSamples = false
  /// How many samples, over all channels, a pipe gets in one write; nil: as they come. May be changed until
  /// `initialize`.
  ///
  /// A pipe, a FIFO or a socket that takes a WAV stream or one without a header is written in pieces of exactly so
  /// many samples, each in one call of `write(2)`, as soon as a piece is complete. The last piece may be shorter. The
  /// header of a WAV stream is a write of its own in front of them. Regular files and other containers are written as
  /// ever.
  public var samplesPerWrite: Int?
  /// The metadata of the file; may be changed until `initialize`. Positions are converted from the
  /// rate that it names to the file's.
  public var metadata: Metadata?
  /// The parts of ``metadata`` that the file does not carry, and why; known after `initialize`.
  public private(set) var metadataOmissions: [Metadata.Omission] = []

  private let destination: FileDestination
  private let sampleRate: Int?
  private let channelCount: Int?
  private let dither: Dither
  /// From which size on a WAV file becomes RF64; smaller in tests.
  var largestRIFFSize = WaveHeaderWriter.largestRIFFSize

  /// Whether the file is one of several into which a stream is split.
  var isPart = false
  /// How many bytes come behind the samples, at most, without marks that are set.
  private(set) var sizeBehind: Int64 = 0

  var schedule = UpdateSchedule()
  /// Set before `initialize` where this file continues the stream of another; afterwards its own.
  var quantiser: Quantiser? {
    get { encoder?.quantiser ?? inherited }
    set { inherited = newValue }
  }
  private var inherited: Quantiser?

  private(set) var output: OutputFile?
  let marks = PendingMarks()
  private var writer: (any SampleWriter)?
  /// Nil while an old file is still as it was.
  private(set) var encoder: SampleEncoder?
  /// The settled format; nil before `initialize`.
  private(set) var format: StreamFormat?
  /// Whether ``samplesPerWrite`` applies; known after `initialize`.
  public private(set) var writesPieces = false
  /// The size of the header, where it is not in the file yet.
  private(set) var headerSize: Int64 = 0
  private var hasFailed = false
  /// After a failure: the samples per channel that the file's header covers; 0 if the file is removed.
  private var kept: Int64?
  private var isStopped = false

  /// - Parameters:
  ///   - path: the file; `-` is standard output.
  ///   - format: its container and encoding.
  ///   - sampleRate: in hertz; nil = the stream's.
  ///   - channelCount: nil = the stream's.
  ///   - dither: what is added before samples are rounded to integers.
  ///   - overwrite: whether an existing file may be replaced.
  ///   - replacement: when it is. A recording `inPlace` is kept readable while it grows: its header is
  ///     at most a second behind what was written.
  ///   - synchronization: when what was written is forced onto the disk.
  public init(
    path: String, format: FileFormat, sampleRate: Int? = nil, channelCount: Int? = nil,
    dither: Dither = .none, overwrite: Bool = false, replacement: FileReplacement = .onCompletion,
    synchronization: FileSynchronization = .never
  ) {
    destination = FileDestination(
      path: path, overwrites: overwrite, replacement: replacement, synchronization: synchronization)
    fileFormat = format
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.dither = dither
  }

  /// A file in the format that its name asks for: ``FileFormat/init(path:encoding:)``, at the stream's rate and with its
  /// channels.
  ///
  /// - Parameters:
  ///   - path: the file; `-` is standard output, as WAV.
  ///   - overwrite: whether an existing file may be replaced.
  /// - Throws: `unsupported` for an unknown extension, naming known ones.
  public convenience init(path: String, overwrite: Bool = false) throws(AudioError) {
    self.init(path: path, format: try FileFormat(path: path), overwrite: overwrite)
  }

  /// A descriptor that is already open, which is written from where it stands and never closed.
  ///
  /// - Parameters:
  ///   - descriptor: open for writing.
  ///   - name: its name in errors.
  ///   - format: its container and encoding.
  ///   - sampleRate: in hertz; nil = the stream's.
  ///   - channelCount: nil = the stream's.
  ///   - dither: what is added before samples are rounded to integers.
  public init(
    descriptor: Int32, name: String, format: FileFormat, sampleRate: Int? = nil,
    channelCount: Int? = nil, dither: Dither = .none
  ) {
    destination = FileDestination(descriptor: descriptor, name: name)
    fileFormat = format
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.dither = dither
  }

  public var precision: SamplePrecision { fileFormat.encoding.precision }
  public var room: Int { .max }

  /// Samples so far, over all channels, that the encoding could not hold: saturated, or infinite.
  public var clippedSamples: Int { encoder?.clippedSamples ?? 0 }

  /// Samples so far, over all channels, that were not numbers (NaN): an encoding of integers holds 0 in their
  /// place, as do lossy ones; floating point keeps them.
  public var notANumberSamples: Int { encoder?.notANumberSamples ?? 0 }

  /// Samples per channel that reached the file or pipe so far.
  public var samplesPerChannel: Int64 { encoder?.samplesPerChannel ?? 0 }

  /// The MD5 of the samples, 16 bytes, once `stop` has completed the file; nil where it was not asked for, and for
  /// lossy codecs. By FLAC's convention: interleaved, little-endian, integers signed and in as few bytes as they need.
  public private(set) var sampleDigest: [UInt8]?

  /// Samples per channel that a reader finds in the file.
  var keptSamplesPerChannel: Int64 { kept ?? samplesPerChannel }

  /// - Throws: `alreadyExists`, `notFound` (the directory), `unavailable` (a directory, no permission),
  ///   `unsupported` (a rate, a channel count or a pipe that the container cannot do), `inputOutput`;
  ///   `invalidParameter` where the file is another output too, or an input that would be emptied, or where
  ///   ``samplesPerWrite`` is no whole number of samples of every channel.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = try format(for: proposal)
    self.format = format
    let output = try destination.open(wakeup)
    do {
      if output.holdsOldContent {
        // Only what can be written takes the place of an old file, and not before there is something.
        let trial = try SpooledFile.inMemory(named: output.descriptor.name)
        _ = try makeWriter(trial, format)
        headerSize = try trial.size()
      } else {
        _ = try makeEncoder(output, format)
      }
    } catch {
      output.discard()
      throw error
    }
    self.output = output
    return format
  }

  private func makeEncoder(
    _ output: OutputFile, _ format: StreamFormat
  ) throws(AudioError) -> SampleEncoder {
    let mayBePlain = fileFormat.container.row.ownWriting != nil
    let pieces = output.descriptor.isRegular || !mayBePlain ? nil : samplesPerWrite
    if let pieces { try check(pieces, format) }
    let writer = try makeWriter(output.descriptor, format)
    self.writer = writer
    headerSize = 0
    // A recording is to be on the disk at once.
    let mayOverlap =
      destination.replacement == .onCompletion && output.descriptor.isRegular && writer.encodes
    let plain = pieces == nil ? nil : writer as? PlainSampleWriter
    plain?.largestStep = .max
    let encoder = SampleEncoder(
      writer, channelCount: format.channelCount, dither: dither, continuing: inherited,
      overlap: mayOverlap ? workers : nil, samplesPerWrite: plain == nil ? nil : pieces)
    writesPieces = plain != nil
    if digestsSamples {
      encoder.digest = SampleDigest(
        fileFormat.encoding, layout: writer.layout, significantBits: writer.significantBits)
    }
    self.encoder = encoder
    return encoder
  }

  /// A reader can do nothing with a part of a sample frame.
  private func check(_ samplesPerWrite: Int, _ format: StreamFormat) throws(AudioError) {
    let isCount = (1...Int(Int32.max)).contains(samplesPerWrite)
    if isCount, samplesPerWrite % format.channelCount == 0 { return }
    throw AudioError(
      .invalidParameter, cannot: "write samples per call", "\(samplesPerWrite)",
      because: isCount
        ? "it does not divide by the \(format.channelCount) channels of the output"
        : "it must be 1 to \(Int32.max)")
  }

  /// The encoder of a file that is ours from now on.
  private func begin(
    _ output: OutputFile, _ format: StreamFormat
  ) throws(AudioError) -> SampleEncoder {
    try output.begin()
    if let encoder { return encoder }
    return try makeEncoder(output, format)
  }

  /// The format that `initialize` settles on.
  func format(for proposal: StreamFormat) throws(AudioError) -> StreamFormat {
    let format = try proposal.with(sampleRate: sampleRate, channelCount: channelCount)
    try fileFormat.check(format)
    return format
  }

  /// When what was written is forced onto the disk.
  var synchronization: FileSynchronization { destination.synchronization }

  /// Throws where the file cannot be made, as far as that shows without making it.
  func checkLocation() throws(AudioError) { try destination.check() }

  public func start() throws(AudioError) {}

  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    guard let output, let format, !hasFailed else { throw notWritable }
    do {
      let encoder = try begin(output, format)
      let status = try encoder.write(samples)
      // The reader of a pipe gets its samples at once; a file can wait for larger blocks.
      guard output.descriptor.isRegular else { return try encoder.flush() }
      if isRecording, schedule.isDue() { try bringUpToDate() }
      return status
    } catch {
      throw failed(error, output, writer)
    }
  }

  /// Appends silence as a hole in the file: where that is plain samples, of which 0 has no bits, and can be sought in.
  package func appendSilence(_ length: Int64) throws(AudioError) -> Bool {
    guard let output, let format, !hasFailed else { throw notWritable }
    do {
      guard try begin(output, format).appendSilence(length) else { return false }
      if isRecording, schedule.isDue() { try bringUpToDate() }
      return true
    } catch {
      throw failed(error, output, writer)
    }
  }

  /// Writes out what is held back and makes the header true for what the file holds now, so that
  /// nothing is lost if the program dies. Where a header cannot be changed it only writes out.
  ///
  /// A file that is recorded ``FileReplacement/inPlace`` does so by itself.
  public func updateHeader() throws(AudioError) {
    guard let output, !hasFailed else { throw notWritable }
    do {
      try bringUpToDate()
    } catch {
      throw failed(error, output, writer)
    }
  }

  /// Brings a recording up to date where nothing was written for a while, so that it is readable while it
  /// grows.
  public func receive(_ notice: SinkNotice) throws(AudioError) {
    switch notice {
    case .leftOut(upTo: let position): try begin(at: position)
    case .idle: if isRecording, schedule.isDue(isResting: true) { try updateHeader() }
    case .eventEnded, .waited: break
    }
  }

  /// Where the file's first sample is not the stream's: it was taken later.
  private func begin(at position: Int64) throws(AudioError) {
    guard encoder?.hasSamples != true, let format, let metadata, metadata.broadcast != nil else {
      return
    }
    self.metadata = metadata.converted(to: format.sampleRate).part(from: position)
    guard let writer = writer as? PlainSampleWriter else { return }
    try writer.restate(
      WrittenMetadata(self.metadata, in: fileFormat, format, isPatchable: true, isPart: isPart))
  }

  /// Samples first, then the header that covers them: at no moment does it claim what is not there, on the disk either.
  private func bringUpToDate() throws(AudioError) {
    if let output { try destination.requireName(of: output) }
    try encoder?.complete()
    let isForced = destination.synchronization == .regularly
    if isForced { try output?.synchronize() }
    try writer?.updateHeader()
    if isForced, output?.descriptor.isPatchable == true { try output?.synchronize() }
    schedule.updated()
  }

  /// Puts a mark into the file: a cue point with a label, which programs that edit sound show.
  ///
  /// WAV, WAVEX and RF64 files take marks, up to 65,536, when they are completed; other containers and
  /// pipes leave them out. Any thread, before `stop`.
  ///
  /// - Parameters:
  ///   - position: in samples per channel from the start of the file, at `sampleRate`.
  ///   - sampleRate: in hertz; another one than the file's is converted.
  ///   - label: in one line.
  public func mark(_ position: Int64, at sampleRate: Int, label: String) {
    marks.append(.init(position: position, sampleRate: sampleRate, label: label))
  }

  /// Completes the file. An abandoned one is removed where the old state can be had back (see
  /// ``FileReplacement``) and completed as far as it got where not.
  public func stop(_ reason: StopReason) throws(AudioError) {
    guard let output, let format, !isStopped else { return }
    isStopped = true
    defer { writer = nil }
    if reason == .abandoned { encoder?.abandon() }
    if (reason == .abandoned || hasFailed) && !output.keepsIncomplete {
      output.discard()
      return
    }
    if !hasFailed, encoder?.hasSamples != true, let refusal = fileFormat.refusalOfNothing {
      output.discard()
      throw AudioError(
        .unsupported, cannot: "write to", output.descriptor.name, because: refusal,
        advice: "take another container, such as flac")
    }
    do {
      if !hasFailed { try begin(output, format).complete() }
      guard let writer else { return }
      try forceSamples(onto: output)
      try finish(writer)
      try destination.commit(output)
      sampleDigest = encoder?.digest?.finish()
    } catch {
      let error = failed(error, output, writer)
      output.discard()
      throw error
    }
  }

  public func dispose() {
    encoder?.abandon()
    writer = nil
    output?.discard()
    output = nil
  }

  /// Whether samples were written to a file that is to be readable while it grows.
  var isRecording: Bool {
    guard let output, let encoder, destination.replacement == .inPlace, !hasFailed else {
      return false
    }
    return output.descriptor.isRegular && output.keepsIncomplete && encoder.hasSamples
  }

  private var notWritable: AudioError {
    AudioError(
      .lifeCycle, cannot: "write to", destination.location.name,
      because: hasFailed ? "it failed before" : "the sink is not initialised")
  }

  /// The last header of a recording, too, covers only what is on the disk.
  private func forceSamples(onto output: OutputFile) throws(AudioError) {
    if synchronization == .regularly, output.keepsIncomplete { try output.synchronize() }
  }

  private func finish(_ writer: any SampleWriter) throws(AudioError) {
    for mark in marks.take(before: nil, at: 0) {
      writer.mark(mark.position, at: mark.sampleRate, label: mark.label)
    }
    try writer.finish()
  }

  /// The error, which also says what is left of the file.
  private func failed(
    _ error: AudioError, _ output: OutputFile, _ writer: (any SampleWriter)?
  ) -> AudioError {
    hasFailed = true
    encoder?.abandon()
    kept = 0
    if output.keepsIncomplete, let writer {
      // A disk that fails may force nothing any more. What it took is to be stated all the same.
      try? forceSamples(onto: output)
      // Now, for where the header cannot be changed any more either, less is kept than was written.
      try? finish(writer)
      kept = writer.keptSampleFrames
    }
    var error = error
    if error.advice == nil, error.kind == .inputOutput {
      error.advice =
        output.keepsIncomplete
        ? "the first \(keptSamplesPerChannel) samples per channel are kept" : "nothing was kept"
    }
    return error
  }

  private func makeWriter(
    _ descriptor: FileDescriptor, _ format: StreamFormat
  ) throws(AudioError) -> any SampleWriter {
    let written = try WrittenMetadata(
      metadata, in: fileFormat, format, isPatchable: descriptor.isPatchable, isPart: isPart)
    metadataOmissions = written.omissions
    sizeBehind = written.sizeBehind
    return try fileFormat.writer(
      to: descriptor, format, written, largestRIFFSize: largestRIFFSize)
  }
}
