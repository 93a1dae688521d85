// SPDX-License-Identifier: Apache-2.0
/// A source that reads a sound file, or a pipe that delivers one.
///
/// Reads every container and encoding that libsndfile reads. The library reads WAV of all kinds and headerless data
/// itself, so that streams of unknown length work. Session thread only.
public final class SoundFileSource: AudioSource {
  private let location: FileLocation
  private let wantedContainer: Container?
  private let headerless: HeaderlessFormat?
  /// 4 GiB: more than any container without 64-bit sizes can hold.
  public static let usualSpoolLimit: Int64 = FileDescriptor.usualSpoolLimit
  /// The most bytes in the temporary file that makes a stream seekable, if its container requires this; may be changed
  /// until `initialize`. The file has no name and lies in the folder named by `TMPDIR`, else in `/var/tmp`.
  public var spoolLimit = SoundFileSource.usualSpoolLimit
  /// The user's corrections of the header; may be changed until `initialize`.
  package var corrections = HeaderCorrections()
  /// Whether a separate thread may decode a long file ahead; may be changed until `initialize`.
  public var mayReadAhead: Bool {
    get { workers.isGranted }
    set { workers = WorkerAllowance(isGranted: newValue) }
  }
  /// The allowance behind ``mayReadAhead``, for sessions that share processors while they run.
  package var workers = WorkerAllowance(isGranted: true)
  /// The end of a pipe if the session is asked to finish; may be changed until `initialize`.
  var ending = StreamEnding.withWriter
  /// Returns the position in front of which a read stops, in samples per channel; asked once samples have arrived. Such
  /// a read may give none. Nil = it never stops. It is set before the first read.
  var barrier: (() -> Int64)?
  private var file: OpenedSoundFile?
  /// The input that `initialize` refused, from its first byte on, until it is taken.
  private var refused: FileDescriptor?
  /// The reason why a stream is not read to its end; thrown behind its last sample.
  private var failure: AudioError?
  private var staged = ByteQueue(capacity: SoundFileSource.blockSizes.upperBound)
  /// The bounds of a read in bytes, which is eight times the request. At the upper one, the cost of system calls is
  /// negligible. Sessions of many files make small requests, so that all staged bytes stay in the processor's cache.
  private static let blockSizes = 1 << 14...1 << 16
  private var isRegular = false
  private var ahead: ReadAhead?
  /// The blocks read by the session thread itself.
  private var ownBlocks = 0
  /// The own blocks before a thread is started: half a MiB. Plain WAV and headerless samples never start one: it would
  /// cost more processor time than it saves.
  private static let mostOwnBlocks = 8
  private var bytesPerFrame = 1
  private(set) var hasEnded = false
  /// The samples per channel delivered or skipped so far.
  private(set) var position: Int64 = 0

  /// The difference from the header's length if the file is shorter. Known after `initialize` if the file's size shows
  /// it, else after `read` returned `ended`.
  public private(set) var truncation: Truncation?
  /// The samples per channel behind the stated ones, which are not read. Known after `initialize`; 0 for a pipe.
  public private(set) var samplesBehind: Int64 = 0
  /// The choices that the header required. Known after `initialize`; for a pipe, after the first samples that are not
  /// silent.
  package private(set) var headerReadings: [HeaderReading] = []
  /// The streams of a file with several consecutive ones: a chained Ogg file, or MPEG audio of changing format. Known
  /// after `initialize`; for a pipe, after `read` returned `ended`.
  package private(set) var joinedStreams: JoinedStreams?
  /// The bytes dropped at the end, because they are less than one sample per channel. Known after `read` returned
  /// `ended`.
  public private(set) var trailingBytes = 0

  /// - Parameters:
  ///   - path: the file; `-` is standard input.
  ///   - container: the required container of the file; nil = any. `raw` needs `headerless`.
  ///   - headerless: the content of a `raw` file.
  public init(
    path: String, container: Container? = nil, headerless: HeaderlessFormat? = nil
  ) {
    location = path == "-" ? .descriptor(0, name: "standard input") : .path(path)
    wantedContainer = container
    self.headerless = headerless
  }

  /// Reads an open descriptor from its current position, and never closes it.
  ///
  /// - Parameters:
  ///   - descriptor: a descriptor open for reading.
  ///   - name: the input's name in errors.
  ///   - container: the required container of the input; nil = any. `raw` needs `headerless`.
  ///   - headerless: the content of a `raw` stream.
  public init(
    descriptor: Int32, name: String, container: Container? = nil,
    headerless: HeaderlessFormat? = nil
  ) {
    location = .descriptor(descriptor, name: name)
    wantedContainer = container
    self.headerless = headerless
  }

  /// The file's container; nil before `initialize`.
  public var container: Container? { file?.container }

  /// - Throws: `notFound`, `unavailable` (a directory, no permission), `unrecognised` (not a sound file), `malformed`
  ///   (its header is broken), `unsupported` (also beyond ``spoolLimit``), `inputOutput`; `invalidParameter` if this
  ///   session also writes to the file, or another one is about to empty it.
  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    let descriptor = try openDescriptor(wakeup)
    descriptor.wakeup = wakeup
    descriptor.ending = ending
    descriptor.spoolLimit = spoolLimit
    descriptor.corrections = corrections
    isRegular = descriptor.isRegular
    refused = descriptor
    let opened: OpenedSoundFile
    do {
      opened = try OpenedSoundFile(descriptor, as: wantedContainer, headerless: headerless)
    } catch {
      throw descriptor.failure ?? error
    }
    failure = descriptor.failure
    refused = nil
    file = opened
    samplesBehind = opened.samplesBehind
    headerReadings = opened.readings
    bytesPerFrame = opened.reader.layout.bytesPerSample * opened.format.channelCount
    noteStreams(opened)
    if let actual = opened.samplesPerChannel { noteLength(actual) }
    return SourceDescription(
      format: opened.format, encoding: opened.encoding,
      samplesPerChannel: opened.samplesPerChannel,
      isRepeatable: isRegular || ending != .withWriter)
  }

  /// Reads the file's metadata. For a pipe, only the metadata before the samples.
  public func metadata() throws(AudioError) -> Metadata? {
    guard let file else { throw notInitialized }
    return try file.metadata()
  }

  /// The coding of the file; nil if it is lossless, or its bit rate is unknown.
  func lossyCoding() throws(AudioError) -> LossyCoding? {
    try file?.lossyCoding()
  }

  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    guard let file else { throw notInitialized }
    // libsndfile waits until a pipe has delivered all requested samples.
    let isPatient = file.handle.map { $0.storage == nil } ?? false
    let sampleSize = file.reader.layout.bytesPerSample
    let wanted = output.freeCapacity * sampleSize
    try fill(file, wanting: wanted, atMost: isPatient ? wanted : .max)
    let staged = staged
    var sampleFrames = min(
      staged.count / bytesPerFrame, output.freeCapacity / file.format.channelCount)
    guard sampleFrames > 0 else {
      if let failure { throw failure }
      return .ended
    }
    if let barrier { sampleFrames = min(sampleFrames, Int(clamping: max(0, barrier() - position))) }
    let byteCount = sampleFrames * bytesPerFrame
    Sample.decode(staged.readable(byteCount), as: file.reader.layout, into: &output)
    staged.consume(byteCount)
    position += Int64(sampleFrames)
    return .ready
  }

  /// Skips the next samples: by seeking if the file supports this exactly, else by reading them.
  ///
  /// Call this after `initialize`. Beyond the end, the next `read` returns `ended`. A barrier stops it.
  ///
  /// - Parameter count: in samples per channel, not negative.
  /// - Returns: always true.
  @discardableResult
  public func skip(samplesPerChannel count: Int64) throws(AudioError) -> Bool {
    guard let file else { throw notInitialized }
    var remaining = count
    var isStopped = false
    func dropStaged() {
      var sampleFrames = min(remaining, Int64(staged.count / bytesPerFrame))
      if sampleFrames > 0, let barrier {
        let free = max(0, barrier() - position)
        isStopped = free < sampleFrames
        sampleFrames = min(sampleFrames, free)
      }
      staged.consume(Int(sampleFrames) * bytesPerFrame)
      remaining -= sampleFrames
      position += sampleFrames
    }
    dropStaged()
    guard remaining > 0 else { return true }
    // A seek must start from whole sample frames, and a part of one may be staged.
    if staged.count == 0, ahead == nil, barrier == nil,
      try file.reader.skip(sampleFrames: remaining)
    {
      position += remaining
      return true
    }
    while remaining > 0, !hasEnded, !isStopped {
      try fill(file, wanting: Self.blockSizes.upperBound, atMost: .max)
      dropStaged()
    }
    return true
  }

  public func stop() {}

  public func dispose() {
    noteReadings()
    ahead = nil
    file = nil
    refused = nil
  }

  /// Returns standard input if `initialize` did not recognise its content, once.
  func takeRefusedInput() -> FileDescriptor? {
    defer { refused = nil }
    return if case .descriptor(0, _) = location { refused } else { nil }
  }

  private var notInitialized: AudioError {
    AudioError(.lifeCycle, cannot: "read", location.name, because: "the source is not initialised")
  }

  private func openDescriptor(_ wakeup: Wakeup) throws(AudioError) -> FileDescriptor {
    let descriptor =
      switch location {
      case .path(let path): try FileDescriptor(reading: path, wakeup: wakeup)
      case .descriptor(let number, let name): try FileDescriptor(number, name: name, closes: false)
      }
    try descriptor.claim(.read, of: wakeup)
    return descriptor
  }

  /// Reads until at least one sample frame is staged, or the end is known.
  ///
  /// - Parameters:
  ///   - wanted: the bytes requested now.
  ///   - limit: the most bytes to read without waiting.
  private func fill(
    _ file: OpenedSoundFile, wanting wanted: Int, atMost limit: Int
  ) throws(AudioError) {
    let size = max(8 * min(wanted, Self.blockSizes.upperBound), Self.blockSizes.lowerBound)
    let wholeFrames =
      max(1, min(size, Self.blockSizes.upperBound) / bytesPerFrame) * bytesPerFrame
    if ahead == nil, ownBlocks >= Self.mostOwnBlocks, workers.isGranted, limit == .max,
      file.handle != nil, isRegular, staged.count == 0
    {
      ahead = ReadAhead(file.reader, bytesPerFrame: bytesPerFrame)
    }
    while staged.count < bytesPerFrame, !hasEnded {
      if let ahead {
        guard let block = try ahead.next(returning: staged) else { break }
        staged = block
        if block.count >= bytesPerFrame { return }
        continue
      }
      let free = min(max(limit, bytesPerFrame), wholeFrames) - staged.count
      let staged = staged
      let count = try unsafe staged.append(atMost: free) { (bytes) throws(AudioError) in
        try unsafe file.reader.read(into: bytes)
      }
      ownBlocks += 1
      if count == 0 { break }
    }
    guard staged.count < bytesPerFrame, !hasEnded else { return }
    hasEnded = true
    trailingBytes = staged.count
    staged.consume(staged.count)
    noteStreams(file)
    noteLength(position)
    noteReadings()
    try requireSamples(file)
  }

  /// Throws if the decoder returned none of the claimed samples, because it has failed.
  private func requireSamples(_ file: OpenedSoundFile) throws(AudioError) {
    guard position == 0, let handle = file.handle,
      !file.container.storesPlainSamples(file.encoding),
      let claimed = [file.claimedSamplesPerChannel, file.samplesPerChannel].compactMap(\.self)
        .max(),
      claimed > 0
    else { return }
    throw .malformed(
      handle.name, because: "libsndfile decodes none of its \(claimed) samples per channel")
  }

  /// Notes the place of a stream's padded bits, which only its samples show.
  private func noteReadings() {
    guard headerReadings.isEmpty, let place = (file?.reader as? PaddedBitsReader)?.place else {
      return
    }
    headerReadings = [.paddedBits(place, isStated: false)]
  }

  private func noteStreams(_ file: OpenedSoundFile) {
    if let streams = file.links?.streams, streams.count > 1 { joinedStreams = streams }
  }

  private func noteLength(_ actual: Int64) {
    if let file, let found = Truncation(of: file, holding: actual) { truncation = found }
  }
}
