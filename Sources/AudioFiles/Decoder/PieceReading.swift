// SPDX-License-Identifier: Apache-2.0
/// Reads one file for many pieces of it, one piece after another.
///
/// If the pieces come in the order of their starts, the file is decoded once, even if they overlap: the samples that a
/// later piece needs are kept, up to a limit. Beyond the limit the file is opened again. Session thread only.
package final class PieceReading {
  private let makeFile: () throws(AudioError) -> FileSource
  /// The open file. Nil before the first piece, and after a failure.
  package private(set) var file: FileSource?
  private var description: SourceDescription?
  private var metadataFound: Metadata??
  private var failure: AudioError?
  /// The position of the next sample that the file gives, in samples per channel.
  private var position: Int64 = 0
  /// The first sample that is kept.
  private var keptFrom = Int64.max
  /// The samples in front of `position` that are kept, in the type of the last session.
  private let (single, double) = (SampleQueue<Float>(), SampleQueue<Double>())
  private let wakeup = Wakeup()

  /// The most samples kept, over all channels: 16 MiB of single precision.
  private static let mostKept = 1 << 22

  /// - Parameter makeFile: returns the source of the file, not yet initialised.
  package init(of makeFile: @escaping () throws(AudioError) -> FileSource) {
    self.makeFile = makeFile
  }

  deinit { file?.dispose() }

  /// Opens the file unless it is open.
  ///
  /// - Throws: the error of ``FileSource/initialize(proposing:wakeup:)``, each time.
  package func open() throws(AudioError) -> SourceDescription {
    if let description { return description }
    if let failure { throw failure }
    do {
      let opened = try reopen()
      description = opened
      return opened
    } catch {
      failure = error
      throw error
    }
  }

  /// Returns the source of one piece.
  ///
  /// - Parameter kept: the first sample that this piece or a later one reads again; nil if none does.
  package func source(keepingFrom kept: Int64?) -> any AudioSource {
    PieceSource(self, keepingFrom: kept ?? .max)
  }

  private func reopen() throws(AudioError) -> SourceDescription {
    file?.dispose()
    file = nil
    forget()
    position = 0
    let next = try makeFile()
    do {
      let opened = try next.initialize(proposing: nil, wakeup: wakeup)
      try next.start()
      file = next
      return opened
    } catch {
      next.dispose()
      throw error
    }
  }

  private func forget() {
    single.removeAll()
    double.removeAll()
  }

  fileprivate func metadata() throws(AudioError) -> Metadata? {
    if let metadataFound { return metadataFound }
    let found = try file?.metadata() ?? nil
    metadataFound = found
    return found
  }

  fileprivate func keep(from sample: Int64) { keptFrom = sample }

  fileprivate func read<Sample: AudioSample>(
    at place: Int64, into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    if let single = single as? SampleQueue<Sample> {
      return try read(at: place, through: single, into: &output)
    }
    if let double = double as? SampleQueue<Sample> {
      return try read(at: place, through: double, into: &output)
    }
    return .ended
  }

  private func read<Sample: AudioSample>(
    at place: Int64, through kept: SampleQueue<Sample>, into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    let channelCount = description?.format.channelCount ?? 1
    let first = position - Int64(kept.count / channelCount)
    if (first..<position).contains(place) {
      let start = Int(place - first) * channelCount
      let count = min(output.freeCapacity, kept.count - start)
      Sample.accept(kept.readable.extracting(start..<start + count), into: &output)
      return .ready
    }
    try move(to: place)
    guard let file else { return .ended }
    let before = output.count
    let status = try file.read(into: &output)
    guard status == .ready else { return status }
    keep(output.span.extracting(before..<output.count), in: kept, channelCount)
    position += Int64((output.count - before) / channelCount)
    return .ready
  }

  /// Moves the file to a place that is not kept.
  private func move(to place: Int64) throws(AudioError) {
    if place == position, file != nil { return }
    forget()
    if file == nil || place < position { _ = try reopen() }
    if place > position { _ = try file?.skip(samplesPerChannel: place - position) }
    position = place
  }

  /// Keeps those of the next samples that are read again.
  private func keep<Sample: AudioSample>(
    _ samples: Span<Sample>, in kept: SampleQueue<Sample>, _ channelCount: Int
  ) {
    let end = position + Int64(samples.count / channelCount)
    guard keptFrom < end else { return forget() }
    // The other type's samples would end in front of these.
    if kept.isEmpty { forget() }
    let first = position - Int64(kept.count / channelCount)
    if keptFrom > first { kept.consume(min(kept.count, Int(keptFrom - first) * channelCount)) }
    kept.append(samples.extracting(Int(max(0, keptFrom - position)) * channelCount..<samples.count))
    if kept.count > Self.mostKept {
      kept.consume((kept.count - Self.mostKept) / channelCount * channelCount)
    }
  }
}

/// The file of a reading as the source of one session. Its end leaves the file open.
private final class PieceSource: AudioSource {
  private let reading: PieceReading
  private let keptFrom: Int64
  private var place: Int64 = 0
  private var channelCount = 1

  init(_ reading: PieceReading, keepingFrom kept: Int64) {
    self.reading = reading
    keptFrom = kept
  }

  func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    let description = try reading.open()
    channelCount = description.format.channelCount
    place = 0
    reading.keep(from: keptFrom)
    return description
  }

  func skip(samplesPerChannel count: Int64) throws(AudioError) -> Bool {
    place += count
    return true
  }

  func metadata() throws(AudioError) -> Metadata? { try reading.metadata() }

  func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    let before = output.count
    let status = try reading.read(at: place, into: &output)
    place += Int64((output.count - before) / channelCount)
    return status
  }

  func stop() {}
  func dispose() {}
}
