// SPDX-License-Identifier: Apache-2.0
/// Reads a source to its end into a temporary file before it delivers samples. A pipe's length is then known, and it
/// can be read again.
///
/// Samples stay unchanged: 64-bit floating point holds those of more than 16 bits, 32-bit the others. The file has no
/// name and lies in the folder named by `TMPDIR`, else in `/var/tmp`. Several sessions may use a spool in sequence. The
/// first one reads the source. Session thread only.
package final class SpooledSource: AudioSource, ComposedSource {
  private let base: any AudioSource
  package var sources: [any AudioSource] { [base] }
  private let needsLengthOnly: Bool
  private let limit: Int64
  /// Whether the source is passed on without a file, because its length is known.
  private var isPassing = false
  private(set) var spool: (file: FileDescriptor, description: SourceDescription)?
  private var reader: SoundFileSource?
  private var carried: Metadata?
  /// The reason why the source was not stored to its end; thrown behind the last stored sample.
  private var failure: AudioError?
  /// Whether the source continues behind its stored part.
  package var isCutShort: Bool { failure != nil }
  /// Whether the source was disposed.
  private var isReleased = false

  /// - Parameters:
  ///   - base: a source that ends, and is not live; used only by this spool.
  ///   - needsLengthOnly: whether a source that states its length is passed on without a file, for one session.
  ///   - limit: the largest size of the file in bytes.
  public init(
    _ base: any AudioSource, needsLengthOnly: Bool = false,
    limit: Int64 = SoundFileSource.usualSpoolLimit
  ) {
    self.base = base
    self.needsLengthOnly = needsLengthOnly
    self.limit = limit
  }

  public var takesProposedFormat: Bool { base.takesProposedFormat }

  /// The first call reads the source to its end.
  ///
  /// If a source that is not repeatable fails, its stored part is delivered, and then the error is thrown.
  ///
  /// - Throws: the error of the source; `unsupported` if it is live or the file would become too large.
  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    if spool == nil {
      let description = try base.initialize(proposing: proposal, wakeup: wakeup)
      if needsLengthOnly, description.samplesPerChannel != nil {
        isPassing = true
        return description
      }
      try fill(description)
    }
    guard let (file, description) = spool else {
      throw AudioError(.lifeCycle, cannot: "read", "the spooled source", because: "it is empty")
    }
    try file.rewind()
    let isSingle = description.encoding.precision == .single
    let layout: SampleLayout = isSingle ? SampleLayout(.f32) : SampleLayout(.f64)
    let reader = SoundFileSource(
      descriptor: file.number, name: file.name, container: .raw,
      headerless: HeaderlessFormat(description.format, layout))
    reader.mayReadAhead = false
    self.reader = reader
    _ = try reader.initialize(proposing: nil, wakeup: wakeup)
    return description
  }

  /// Reads the initialised source to its end and releases it.
  private func fill(_ description: SourceDescription) throws(AudioError) {
    var isRunning = false
    defer {
      if isRunning { base.stop() }
      isReleased = true
      base.dispose()
    }
    guard !description.isLive else {
      throw AudioError(
        .unsupported, cannot: "spool a live source", "", because: "it has no end to wait for")
    }
    carried = try base.metadata()
    let file = try SpooledFile.empty(named: "the spooled source")
    try base.start()
    isRunning = true
    let isSingle = description.encoding.precision == .single
    let layout = isSingle ? SampleLayout(.f32) : SampleLayout(.f64)
    var count: Int64 = 0
    do throws(AudioError) {
      if isSingle {
        try copy(Float.self, layout, description.format, to: file, counting: &count)
      } else {
        try copy(Double.self, layout, description.format, to: file, counting: &count)
      }
    } catch {
      guard !description.isRepeatable, error.kind != .interrupted, count > 0 else { throw error }
      failure = error
    }
    var description = description
    description.samplesPerChannel = count / Int64(description.format.channelCount)
    spool = (file, description)
  }

  /// - Parameter total: the stored samples over all channels.
  private func copy<Sample: AudioSample>(
    _: Sample.Type, _ layout: SampleLayout, _ format: StreamFormat, to file: FileDescriptor,
    counting total: inout Int64
  ) throws(AudioError) {
    let queue = SampleQueue<Sample>()
    let capacity = BlockSize.samplesPerChannel(format) * format.channelCount
    while true {
      let status = try queue.append(atMost: capacity) { (output) throws(AudioError) in
        try base.read(into: &output)
      }
      guard status == .ready else { return }
      let size = queue.count * layout.bytesPerSample
      let offset = total * Int64(layout.bytesPerSample)
      guard offset + Int64(size) <= limit else {
        throw AudioError(
          .unsupported, cannot: "spool to a temporary file the data of", "the source",
          because: "it is more than \(limit) bytes, the spool limit")
      }
      var bytes = [UInt8](repeating: 0, count: size)
      var span = bytes.mutableSpan
      var raw = unsafe span.mutableBytes
      _ = Sample.encode(queue.readable, as: layout, into: &raw)
      try file.write(bytes, at: offset)
      total += Int64(queue.count)
      queue.removeAll()
    }
  }

  public func metadata() throws(AudioError) -> Metadata? {
    isPassing ? try base.metadata() : carried
  }

  public func skip(samplesPerChannel count: Int64) throws(AudioError) -> Bool {
    isPassing
      ? try base.skip(samplesPerChannel: count)
      : try reader?.skip(samplesPerChannel: count) ?? false
  }

  public func start() throws(AudioError) {
    if isPassing { try base.start() }
  }

  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    if isPassing { return try base.read(into: &output) }
    guard let reader else { return .ended }
    let status = try reader.read(into: &output)
    if status == .ended, let failure { throw failure }
    return status
  }

  public func stop() {
    if isPassing { base.stop() }
  }

  public func dispose() {
    reader?.dispose()
    reader = nil
    if !isReleased, spool == nil {
      isReleased = true
      base.dispose()
    }
  }
}
