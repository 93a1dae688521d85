// SPDX-License-Identifier: Apache-2.0
/// Streams one behind the other in one file, as one stream in the format of the first; those that differ are converted.
///
/// Each stream begins where the exact sum of the lengths before it ends, rounded up to a whole sample.
final class LinkedReader: SampleReader {
  /// Opens the next stream; nil where there is none.
  typealias Next = () throws(AudioError) -> OpenedSoundFile?

  let layout = SampleLayout(SampleLayout.Storage.f32)
  private let format: StreamFormat
  private let next: Next
  private let stream: JoinedStream<Float>
  private var positions: SequencePositions
  private var current: LinkSource?
  /// What there is in the file, as far as that is known.
  private(set) var streams: JoinedStreams
  private let areAllKnown: Bool
  /// Whether a stream behind which another one stands, or that came from a pipe, has no end of its own.
  let lacksEnds: () -> Bool

  /// - Parameters:
  ///   - first: the first stream, opened.
  ///   - streams: all of them; nil where they are known only when they come.
  ///   - next: opens those behind the first, called where one has ended.
  ///   - lacksEnds: whether a stream had no end of its own; asked at the end.
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
      // Nothing is done to it: no copy is made.
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

  /// Goes on to the next stream.
  private func advance(behind link: LinkSource) throws(AudioError) {
    current = nil
    let following = try next().map { LinkSource($0) }
    current = following
    if let following, !areAllKnown { streams.add(following.format) }
    let goesOn = stream.isConverting && following?.format == link.format
    if !goesOn { _ = try stream.endItem(at: positions.next, isLast: following == nil) }
    if following != nil { stream.begin(hasSuccessor: true, at: positions.next) }
  }

  /// Moves what was converted to the start of `bytes`.
  private func take(into bytes: UnsafeMutableRawBufferPointer) -> Int {
    let size = layout.bytesPerSample
    let room = bytes.count / (size * format.channelCount) * format.channelCount
    let samples = unsafe bytes.bindMemory(to: Float.self).extracting(0..<room)
    var output = unsafe OutputSpan(buffer: samples, initializedCount: 0)
    _ = stream.take(into: &output)
    return unsafe output.finalize(for: samples) * size
  }

  /// Most of what is read is lossy: samples behind a seek would differ.
  func skip(sampleFrames: Int64) -> Bool { false }
}

/// What is told of streams one behind the other in one file.
package struct JoinedStreams: Sendable, Hashable {
  /// That of the first, and so of what is read.
  public var format: StreamFormat
  /// How many there are, as far as they were read.
  public var count = 1
  /// The formats other than that of the first, which are converted to it; in the order of their first.
  public var otherFormats: [StreamFormat] = []

  init(_ format: StreamFormat) { self.format = format }

  /// Adds the next one.
  mutating func add(_ format: StreamFormat) {
    count += 1
    if format != self.format, !otherFormats.contains(format) { otherFormats.append(format) }
  }
}
