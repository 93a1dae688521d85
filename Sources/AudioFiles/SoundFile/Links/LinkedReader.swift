// SPDX-License-Identifier: Apache-2.0
/// Reads consecutive streams of a file as one stream in the first one's format. Streams of other formats are converted.
///
/// Each stream begins at the exact sum of the previous lengths, rounded up to a whole sample.
final class LinkedReader: SampleReader {
  /// Opens the next stream; returns nil at the end.
  typealias Next = () throws(AudioError) -> OpenedSoundFile?

  let layout = SampleLayout(SampleLayout.Storage.f32)
  private let format: StreamFormat
  private let next: Next
  private let stream: JoinedStream<Float>
  private var positions: SequencePositions
  private var current: LinkSource?
  /// The known streams of the file.
  private(set) var streams: JoinedStreams
  private let areAllKnown: Bool
  /// Whether a stream before the last, or one from a pipe, lacks its end.
  let lacksEnds: () -> Bool

  /// - Parameters:
  ///   - streams: all streams; nil if each is known only after its start.
  ///   - next: opens the next stream; called at the end of each one.
  ///   - lacksEnds: whether a stream lacked its end; called at the end.
  init(
    _ first: OpenedSoundFile, _ streams: JoinedStreams? = nil, next: @escaping Next,
    lacksEnds: @escaping () -> Bool = { false }
  ) {
    format = first.format
    self.next = next
    self.streams = streams ?? JoinedStreams(first.format)
    areAllKnown = streams != nil
    self.lacksEnds = lacksEnds
    current = LinkSource(first)
    stream = JoinedStream(first.format, overlap: 0, curve: .linear, hasSuccessor: true)
    positions = SequencePositions(sampleRate: first.format.sampleRate)
  }

  func read(into bytes: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
    while true {
      let taken = unsafe take(into: bytes)
      if taken > 0 { return taken }
      guard let link = current else { return 0 }
      // Samples that need no conversion are read without a copy.
      if !stream.isConverting, link.format == format, link.reader.layout == layout {
        let count = try unsafe link.reader.read(into: bytes)
        positions.add(
          Int64(count / (layout.bytesPerSample * format.channelCount)), at: format.sampleRate)
        if count > 0 { return count }
        try advance(behind: link)
        continue
      }
      let (status, count) = try stream.fill(from: link, link.format, nil, quality: .high)
      positions.add(count, at: link.format.sampleRate)
      if status == .ended { try advance(behind: link) }
    }
  }

  private func advance(behind link: LinkSource) throws(AudioError) {
    current = nil
    let following = try next().map { LinkSource($0) }
    current = following
    if let following, !areAllKnown { streams.add(following.format) }
    let goesOn = stream.isConverting && following?.format == link.format
    if !goesOn { _ = try stream.endItem(at: positions.next, isLast: following == nil) }
    if following != nil { stream.begin(hasSuccessor: true, at: positions.next) }
  }

  /// Moves the converted samples to the start of `bytes`.
  private func take(into bytes: UnsafeMutableRawBufferPointer) -> Int {
    let size = layout.bytesPerSample
    let room = bytes.count / (size * format.channelCount) * format.channelCount
    let samples = unsafe bytes.bindMemory(to: Float.self).extracting(0..<room)
    var output = unsafe OutputSpan(buffer: samples, initializedCount: 0)
    _ = stream.take(into: &output)
    return unsafe output.finalize(for: samples) * size
  }

  /// Most codecs here are lossy: samples behind a seek would differ.
  func skip(sampleFrames: Int64) -> Bool { false }
}

/// A description of consecutive streams in one file.
package struct JoinedStreams: Sendable, Hashable {
  /// The format of the first stream, in which all are read.
  public var format: StreamFormat
  /// The number of streams found so far.
  public var count = 1
  /// The other formats, which are converted to ``format``, in order of first appearance.
  public var otherFormats: [StreamFormat] = []

  init(_ format: StreamFormat) { self.format = format }

  mutating func add(_ format: StreamFormat) {
    count += 1
    if format != self.format, !otherFormats.contains(format) { otherFormats.append(format) }
  }
}

/// One of a file's consecutive streams, as an initialised source.
///
/// Runs on the session thread, or on the thread that reads ahead.
final class LinkSource: AudioSource {
  let format: StreamFormat
  let reader: any SampleReader
  /// Kept to hold the file open while it is read.
  private let file: OpenedSoundFile
  private let staged = ByteQueue(capacity: 1 << 16)

  init(_ file: OpenedSoundFile) {
    self.file = file
    format = file.format
    reader = file.reader
  }

  func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    SourceDescription(
      format: format, encoding: file.encoding, samplesPerChannel: file.samplesPerChannel)
  }

  func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    let bytesPerFrame = reader.layout.bytesPerSample * format.channelCount
    let staged = staged
    let wanted = output.freeCapacity / format.channelCount * bytesPerFrame
    while staged.count < bytesPerFrame {
      let most = max(bytesPerFrame, min(wanted, staged.capacity / bytesPerFrame * bytesPerFrame))
      let count = try unsafe staged.append(atMost: most - staged.count) {
        (bytes) throws(AudioError) in try unsafe reader.read(into: bytes)
      }
      if count == 0 { return .ended }
    }
    let byteCount = min(staged.count, wanted) / bytesPerFrame * bytesPerFrame
    Sample.decode(staged.readable(byteCount), as: reader.layout, into: &output)
    staged.consume(byteCount)
    return .ready
  }

  func stop() {}

  func dispose() {}
}
