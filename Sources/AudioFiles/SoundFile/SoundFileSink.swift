// SPDX-License-Identifier: Apache-2.0
/// A sound file, or a pipe that takes one, as a sink.
///
/// Quantisation is the library's own; WAV and headerless files are written by its own code, so that
/// streams of unknown length work and files may pass 4 GiB. Session thread only. The program must
/// ignore SIGPIPE for a reader that goes away to be reported.
public final class SoundFileSink: AudioSink {
  /// How the file is written; may be changed until `initialize`.
  public var fileFormat: FileFormat {
    get { options.fileFormat }
    set { options.fileFormat = newValue }
  }
  /// Whether a thread of its own may encode a long file, for sessions that share processors; may be changed until
  /// `initialize`.
  package var workers: WorkerAllowance {
    get { options.workers }
    set { options.workers = newValue }
  }
  /// Whether ``sampleDigest`` is computed; may be changed until `initialize`.
  public var digestsSamples: Bool {
    get { options.digestsSamples }
    set { options.digestsSamples = newValue }
  }
  /// The samples, over all channels, of one write into a pipe; nil: as they come. May be changed until `initialize`.
  ///
  /// A pipe, a FIFO or a socket that takes a WAV stream or one without a header is written in pieces of exactly so
  /// many samples, each in one system call unless the reader left no room for all of it, as soon as a piece is complete.
  /// The last piece may be shorter. The header of a WAV stream is a write of its own in front of them. Regular files and
  /// other containers are written as ever.
  public var samplesPerWrite: Int? {
    get { options.samplesPerWrite }
    set { options.samplesPerWrite = newValue }
  }
  /// The metadata of the file; may be changed until `initialize`. Positions are converted from the rate that it names to
  /// the file's.
  public var metadata: Metadata?
  /// The parts of ``metadata`` that the file does not carry, and why; known after `initialize`.
  public var metadataOmissions: [Metadata.Omission] { file?.metadataOmissions ?? [] }

  /// Whether `stop` keeps the complete file, which has no name yet. A sink whose file was refused may be initialised
  /// again. Session thread.
  package var accepts: (FileDescriptor) throws(AudioError) -> Bool = { _ in true }

  /// May be changed until `initialize`.
  package var destination: FileDestination
  private let sampleRate: Int?
  private let channelCount: Int?
  /// May be changed until `initialize`.
  var options: WrittenSoundFile.Options
  var schedule = UpdateSchedule()
  private let marks = PendingMarks()
  private var state = State.uninitialised

  private enum State {
    case uninitialised
    case open(WrittenSoundFile)
    /// A call failed: no more samples are taken.
    case failed(WrittenSoundFile)
    case stopped(WrittenSoundFile)
  }

  /// - Parameters:
  ///   - path: the file; `-` is standard output.
  ///   - format: its container and encoding.
  ///   - sampleRate: in hertz; nil = the stream's.
  ///   - channelCount: nil = the stream's.
  ///   - dither: the noise added before samples are rounded to integers.
  ///   - overwrite: whether an existing file may be replaced.
  ///   - replacement: when it is. A recording `inPlace` is readable while it grows: its header is at most a second behind
  ///     the samples.
  ///   - synchronization: when samples are forced onto the disk.
  public init(
    path: String, format: FileFormat, sampleRate: Int? = nil, channelCount: Int? = nil,
    dither: Dither = .none, overwrite: Bool = false, replacement: FileReplacement = .onCompletion,
    synchronization: FileSynchronization = .never
  ) {
    destination = FileDestination(
      path: path, overwrites: overwrite, replacement: replacement, synchronization: synchronization)
    options = WrittenSoundFile.Options(fileFormat: format, dither: dither)
    self.sampleRate = sampleRate
    self.channelCount = channelCount
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

  /// A descriptor that is already open. It is written from its current position on, and never closed.
  ///
  /// The session waits for the reader of a pipe or a socket, but not once it is asked to end: see
  /// ``SessionControl/Request``.
  ///
  /// - Parameters:
  ///   - descriptor: open for writing.
  ///   - name: its name in errors.
  ///   - format: its container and encoding.
  ///   - sampleRate: in hertz; nil = the stream's.
  ///   - channelCount: nil = the stream's.
  ///   - dither: the noise added before samples are rounded to integers.
  public init(
    descriptor: Int32, name: String, format: FileFormat, sampleRate: Int? = nil,
    channelCount: Int? = nil, dither: Dither = .none
  ) {
    destination = FileDestination(descriptor: descriptor, name: name)
    options = WrittenSoundFile.Options(fileFormat: format, dither: dither)
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  public var precision: SamplePrecision { fileFormat.encoding.precision }
  public var room: Int { .max }

  /// The file, also after a failure and after the end; nil before `initialize`.
  private var file: WrittenSoundFile? {
    switch state {
    case .uninitialised: nil
    case .open(let file), .failed(let file), .stopped(let file): file
    }
  }

  /// The settled format; nil before `initialize`.
  var format: StreamFormat? { file?.format }

  /// The quantiser, for another file in which the stream goes on.
  var quantiser: Quantiser? { file?.encoder?.quantiser ?? options.inheritedQuantiser }

  /// Whether ``samplesPerWrite`` applies; known after `initialize`.
  public var writesPieces: Bool { file?.writesPieces ?? false }

  /// Samples so far, over all channels, that the encoding could not hold: saturated, or infinite.
  public var clippedSamples: Int { file?.encoder?.clippedSamples ?? 0 }

  /// Samples so far, over all channels, that were NaN: an encoding of integers holds 0 in their place, as do lossy ones;
  /// floating point keeps them.
  public var notANumberSamples: Int { file?.encoder?.notANumberSamples ?? 0 }

  /// Samples per channel that reached the file or pipe so far.
  public var samplesPerChannel: Int64 { file?.encoder?.samplesPerChannel ?? 0 }

  /// The MD5 of the samples, 16 bytes, once `stop` has completed the file; nil if it was not asked for, and for lossy
  /// codecs. By FLAC's convention: interleaved, little-endian, integers signed and in as few bytes as they need.
  public private(set) var sampleDigest: [UInt8]?

  /// Whether `stop` left no new file: a recording in place got no sample.
  package private(set) var leftNoFile = false

  /// Samples per channel that a reader finds in the file.
  var keptSamplesPerChannel: Int64 { file?.keptSamplesPerChannel ?? 0 }

  /// Whether `stop` was called.
  var isStopped: Bool { if case .stopped = state { true } else { false } }

  /// When samples are forced onto the disk.
  var synchronization: FileSynchronization { destination.synchronization }

  /// Checks whether the file could be made, without making it.
  ///
  /// - Throws: as ``initialize(proposing:wakeup:)``.
  func checkLocation() throws(AudioError) { try destination.check() }

  /// The format that `initialize` settles on.
  func format(for proposal: StreamFormat) throws(AudioError) -> StreamFormat {
    let format = try proposal.with(sampleRate: sampleRate, channelCount: channelCount)
    try fileFormat.check(format)
    return format
  }

  /// - Throws: `alreadyExists`, `notFound` (the directory), `unavailable` (a directory, no permission),
  ///   `unsupported` (a rate, a channel count or a pipe that the container cannot do), `inputOutput`;
  ///   `invalidParameter` if the file is another output too, or an input that would be emptied, or if
  ///   ``samplesPerWrite`` is no whole number of samples of every channel.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = try format(for: proposal)
    state = .open(try WrittenSoundFile(destination, format, options, metadata, wakeup))
    return format
  }

  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    try withFile { (file) throws(AudioError) in
      let status = try file.write(samples)
      try bringUpToDateIfDue(file)
      return status
    }
  }

  /// Appends silence as a hole in the file, if its samples are plain and it can be seeked in.
  ///
  /// - Parameter length: in samples per channel.
  /// - Returns: whether it did.
  public func appendSilence(_ length: Int64) throws(AudioError) -> Bool {
    try withFile { (file) throws(AudioError) in
      guard try file.appendSilence(length) else { return false }
      try bringUpToDateIfDue(file)
      return true
    }
  }

  /// Samples per channel that still fit, so that the file ends within `limit` bytes; ask again after so many.
  func samplesPerChannelThatFit(in limit: Int64) throws(AudioError) -> Int64 {
    try file?.samplesPerChannelThatFit(in: limit) ?? 0
  }

  /// Writes out all samples that are held back and makes the header true for them, so that nothing is lost if the program
  /// dies. If a header cannot be changed it only writes out.
  ///
  /// A file that is recorded ``FileReplacement/inPlace`` does so by itself.
  public func updateHeader() throws(AudioError) {
    try withFile(bringUpToDate)
  }

  public func receive(_ notice: SinkNotice) throws(AudioError) {
    guard case .open(let file) = state else { return }
    switch notice {
    case .leftOut(upTo: let position): try file.begin(at: position)
    case .idle: if file.isRecording, schedule.isDue(isResting: true) { try updateHeader() }
    case .eventEnded, .waited: break
    }
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

  /// Completes the file. An abandoned one is removed if its old state can come back (see ``FileReplacement``), and
  /// completed with the samples that it has if not. A recording in place that got no sample leaves an old file as it was,
  /// and no new one.
  public func stop(_ reason: StopReason) throws(AudioError) {
    let file: WrittenSoundFile
    var hasFailed = false
    switch state {
    case .uninitialised, .stopped: return
    case .open(let open): file = open
    case .failed(let failed): (file, hasFailed) = (failed, true)
    }
    state = .stopped(file)
    if reason == .abandoned { file.abandon() }
    if reason == .abandoned || hasFailed, !file.keepsIncomplete {
      leftNoFile = hasFailed
      return file.discard()
    }
    if !hasFailed, !file.hasSamples, let refusal = fileFormat.refusalOfNothing {
      file.discard()
      throw AudioError(
        .unsupported, cannot: "write to", file.name, because: refusal,
        advice: "take another container, such as flac")
    }
    leftNoFile = file.isUnbegunRecording
    if leftNoFile { return file.discard() }
    do {
      if !hasFailed { try file.complete() }
      sampleDigest = try file.commit(marks, if: accepts)
    } catch {
      let error = file.fail(with: error, marks)
      file.discard()
      throw error
    }
  }

  public func dispose() {
    guard let file else { return }
    state = .stopped(file)
    file.abandon()
    file.discard()
  }

  private func bringUpToDateIfDue(_ file: WrittenSoundFile) throws(AudioError) {
    if file.isRecording, schedule.isDue() { try bringUpToDate(file) }
  }

  private func bringUpToDate(_ file: WrittenSoundFile) throws(AudioError) {
    try file.bringUpToDate()
    schedule.updated()
  }

  /// - Throws: `lifeCycle` if samples cannot be written now.
  private func openFile() throws(AudioError) -> WrittenSoundFile {
    let reason: String
    switch state {
    case .open(let file): return file
    case .uninitialised: reason = "the sink is not initialised"
    case .failed: reason = "it failed before"
    case .stopped: reason = "it was stopped"
    }
    throw AudioError(.lifeCycle, cannot: "write to", destination.location.name, because: reason)
  }

  /// Lets `body` write into the open file, which has failed if `body` throws.
  private func withFile<Result>(
    _ body: (WrittenSoundFile) throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    let file = try openFile()
    do {
      return try body(file)
    } catch {
      state = .failed(file)
      throw file.fail(with: error, marks)
    }
  }
}
