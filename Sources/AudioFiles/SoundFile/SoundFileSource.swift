// SPDX-License-Identifier: Apache-2.0
/// A sound file, or a pipe that delivers one, as a source.
///
/// Reads every container and encoding that libsndfile reads; WAV and its kin, and headerless data, by
/// its own code, so that streams of unknown length work. Session thread only.
public final class SoundFileSource: AudioSource {
  private let location: FileLocation
  private let wantedContainer: Container?
  private let headerless: HeaderlessFormat?
  /// 4 GiB: more than any container without 64-bit sizes can hold.
  public static let usualSpoolLimit: Int64 = FileDescriptor.usualSpoolLimit
  /// How many bytes of a stream a temporary file may hold, where a container can only be read by seeking in it;
  /// may be changed until `initialize`. The file has no name and lies in the folder that `TMPDIR` names, else in
  /// `/var/tmp`.
  public var spoolLimit = SoundFileSource.usualSpoolLimit
  /// What the user knows better than the header; may be changed until `initialize`.
  package var corrections = HeaderCorrections()
  /// Whether a thread of its own may decode ahead of a long file; may be changed until `initialize`.
  public var mayReadAhead: Bool {
    get { workers.isGranted }
    set { workers = WorkerAllowance(isGranted: newValue) }
  }
  /// The same, for sessions that share processors while they run.
  package var workers = WorkerAllowance(isGranted: true)
  /// How a pipe ends if the session is asked to finish; may be changed until `initialize`.
  var ending = StreamEnding.withWriter
  private var file: OpenedSoundFile?
  /// What `initialize` refused, from its first byte on, until somebody takes it.
  private var refused: FileDescriptor?
  /// Why a stream is not read to its end; told behind its last sample.
  private var failure: AudioError?
  private var staged = ByteQueue(capacity: SoundFileSource.blockSizes.upperBound)
  /// Bytes at a time: eight times what is asked for at once, within these bounds. At the upper one the cost
  /// of the system calls no longer shows. A session of many files asks each for little, so that what all of
  /// them have staged stays in the processor's cache.
  private static let blockSizes = 1 << 14...1 << 16
  private var isRegular = false
  private var ahead: ReadAhead?
  /// Blocks that the session thread read itself.
  private var ownBlocks = 0
  /// How many of them are read before a thread is worth starting: half a MiB. For plain samples it never is:
  /// the thread would cost more processor time than it saves.
  private static let mostOwnBlocks = 8
  private var bytesPerFrame = 1
  private var hasEnded = false
  /// Samples per channel that were delivered or passed over.
  private(set) var position: Int64 = 0

  /// By how much the file is shorter than its header claims. Known after `initialize` where its size shows it,
  /// else once `read` has answered `ended`.
  public private(set) var truncation: Truncation?
  /// Samples per channel that stand in the file behind those that its header states, and are not read. Known after `initialize`; 0 of a pipe.
  public private(set) var samplesBehind: Int64 = 0
  /// The choices that the header needed. Known after `initialize`; of a pipe once samples were read that are not
  /// silent.
  package private(set) var headerReadings: [HeaderReading] = []
  /// What the file holds, where that is several streams one behind the other: a chained Ogg file, MPEG audio that
  /// changes. Known after `initialize`; of a pipe, once `read` has answered `ended`.
  package private(set) var joinedStreams: JoinedStreams?
  /// How many bytes at the end were less than a sample of every channel, and were left out. Known once
  /// `read` has answered `ended`.
  public private(set) var trailingBytes = 0

  /// - Parameters:
  ///   - path: the file; `-` is standard input.
  ///   - container: what the file has to be; nil = whatever its content says. `raw` needs `headerless`.
  ///   - headerless: what a `raw` file holds.
  public init(
    path: String, container: Container? = nil, headerless: HeaderlessFormat? = nil
  ) {
    location = path == "-" ? .descriptor(0, name: "standard input") : .path(path)
    wantedContainer = container
    self.headerless = headerless
  }

  /// A descriptor that is already open, which is read from where it stands and never closed.
  ///
  /// - Parameters:
  ///   - descriptor: open for reading.
  ///   - name: what errors call it.
  ///   - container: what it has to be; nil = whatever its content says. `raw` needs `headerless`.
  ///   - headerless: what a `raw` stream holds.
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

  /// - Throws: `notFound`, `unavailable` (a directory, no permission), `unrecognised` (not a sound file),
  ///   `malformed` (its header is broken), `unsupported` (also beyond ``spoolLimit``), `inputOutput`;
  ///   `invalidParameter` where this session writes to the file too, or another is about to empty it.
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

  /// What the file carries beside its samples. Of a pipe, what stands in front of them.
  public func metadata() throws(AudioError) -> Metadata? {
    guard let file else { throw notInitialized }
    return try file.metadata()
  }

  public func start() throws(AudioError) {}

  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    guard let file else { throw notInitialized }
    // libsndfile waits until a pipe has delivered all that it was asked for.
    let isPatient = file.handle.map { $0.storage == nil } ?? false
    let sampleSize = file.reader.layout.bytesPerSample
    let wanted = output.freeCapacity * sampleSize
    try fill(file, wanting: wanted, atMost: isPatient ? wanted : .max)
    let staged = staged
    let sampleFrames = min(
      staged.count / bytesPerFrame, output.freeCapacity / file.format.channelCount)
    guard sampleFrames > 0 else {
      if let failure { throw failure }
      return .ended
    }
    let byteCount = sampleFrames * bytesPerFrame
    Sample.decode(staged.readable(byteCount), as: file.reader.layout, into: &output)
    staged.consume(byteCount)
    position += Int64(sampleFrames)
    return .ready
  }

  /// Passes over the next samples: by seeking where the file allows it exactly, else by reading them.
  ///
  /// To be called after `initialize`. Beyond the end, the next `read` answers `ended`.
  ///
  /// - Parameter count: samples per channel, not negative.
  /// - Returns: always true.
  @discardableResult
  public func skip(samplesPerChannel count: Int64) throws(AudioError) -> Bool {
    guard let file else { throw notInitialized }
    var remaining = count
    func dropStaged() {
      let sampleFrames = min(remaining, Int64(staged.count / bytesPerFrame))
      staged.consume(Int(sampleFrames) * bytesPerFrame)
      remaining -= sampleFrames
      position += sampleFrames
    }
    dropStaged()
    guard remaining > 0 else { return true }
    // A part of a sample frame may be staged; a seek starts from whole ones.
    if staged.count == 0, ahead == nil, try file.reader.skip(sampleFrames: remaining) {
      position += remaining
      return true
    }
    while remaining > 0, !hasEnded {
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

  /// Standard input, where `initialize` did not know what comes from there.
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
  ///   - wanted: bytes that are asked for now.
  ///   - limit: bytes that may be read; more would have to be waited for.
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

  /// A decoder that gives nothing of what the file claims has failed.
  private func requireSamples(_ file: OpenedSoundFile) throws(AudioError) {
    guard position == 0, let handle = file.handle,
      !file.container.storesPlainSamples(file.encoding),
      let claimed = [file.claimedSamplesPerChannel, file.samplesPerChannel].compactMap(\.self)
        .max(),
      claimed > 0
    else { return }
    throw AudioError(
      .malformed, cannot: "read", handle.name,
      because: "libsndfile decodes none of its \(claimed) samples per channel")
  }

  /// Of a stream it is only known later where padded bits lie.
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
