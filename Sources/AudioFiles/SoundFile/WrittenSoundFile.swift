// SPDX-License-Identifier: Apache-2.0
/// A sound file that a ``SoundFileSink`` writes: the file, the writer of its container, and the encoder in front.
///
/// Session thread only.
final class WrittenSoundFile {
  /// How the file is written. ``SoundFileSink`` has the public ones as properties.
  struct Options {
    var fileFormat: FileFormat
    var dither: Dither
    var workers = WorkerAllowance(isGranted: true)
    var digestsSamples = false
    var samplesPerWrite: Int?
    /// The quantiser of another file, whose stream goes on in this one.
    var inheritedQuantiser: Quantiser?
    /// The size from which on a WAV file becomes RF64; smaller in tests.
    var largestRIFFSize = WaveHeaderWriter.largestRIFFSize
    /// Whether the file is one of several into which a stream is split.
    var isPart = false
  }

  private enum Content {
    /// The file holds its old content until the first sample comes; its new header will have this size.
    case old(headerSize: Int64)
    case new(any SampleWriter, SampleEncoder)
  }

  let format: StreamFormat
  private let options: Options
  private let destination: FileDestination
  private let output: OutputFile
  private var content = Content.old(headerSize: 0)
  private var metadata: Metadata?
  private(set) var metadataOmissions: [Metadata.Omission] = []
  /// Bytes behind the samples, at most, without marks.
  private var sizeBehind: Int64 = 0
  /// Whether samples go out in pieces of one size.
  private(set) var writesPieces = false
  /// After a failure: the samples per channel that the file's header covers; 0 if the file is removed.
  private(set) var keptAfterFailure: Int64?

  /// Opens the file, and begins it unless it has an old content.
  ///
  /// - Throws: as ``SoundFileSink/initialize(proposing:wakeup:)``.
  init(
    _ destination: FileDestination, _ format: StreamFormat, _ options: Options,
    _ metadata: Metadata?, _ wakeup: Wakeup
  ) throws(AudioError) {
    self.destination = destination
    self.format = format
    self.options = options
    self.metadata = metadata
    output = try destination.open(wakeup)
    do {
      if output.holdsOldContent {
        // An old file is replaced only if the new one can be written, and not before there is a sample.
        let trial = try SpooledFile.inMemory(named: output.descriptor.name)
        _ = try makeWriter(trial)
        content = .old(headerSize: try trial.size())
      } else {
        _ = try makeEncoder()
      }
    } catch {
      output.discard()
      throw error
    }
  }

  private var writer: (any SampleWriter)? {
    if case .new(let writer, _) = content { writer } else { nil }
  }

  /// The encoder; nil while an old file is still as it was.
  var encoder: SampleEncoder? {
    if case .new(_, let encoder) = content { encoder } else { nil }
  }

  /// In errors.
  var name: String { output.descriptor.name }

  var hasSamples: Bool { encoder?.hasSamples == true }

  /// Samples per channel that a reader finds in the file.
  var keptSamplesPerChannel: Int64 { keptAfterFailure ?? encoder?.samplesPerChannel ?? 0 }

  /// Whether it is a recording in place without a sample: an old file is as it was, and a new one is not to stay.
  var isUnbegunRecording: Bool {
    destination.replacement == .inPlace && !keepsIncomplete && !hasSamples
  }

  /// Whether a file that is not complete stays.
  var keepsIncomplete: Bool { output.keepsIncomplete }

  /// Whether the file is to be readable while it grows, and has samples.
  var isRecording: Bool {
    destination.replacement == .inPlace && output.descriptor.isRegular && keepsIncomplete
      && hasSamples
  }

  // MARK: Samples

  func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    guard !samples.isEmpty else { return .accepted }
    let encoder = try begin()
    let status = try encoder.write(samples)
    // The reader of a pipe gets its samples at once; a file can wait for larger blocks.
    return output.descriptor.isRegular ? status : try encoder.flush()
  }

  /// Appends silence as a hole in the file.
  ///
  /// - Returns: false if the container does not allow it: samples are not plain there, or cannot be seeked in.
  func appendSilence(_ length: Int64) throws(AudioError) -> Bool {
    guard length > 0 else { return true }
    return try begin().appendSilence(length)
  }

  /// Moves the beginning of an empty file to another position of the stream, in samples per channel.
  func begin(at position: Int64) throws(AudioError) {
    guard !hasSamples, let metadata, metadata.broadcast != nil else { return }
    self.metadata = metadata.converted(to: format.sampleRate).part(from: position)
    guard let writer = writer as? PlainSampleWriter else { return }
    try writer.restate(
      WrittenMetadata(
        self.metadata, in: options.fileFormat, format, isPatchable: true, isPart: options.isPart))
  }

  /// Samples per channel that still fit, so that the file ends within `limit` bytes. A codec may need fewer bytes than
  /// this takes for granted: ask again after so many.
  func samplesPerChannelThatFit(in limit: Int64) throws(AudioError) -> Int64 {
    _ = try encoder?.flush()
    let bound = FileSizeBound(options.fileFormat, channelCount: format.channelCount)
    let size =
      if case .old(let headerSize) = content { headerSize } else { try output.descriptor.size() }
    return bound.sampleFrames(from: size + sizeBehind, to: limit)
  }

  /// Writes the samples first, then the header that covers them: at no moment does a header claim samples that are not
  /// there, on the disk either.
  func bringUpToDate() throws(AudioError) {
    try destination.requireName(of: output)
    try encoder?.complete()
    let isForced = destination.synchronization == .regularly
    if isForced { try output.synchronize() }
    try writer?.updateHeader()
    if isForced, output.descriptor.isPatchable { try output.synchronize() }
  }

  // MARK: The end

  /// Takes no more samples; those that the encoder still has are lost.
  func abandon() { encoder?.abandon() }

  func complete() throws(AudioError) { try begin().complete() }

  /// Completes the file, gives it its name, and returns the digest of the samples if one was asked for.
  ///
  /// - Parameter accepts: whether the complete file is kept.
  func commit(
    _ marks: PendingMarks, if accepts: (FileDescriptor) throws(AudioError) -> Bool
  ) throws(AudioError) -> [UInt8]? {
    guard let writer else { return nil }
    try forceSamples()
    try finish(writer, marks)
    guard try accepts(output.descriptor) else {
      discard()
      return nil
    }
    try destination.commit(output)
    return encoder?.digest?.finish()
  }

  /// Removes the file, if it has no name of its own or its old content can come back.
  func discard() { output.discard() }

  /// Takes note of a failure: completes the part of the file that stays, and says in the error how much that is.
  func fail(with error: AudioError, _ marks: PendingMarks) -> AudioError {
    abandon()
    keptAfterFailure = 0
    if keepsIncomplete, let writer {
      // A disk that fails may force nothing any more. The header states the samples that it took all the same.
      try? forceSamples()
      // If the header cannot be changed any more either, less is kept than was written.
      try? finish(writer, marks)
      keptAfterFailure = writer.keptSampleFrames
      if keptAfterFailure == 0 { output.withdraw() }
    }
    var error = error
    let isEmptyStream = !output.descriptor.isRegular && keptSamplesPerChannel == 0
    if error.advice == nil, [.inputOutput, .unavailable].contains(error.kind), !isEmptyStream {
      error.advice =
        keepsIncomplete
        ? "the first \(keptSamplesPerChannel) samples per channel are kept" : "nothing was kept"
    }
    return error
  }

  /// The last header of a recording, too, covers only samples that are on the disk.
  private func forceSamples() throws(AudioError) {
    if destination.synchronization == .regularly, keepsIncomplete { try output.synchronize() }
  }

  private func finish(
    _ writer: any SampleWriter, _ marks: PendingMarks
  ) throws(AudioError) {
    for mark in marks.take(before: nil, at: 0) {
      writer.mark(mark.position, at: mark.sampleRate, label: mark.label)
    }
    try writer.finish()
    _ = try output.descriptor.releaseBeginning()
  }

  // MARK: The beginning

  /// The encoder; from now on the file has no old content.
  private func begin() throws(AudioError) -> SampleEncoder {
    try output.begin()
    if let encoder { return encoder }
    return try makeEncoder()
  }

  private func makeEncoder() throws(AudioError) -> SampleEncoder {
    let mayBePlain = options.fileFormat.container.row.ownWriting != nil
    let pieces = output.descriptor.isRegular || !mayBePlain ? nil : options.samplesPerWrite
    if let pieces { try check(pieces) }
    // Pieces have a size of their own, and samples alone need not wait.
    if pieces == nil, options.fileFormat.container != .raw { output.descriptor.holdBeginning() }
    let writer = try makeWriter(output.descriptor)
    // A recording is to be on the disk at once.
    let mayOverlap =
      destination.replacement == .onCompletion && output.descriptor.isRegular && writer.encodes
    let plain = pieces == nil ? nil : writer as? PlainSampleWriter
    plain?.largestStep = .max
    let encoder = SampleEncoder(
      writer, channelCount: format.channelCount, dither: options.dither,
      continuing: options.inheritedQuantiser, overlap: mayOverlap ? options.workers : nil,
      samplesPerWrite: plain == nil ? nil : pieces)
    writesPieces = plain != nil
    if options.digestsSamples {
      encoder.digest = SampleDigest(
        options.fileFormat.encoding, layout: writer.layout,
        significantBits: writer.significantBits)
    }
    content = .new(writer, encoder)
    return encoder
  }

  /// A reader can do nothing with a part of a sample frame.
  private func check(_ samplesPerWrite: Int) throws(AudioError) {
    let isCount = (1...Int(Int32.max)).contains(samplesPerWrite)
    if isCount, samplesPerWrite % format.channelCount == 0 { return }
    throw AudioError(
      .invalidParameter, cannot: "write samples per call", "\(samplesPerWrite)",
      because: isCount
        ? "it does not divide by the \(format.channelCount) channels of the output"
        : "it must be 1 to \(Int32.max)")
  }

  private func makeWriter(_ descriptor: FileDescriptor) throws(AudioError) -> any SampleWriter {
    let written = try WrittenMetadata(
      metadata, in: options.fileFormat, format, isPatchable: descriptor.isPatchable,
      isPart: options.isPart)
    metadataOmissions = written.omissions
    sizeBehind = written.sizeBehind
    return try options.fileFormat.writer(
      to: descriptor, format, written, largestRIFFSize: options.largestRIFFSize)
  }
}

/// Decides when a recording's file is updated: often enough that a crash loses less than a second.
///
/// A slow update is followed by a pause of its own duration, at most one interval. Otherwise, the recording would fall
/// behind, because samples must be written, too.
struct UpdateSchedule {
  /// Samples may wait half a second before they are written. With this interval and the tolerance, less than a second
  /// is lost. Zero = an update with every write.
  var interval: Duration = .milliseconds(470)
  /// The start of the last update, and its duration.
  private var last: MonotonicTime?
  private var cost: Duration = .zero
  private var rested: MonotonicTime?

  /// The permitted delay of an update: the threads of devices and writers are not exact to the millisecond.
  private var tolerance: Duration { interval / 20 }

  /// Whether an update is due, as it is the first time. A due update restarts the interval.
  ///
  /// - Parameter isResting: whether no write follows for a while, so that now is the best time. The update is due early
  ///   if the next rest, after an equal time, would come too late.
  mutating func isDue(isResting: Bool = false, at now: MonotonicTime = .now) -> Bool {
    let sinceRest = rested.map { now.elapsed(since: $0) } ?? .zero
    if isResting { rested = now }
    if let last {
      let pause = max(interval, cost + min(cost, interval))
      let patience = pause + tolerance - (isResting ? sinceRest : .zero)
      guard now.elapsed(since: last) >= patience else { return false }
    }
    last = now
    cost = .zero
    return true
  }

  mutating func updated(at now: MonotonicTime = .now) {
    if let last { cost = now.elapsed(since: last) }
  }
}
